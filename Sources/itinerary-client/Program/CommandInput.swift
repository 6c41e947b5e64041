import CommandLineKit
import LocalSystem

/// Files and standard input of commands.
enum CommandInput {
    /// Reads to the end on a separate thread, because the writer may be slow.
    ///
    /// - Parameter path: the file; nil for standard input.
    static func read(
        _ path: String?, atMost limit: Int, timeout: Duration
    ) async throws(CommandFailure) -> [UInt8] {
        let (results, continuation) = AsyncStream.makeStream(
            of: Result<[UInt8], CommandFailure>.self, bufferingPolicy: .bufferingNewest(1))
        let thread: WorkerThread
        do throws(SystemError) {
            thread = try WorkerThread {
                continuation.yield(
                    Result { () throws(CommandFailure) in
                        try readHere(path, atMost: limit, timeout: timeout)
                    })
                continuation.finish()
            }
        } catch {
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
        for await result in results {
            thread.join()
            return try result.get()
        }
        preconditionFailure("the thread stores its result before it ends")
    }

    /// Reads to the end on the calling thread.
    static func readHere(
        _ path: String?, atMost limit: Int, timeout: Duration
    ) throws(CommandFailure) -> [UInt8] {
        do throws(WholeInput.Failure) {
            return try WholeInput.read(path, atMost: limit, timeout: timeout)
        } catch {
            let code: ExitCode =
                switch error {
                case .directory, .system: .noInput
                case .tooLarge, .changed: .badData
                case .silent: .unavailable
                }
            throw CommandFailure(PlainText.visible("\(error)"), exitCode: code)
        }
    }
}
