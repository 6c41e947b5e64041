import TestSupport
import TripJournal

/// The special conditions of a seed's run. Most seeds have only a few, so that none hides the effects of
/// another.
struct Scenario: CustomStringConvertible {
    enum Weight {
        case light
        /// A trip of 1 MiB of notes.
        case notes
        /// A trip of 10,000 items.
        case items
    }

    let durability: Durability
    /// Clients that stop reading, close their sending side, or disconnect silently.
    let hasGuests: Bool
    /// Trips that are created, deleted and renamed.
    let hasNomads: Bool
    /// One user with several connections, who repeats requests that were answered long ago.
    let hasPerson: Bool
    /// That user sends hundreds of changes at once.
    let hasStorm: Bool
    /// Other programs fill the disk and free space again.
    let isDiskTight: Bool
    let runsOutOfDescriptors: Bool
    let weight: Weight

    /// The conditions in words.
    var description: String {
        var words = ["\(durability) durability"]
        if hasGuests { words.append("guests") }
        if hasNomads { words.append("nomads") }
        if hasPerson { words.append(hasStorm ? "a person who storms" : "a person") }
        if isDiskTight { words.append("a tight disk") }
        if runsOutOfDescriptors { words.append("a lack of descriptors") }
        switch weight {
        case .light: break
        case .notes: words.append("a trip of large notes")
        case .items: words.append("a trip of many items")
        }
        return words.joined(separator: ", ")
    }

    init(_ breadth: Simulation.Breadth, using random: inout SplitMix64) {
        durability = random.chance(15) ? .relaxed : .sync
        hasGuests = random.chance(40)
        hasNomads = random.chance(50)
        isDiskTight = random.chance(30)
        runsOutOfDescriptors = random.chance(25)
        let size = random.below(1000)
        switch breadth {
        case .small: weight = .light
        case .mixed: weight = size < 2 ? .items : size < 12 ? .notes : .light
        case .large: weight = size < 100 ? .items : .notes
        }
        hasPerson = random.chance(35) || weight != .light
        hasStorm = hasPerson && random.chance(12)
    }

    /// No special conditions, for worlds with troubles of their own.
    static let plain = Scenario()

    private init() {
        durability = .sync
        (hasGuests, hasNomads, hasPerson, hasStorm) = (false, false, false, false)
        (isDiskTight, runsOutOfDescriptors, weight) = (false, false, .light)
    }
}

extension Simulation {
    /// The sizes of trips in a set of runs.
    package enum Breadth: String, CaseIterable, Sendable {
        /// Never a large trip.
        case small
        /// Sometimes a large trip.
        case mixed
        /// Always a large trip.
        case large
    }
}
