import TripModel

/// The decision about a journal that was read. Pure; `JournalStore` carries it out.
package enum JournalRecovery: Equatable, Sendable {
    /// Use the journal unchanged.
    case use(JournalContents)
    /// Use the good part: keep a copy of the whole file, and replace the journal by one with the same records
    /// and a new epoch, because clients may have seen the rest.
    case cutTail(JournalContents, TornTail)
    /// Leave the journal unchanged, and do not serve the trip.
    case quarantine(JournalDamage)
    /// Leave the journal unchanged: a program that reads format `lowestReader` is needed.
    case refuse(lowestReader: Int)

    /// Decides for the journal in the directory of `trip`.
    package init(_ scan: JournalScan, of trip: TripID) {
        switch scan {
        case .newerFormat(let lowestReader):
            self = .refuse(lowestReader: lowestReader)
        case .whole(let contents) where contents.header.tripID == trip:
            self = .use(contents)
        case .torn(let contents, let tail) where contents.header.tripID == trip:
            self = .cutTail(contents, tail)
        case .damaged(let damage, before: let contents) where (contents?.header.tripID ?? trip) == trip:
            self = .quarantine(damage)
        case .whole(let contents), .torn(let contents, _), .damaged(_, before: let contents?):
            // Another trip's journal is never repaired here, so this check comes first.
            let reason = JournalDamage.Reason.foreignTrip(contents.header.tripID)
            self = .quarantine(JournalDamage(offset: 0, reason: reason))
        case .damaged(let damage, before: nil):
            self = .quarantine(damage)
        }
    }
}
