import TripModel

/// What to do with a journal that was read. Pure; `JournalStore` carries it out.
package enum JournalRecovery: Equatable, Sendable {
    /// Go on from it as it is.
    case use(JournalContents)
    /// Go on from what is good in it: keep a copy of the whole file, then put in its place a journal with the same
    /// records and a new epoch, for somebody may have seen what is cut.
    case cutTail(JournalContents, TornTail)
    /// Touch nothing and serve nothing of this trip.
    case quarantine(JournalDamage)
    /// Touch nothing: a newer version of the program is needed, one that reads format `lowestReader`.
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
            // Whose journal it is comes before what is wrong with it: another trip's is not repaired here.
            let reason = JournalDamage.Reason.foreignTrip(contents.header.tripID)
            self = .quarantine(JournalDamage(offset: 0, reason: reason))
        case .damaged(let damage, before: nil):
            self = .quarantine(damage)
        }
    }
}
