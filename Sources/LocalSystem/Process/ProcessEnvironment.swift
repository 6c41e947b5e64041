import Foundation

/// The environment variables of the process.
package struct ProcessEnvironment: Sendable {
    /// All variables by name.
    package let variables: [String: String]

    /// An environment with given variables, for tests.
    package init(_ variables: [String: String]) { self.variables = variables }

    /// The environment of this process.
    package static var current: ProcessEnvironment {
        ProcessEnvironment(ProcessInfo.processInfo.environment)
    }

    /// A variable's value, if it is set and not empty.
    package func nonEmpty(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Ways to end this process.
package enum ProcessExit {
    /// Exits at once with a code.
    package static func now(_ code: Int32) -> Never { exit(code) }

    /// Ends the process by a signal, as its parent then sees.
    package static func now(bySignal signal: Int32) -> Never {
        Signals.restoreDefault(of: signal)
        kill(getpid(), signal)
        // The signal may be ignored, or delivered a little later on another thread.
        while true { pause() }
    }
}
