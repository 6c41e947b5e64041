import LocalSystem
import Simulation

/// The options of the command.
struct SimulateOptions: Sendable {
    static let usage = """
        usage: simulate [--editors | --undo] [--seeds N] [--start S] [--minutes M] [--steps N] [--jobs N] [--trips WHICH] [--first] [--trace]
          --seeds    how many seeds to run; without it as many as fit into the minutes, or 1000
          --start    the first seed, 1 unless said otherwise
          --minutes  stop after so many
          --steps    steps of a seed, \(Simulation.defaultSteps) unless said otherwise
          --jobs     threads, 1 unless said otherwise
          --trips    small: no large trip; mixed: one now and then, as it is unless said otherwise; large: always one
          --first    stop at the first seed that breaks a promise
          --trace    print everything that happens
          --undo     random histories of undo and redo instead of clients
          --editors  random sessions of editors instead of clients
        """

    var seeds: Int?
    var start: UInt64 = 1
    var minutes: Int?
    var steps = Simulation.defaultSteps
    var jobs = 1
    var breadth = Simulation.Breadth.mixed
    var areEditors = false
    var isUndo = false
    var endsAtFailure = false
    var isTraced = false

    /// Nil for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            if option == "--trace" {
                isTraced = true
                continue
            }
            if option == "--first" {
                endsAtFailure = true
                continue
            }
            if option == "--undo" {
                isUndo = true
                continue
            }
            if option == "--editors" {
                (areEditors, steps) = (true, EditorWorld.defaultSteps)
                continue
            }
            guard let text = rest.popFirst() else { return nil }
            if option == "--trips" {
                guard let known = Simulation.Breadth(rawValue: text) else { return nil }
                breadth = known
                continue
            }
            guard let number = Int(text), number >= 1 else { return nil }
            switch option {
            case "--seeds": seeds = number
            case "--start": start = UInt64(number)
            case "--minutes": minutes = number
            case "--steps": steps = number
            case "--jobs": jobs = number
            default: return nil
            }
        }
    }

    /// The maximum number of seeds.
    var seedLimit: Int { seeds ?? (minutes == nil ? 1000 : .max) }
}
