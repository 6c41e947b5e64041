import CSystemShim

/// Freed memory that the allocator still holds.
package enum FreedMemory {
    /// Returns it to the system, which may take milliseconds. From any thread.
    package static func returnToSystem() { shim_return_memory() }
}
