/// The durability mode: when a commit is confirmed.
package enum Durability: String, Sendable {
    /// After it is synced: it survives a power failure.
    case sync
    /// After it is written: it survives a crash of the process. It is synced every 100 ms, so a power failure
    /// loses no more.
    case relaxed
}
