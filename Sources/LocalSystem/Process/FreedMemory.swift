import CSystemShim

/// Freed memory that the allocator still holds.
package enum FreedMemory {
    /// Makes the allocator return large freed blocks at once, which glibc otherwise keeps for each thread.
    package static func limit() { shim_limit_free_memory() }

    /// Returns other freed memory to the system, which may take milliseconds. From any thread.
    package static func returnToSystem() { shim_return_memory() }
}
