extension Action {
    /// What it is called where commands are typed, the first one in the help.
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
