import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct WholeInputTests {
    @Test func `a file that grows while it is read is reported, and read when it is complete`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/growing"
        let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let owner = Descriptor(owning: number)
        #expect(ftruncate(number, 4 << 20) == 0)
        let isOver = Guarded(false)
        let writer = try WorkerThread {
            while !isOver.withLock({ $0 }) { _ = write(number, "x", 1) }
        }
        // At some point there is a write between the beginning and the end of the read.
        var failure: WholeInput.Failure?
        let end = ContinuousClock.now + .seconds(60)
        while failure == nil, ContinuousClock.now < end {
            do throws(WholeInput.Failure) {
                _ = try WholeInput.read(path, atMost: 64 << 20, timeout: .seconds(1))
            } catch { failure = error }
        }
        isOver.withLock { $0 = true }
        writer.join()
        #expect(failure == .changed(path))
        #expect(try WholeInput.read(path, atMost: 64 << 20, timeout: .seconds(1)).count > 4 << 20)
        _ = owner.rawValue
    }
}
