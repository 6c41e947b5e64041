import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Starts the process of `plan` and returns its id.
func spawn(_ plan: ChildProcess.Plan) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    try checkedCall("posix_spawn_file_actions_init") { posix_spawn_file_actions_init(&actions) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    try checkedCall("posix_spawnattr_init") { posix_spawnattr_init(&attributes) }
    defer { posix_spawnattr_destroy(&attributes) }

    // The descriptors are duplicated first. A stream's descriptor may have the number of another stream, and
    // one that already has the right number would keep its close-on-exec flag.
    var duplicates: [Int32] = []
    defer { for number in duplicates { close(number) } }
    for (target, stream) in [plan.input, plan.output, plan.error].enumerated() {
        let target = Int32(target)
        if case .terminal(let path) = stream {
            // Opened by the child, because a session's leader gets the first terminal that it opens as its
            // controlling terminal.
            try checkedCall("posix_spawn_file_actions_addopen", path) {
                posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0)
            }
            continue
        }
        let number = try duplicate(of: stream, for: target)
        duplicates.append(number)
        try checkedCall("posix_spawn_file_actions_adddup2") {
            posix_spawn_file_actions_adddup2(&actions, number, target)
        }
    }
    try checkedCall("posix_spawn_file_actions_addclosefrom", plan.directory) {
        shim_spawn_actions(&actions, plan.directory)
    }
    try checkedCall("posix_spawnattr_setflags") {
        shim_spawn_attributes(&attributes, plan.isInNewSession ? 1 : 0)
    }

    let arguments = [plan.executable] + plan.arguments
    let environment = plan.environment.map { "\($0)=\($1)" }
    var process: pid_t = 0
    let code = withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in
            posix_spawn(&process, plan.executable, &actions, &attributes, arguments, environment)
        }
    }
    if code != 0 { throw SystemError(call: "posix_spawn", path: plan.executable, code: code) }
    return process
}

/// A descriptor of 3 or more for a stream; the caller closes it.
private func duplicate(of stream: ChildProcess.Stream, for target: Int32) throws(SystemError) -> Int32 {
    let (path, flags): (String, Int32)
    switch stream {
    case .inherited: return try duplicate(target)
    case .descriptor(let number): return try duplicate(number)
    case .null: (path, flags) = ("/dev/null", O_RDWR)
    case .log(let name):
        let file: Descriptor
        do throws(LogFileError) {
            file = try LogFile(path: name).open().takeFile()
        } catch {
            switch error {
            case .system(let error): throw error
            case .notOurs: throw SystemError(call: "open", path: name, code: ELOOP)
            }
        }
        return try duplicate(file.rawValue)
    case .terminal(let name): (path, flags) = (name, O_RDWR | O_NOCTTY)
    }
    let file = Descriptor(owning: try systemCall("open", path) { open(path, flags | O_CLOEXEC, 0o600) })
    return try duplicate(file.rawValue)
}

private func duplicate(_ number: Int32) throws(SystemError) -> Int32 {
    try systemCall("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 3) }
}

/// Calls `body` with a null-terminated vector of C strings.
private func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { (vector + index).initialize(to: strdup(string)) }
    (vector + strings.count).initialize(to: nil)
    defer {
        for index in strings.indices { free(vector[index]) }
        vector.deallocate()
    }
    return body(vector)
}
