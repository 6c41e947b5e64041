import TestSupport
import TripJournal

/// What a seed's run meets besides what every run does. Most meet a few things only, so that none hides the others.
struct Scenario: CustomStringConvertible {
    enum Weight {
        case light
        /// A trip of 1 MiB of notes.
        case notes
        /// A trip of 10,000 items.
        case items
    }

    let durability: Durability
    /// Clients that stop reading, close their sending side, or go away without a word.
    let hasGuests: Bool
    /// Trips that come and go, and change their names.
    let hasNomads: Bool
    /// One person with several connections, who asks again for what was answered long ago.
    let hasPerson: Bool
    /// That person sends hundreds of changes at once.
    let hasStorm: Bool
    /// Others fill the disk, and make room again.
    let isDiskTight: Bool
    let runsOutOfDescriptors: Bool
    let weight: Weight

    var features: Set<Simulation.Feature> {
        let met: [(Simulation.Feature, Bool)] = [
            (.relaxedDurability, durability == .relaxed), (.guests, hasGuests), (.nomads, hasNomads),
            (.person, hasPerson), (.storm, hasStorm), (.tightDisk, isDiskTight),
            (.lackOfDescriptors, runsOutOfDescriptors), (.largeTrip, weight != .light),
        ]
        return Set(met.filter(\.1).map(\.0))
    }

    /// What it meets, in words.
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

    /// Nothing but what every seed meets: for worlds that bring troubles of their own.
    static let plain = Scenario()

    private init() {
        durability = .sync
        (hasGuests, hasNomads, hasPerson, hasStorm) = (false, false, false, false)
        (isDiskTight, runsOutOfDescriptors, weight) = (false, false, .light)
    }
}

extension Simulation {
    /// What a seed may meet besides what every seed does.
    package enum Feature: String, CaseIterable, Sendable {
        case relaxedDurability, guests, nomads, person, storm, tightDisk, lackOfDescriptors, largeTrip
    }

    /// What a seed meets.
    package static func features(of seed: UInt64, breadth: Breadth = .mixed) -> Set<Feature> {
        var random = SplitMix64(seed: seed)
        return Scenario(breadth, using: &random).features
    }

    /// Which runs there are.
    package enum Breadth: String, CaseIterable, Sendable {
        /// None with a large trip.
        case small
        /// A large trip now and then.
        case mixed
        /// A large trip always.
        case large
    }
}
