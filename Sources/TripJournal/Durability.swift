/// When a commit counts as kept.
package enum Durability: String, Sendable {
    /// After it has been synced: it survives a power cut.
    case sync
    /// After it has been written: it survives the process. Synced every 100 ms, so that a power cut takes no more.
    case relaxed
}
