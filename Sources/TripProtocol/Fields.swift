import JSONLine
import TripModel

/// The path of a field in a request; converted to text only for an error.
struct FieldPath: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The object or array of the field.
    private let parent: Parent
    private let key: Key

    private enum Key {
        case known(StaticString)
        case sent(String)
        case index(Int)
    }

    /// The shared part of the paths of one object or array.
    fileprivate indirect enum Parent {
        case request
        case value(of: FieldPath)

        /// - Parameter path: nil for the request itself.
        init(_ path: FieldPath?) { self = path.map { .value(of: $0) } ?? .request }
    }

    /// A field of the request itself.
    init(stringLiteral key: StaticString) { self.init(key, in: .request) }

    fileprivate init(_ key: StaticString, in parent: Parent) {
        self.parent = parent
        self.key = .known(key)
    }

    /// A field by its name in the request.
    init(sent key: String, of object: FieldPath) {
        parent = .value(of: object)
        self.key = .sent(key)
    }

    init(_ index: Int, of array: FieldPath) {
        parent = .value(of: array)
        key = .index(index)
    }

    var description: String {
        let parent =
            switch parent {
            case .request: ""
            case .value(let path): path.description
            }
        let dot = parent.isEmpty ? "" : "."
        return switch key {
        case .known(let key): "\(parent)\(dot)\(key)"
        case .sent(let key): "\(parent)\(dot)\(key)"
        case .index(let index): "\(parent)[\(index)]"
        }
    }
}

/// The fields of one object of a request, by name; errors contain the field's whole path.
struct Fields {
    private let object: JSONNode?
    /// The object's path in the request.
    private let place: FieldPath.Parent

    /// - Parameter object: nil for an empty object.
    init(_ object: JSONNode?, path: FieldPath? = nil) throws(WireError) {
        if let object, object.kind != .object {
            throw .invalid(path ?? "params", "an object is needed")
        }
        self.object = object
        place = FieldPath.Parent(path)
    }

    func name(_ key: StaticString) -> FieldPath { FieldPath(key, in: place) }

    /// All members, known or not.
    var members: JSONMemberNodes? { object?.memberNodes }

    /// The value of a field; nil if it is missing.
    func node(_ key: StaticString) -> JSONNode? { object?[key] }

    /// The value of a field; nil if it is missing or null.
    func present(_ key: StaticString) -> JSONNode? {
        guard let node = node(key), !node.isNull else { return nil }
        return node
    }

    /// The objects in an array; none if it is missing or null.
    func objects(_ key: StaticString) throws(WireError) -> [Fields] {
        guard let list = present(key) else { return [] }
        var objects: [Fields] = []
        for (index, element) in list.elements.enumerated() {
            objects.append(try Fields(element, path: FieldPath(index, of: name(key))))
        }
        return objects
    }
}
