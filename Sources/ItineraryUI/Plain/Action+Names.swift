extension Action {
    /// The names of the command; the first one is shown in the help.
    var names: [String] {
        let name = rawValue.replacing("-", with: " ")
        return switch self {
        case .nudgeUp: ["previous valid", name]
        case .nudgeDown: ["next valid", name]
        case .lift: [name, "grab"]
        case .remove: [name, "delete"]
        case .accept: ["yes", name, "done"]
        case .cancel: [name, "no"]
        case .quit: [name, "exit"]
        default: [name]
        }
    }
}
