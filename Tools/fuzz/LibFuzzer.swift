// Compiled by Tools/fuzz/run, which names the program after its fuzz target, and linked with the test modules.

@testable import FuzzTests

/// The target in the program's name.
private let target: FuzzTarget = {
    let name = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        // The name is given by Tools/fuzz/run.
        fatalError("\(name) is none of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
}()

/// One input of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Finding) {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        // libFuzzer keeps the input of a process that dies.
        fatalError("\(error)")
    }
    return 0
}
