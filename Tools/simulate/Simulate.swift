import Simulation

@main
struct Simulate {
    static func main() {
        let seed = CommandLine.arguments.count > 1 ? UInt64(CommandLine.arguments[1]) ?? 1 : 1
        let count = CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) ?? 1 : 1
        var sum = Simulation.Figures()
        for seed in seed..<seed+count {
        let outcome = Simulation.run(seed: seed, steps: 400, isTraced: count == 1)
        sum += outcome.figures
        if let failure = outcome.failure { for l in outcome.trace { print(l) }; print(failure) }
        }
        print(sum)
    }
}
