import Synchronization

/// The content of an item and the values derived from it. The trip, its commits and the history share one object.
package final class SharedContent: Sendable {
    let value: ItemContent
    /// The UTF-8 length of the fields' texts.
    package let textBytes: Int
    private let derived = Mutex(Derived())

    private struct Derived {
        var encoded: [UInt8]?
        var cities: Cities?
    }

    /// The cities of an item, for comparison.
    enum Cities {
        case game(CityGames?)
        case travel(TravelEnds)
        case none
    }

    init(_ value: ItemContent) {
        self.value = value
        textBytes = value.textBytes
    }

    /// The encoded fields. Any thread.
    ///
    /// - Parameter encode: encodes them when they are first needed.
    package func encoded(_ encode: (ItemContent) -> [UInt8]) -> [UInt8] {
        derived.withLock { derived in
            if let encoded = derived.encoded { return encoded }
            let encoded = encode(value)
            derived.encoded = encoded
            return encoded
        }
    }

    /// Frees the encoded fields, which are not needed any more.
    package func dropEncoded() { derived.withLock { $0.encoded = nil } }

    /// The names of its cities, normalised when they are first needed.
    var cities: Cities {
        derived.withLock { derived in
            if let cities = derived.cities { return cities }
            let cities: Cities =
                switch value {
                case .game(let game):
                    .game(
                        game.effectiveCity.flatMap(CityName.init).map {
                            CityGames(city: $0, isBinding: game.isBinding)
                        })
                case .travel(let travel): .travel(TravelEnds(of: travel))
                case .custom: .none
                }
            derived.cities = cities
            return cities
        }
    }
}

extension SharedContent: Equatable {
    package static func == (left: SharedContent, right: SharedContent) -> Bool {
        left === right || left.value == right.value
    }
}

extension Item {
    /// The key of a game among the games of its city; nil without a city.
    var cityGames: CityGames? {
        if case .game(let games) = shared.cities { games } else { nil }
    }

    /// The cities of a travel.
    var ends: TravelEnds? {
        if case .travel(let ends) = shared.cities { ends } else { nil }
    }
}
