import ItineraryUI
import TerminalCore
import TripModel

/// The editor's times for user actions, in a trip of one size.
struct Timing {
    enum Measure: String, CaseIterable {
        case step = "a cursor step"
        case page = "a day down"
        case end = "to the last row and back"
        case lift = "lift, and back"
        case dragStep = "a step of a drag"
        case dragEnd = "to the last gap of a drag and back"
        case moveTo = "the list of places opens, and closes"
        case searchKey = "a key in the search that nothing matches"
        case remote = "a remote change"
        case ownMove = "J: a move of one's own, shown at once"
        case liveMove = "J, through the live trip, with its request"
        case liveAnswer = "and the daemon's answer with the new state"
        case livePending = "J, while 50 changes wait for the daemon"
    }

    private let items: Int

    init(items: Int) throws { self.items = items }

    func text(of measure: Measure) -> String {
        switch measure {
        case .liveMove, .liveAnswer, .livePending: return (try? liveText(of: measure)) ?? "?"
        default: break
        }
        guard var screen = try? BenchScreen(items: items) else { return "?" }
        prepare(&screen, measure)
        var times: [Duration] = []
        for index in 0..<100 {
            if measure == .remote, (try? screen.change(titleTo: "Name \(index)")) == nil { return "?" }
            times.append(ContinuousClock().measure { perform(measure, &screen, index) })
            if measure == .ownMove { screen.send(.editAccepted(nil)) }
        }
        return Self.text(of: times)
    }

    private func liveText(of measure: Measure) throws -> String {
        var screen = try LiveScreen(try BenchScreen(items: items).trip)
        for _ in 0..<5 { screen.press(.down) }
        if measure == .livePending { for _ in 0..<50 { screen.press(.character("J")) } }
        var times: [Duration] = []
        for _ in 0..<100 {
            let key = ContinuousClock().measure { screen.press(.character("J")) }
            if measure == .livePending {
                times.append(key)
                continue
            }
            let answers = try screen.answers()
            let answer = ContinuousClock().measure { screen.hear(answers) }
            try screen.serve()
            times.append(measure == .liveMove ? key : answer)
        }
        return Self.text(of: times)
    }

    private static func text(of times: [Duration]) -> String {
        let sorted = times.sorted()
        return "\(micros(sorted[50])), \(micros(sorted[98]))"
    }

    private func prepare(_ screen: inout BenchScreen, _ measure: Measure) {
        for _ in 0..<5 { screen.send(.input(.key(.down))) }
        switch measure {
        case .dragStep, .dragEnd:
            screen.send(.input(.key(.character(" "))))
            screen.send(.dragGranted)
        case .searchKey: screen.send(.input(.key(.character("/"))))
        default: break
        }
    }

    private func perform(_ measure: Measure, _ screen: inout BenchScreen, _ index: Int) {
        func press(_ key: Key) { screen.send(.input(.key(key))) }
        switch measure {
        case .step, .dragStep: press(.down)
        case .page: press(.pageDown)
        case .end, .dragEnd: press(index.isMultiple(of: 2) ? .end : .home)
        case .lift: press(index.isMultiple(of: 2) ? .character(" ") : .escape)
        case .moveTo: press(index.isMultiple(of: 2) ? .character("m") : .escape)
        case .searchKey: press(index.isMultiple(of: 2) ? .character("z") : .backspace)
        case .remote: screen.load()
        case .ownMove: press(.character("J"))
        case .liveMove, .liveAnswer, .livePending: break
        }
    }

    private static func micros(_ time: Duration) -> Int {
        Int(time.components.seconds) * 1_000_000 + Int(time.components.attoseconds / 1_000_000_000_000)
    }
}
