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
}
