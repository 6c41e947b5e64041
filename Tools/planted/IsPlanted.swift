// `plant copy` adds this file to each target that a patch changes.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

private let plantedBug = getenv("PLANTED_BUG").map { String(cString: $0) }

/// Whether the process has a defect.
func isPlanted(_ bug: String) -> Bool { plantedBug == bug }
