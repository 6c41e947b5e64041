import CSystemShim

/// Memory that this process no longer needs and the allocator still has.
package enum FreedMemory {
    /// Gives it back to the system; takes milliseconds where there is much of it. From any thread.
    package static func returnToSystem() { shim_return_memory() }
}
