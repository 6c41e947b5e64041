import Foundation

/// The variables that the process was started with.
package struct ProcessEnvironment: Sendable {
    /// All of them, by name.
    package let variables: [String: String]

    /// Variables, for tests.
    package init(_ variables: [String: String]) { self.variables = variables }

    /// Those of this process.
    package static var current: ProcessEnvironment {
        ProcessEnvironment(ProcessInfo.processInfo.environment)
    }

    /// A variable that is set to something.
    package func nonEmpty(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The end of this process.
package enum ProcessExit {
    /// Ends it at once with a code.
    package static func now(_ code: Int32) -> Never { exit(code) }

    /// Ends it by a signal, so that whoever waits for it sees that.
    package static func now(bySignal signal: Int32) -> Never {
        Signals.unwatch([signal])
        kill(getpid(), signal)
        // Where it is ignored, or comes a little later on another thread.
        while true { pause() }
    }
}
