/// The most frequent Windows zones in calendars, with their IANA zones according to CLDR (windowsZones.xml,
/// territory 001).
enum WindowsZones {
    /// The IANA zone for a Windows name in any case; nil for other names.
    static func zone(named name: String) -> String? { zones[name.lowercased()] }

    private static let zones: [String: String] = Dictionary(
        uniqueKeysWithValues: names.map { ($0.windows.lowercased(), $0.iana) })

    private static let names: [(windows: String, iana: String)] = [
        ("Hawaiian Standard Time", "Pacific/Honolulu"), ("Alaskan Standard Time", "America/Anchorage"),
        ("Pacific Standard Time", "America/Los_Angeles"), ("US Mountain Standard Time", "America/Phoenix"),
        ("Mountain Standard Time", "America/Denver"), ("Central Standard Time", "America/Chicago"),
        ("Central Standard Time (Mexico)", "America/Mexico_City"),
        ("Central America Standard Time", "America/Guatemala"),
        ("Canada Central Standard Time", "America/Regina"), ("SA Pacific Standard Time", "America/Bogota"),
        ("Eastern Standard Time", "America/New_York"), ("US Eastern Standard Time", "America/Indianapolis"),
        ("Atlantic Standard Time", "America/Halifax"), ("SA Western Standard Time", "America/La_Paz"),
        ("Pacific SA Standard Time", "America/Santiago"), ("Newfoundland Standard Time", "America/St_Johns"),
        ("E. South America Standard Time", "America/Sao_Paulo"),
        ("Argentina Standard Time", "America/Buenos_Aires"), ("UTC", "Etc/UTC"),
        ("Coordinated Universal Time", "Etc/UTC"), ("GMT Standard Time", "Europe/London"),
        ("Greenwich Standard Time", "Atlantic/Reykjavik"), ("Morocco Standard Time", "Africa/Casablanca"),
        ("W. Europe Standard Time", "Europe/Berlin"), ("Romance Standard Time", "Europe/Paris"),
        ("Central Europe Standard Time", "Europe/Budapest"),
        ("Central European Standard Time", "Europe/Warsaw"),
        ("W. Central Africa Standard Time", "Africa/Lagos"), ("GTB Standard Time", "Europe/Bucharest"),
        ("FLE Standard Time", "Europe/Kiev"), ("E. Europe Standard Time", "Europe/Chisinau"),
        ("Egypt Standard Time", "Africa/Cairo"), ("South Africa Standard Time", "Africa/Johannesburg"),
        ("Israel Standard Time", "Asia/Jerusalem"), ("Turkey Standard Time", "Europe/Istanbul"),
        ("Arabic Standard Time", "Asia/Baghdad"), ("Arab Standard Time", "Asia/Riyadh"),
        ("E. Africa Standard Time", "Africa/Nairobi"), ("Russian Standard Time", "Europe/Moscow"),
        ("Iran Standard Time", "Asia/Tehran"), ("Arabian Standard Time", "Asia/Dubai"),
        ("Pakistan Standard Time", "Asia/Karachi"), ("India Standard Time", "Asia/Calcutta"),
        ("Bangladesh Standard Time", "Asia/Dhaka"), ("SE Asia Standard Time", "Asia/Bangkok"),
        ("China Standard Time", "Asia/Shanghai"), ("Singapore Standard Time", "Asia/Singapore"),
        ("Taipei Standard Time", "Asia/Taipei"), ("W. Australia Standard Time", "Australia/Perth"),
        ("Tokyo Standard Time", "Asia/Tokyo"), ("Korea Standard Time", "Asia/Seoul"),
        ("Cen. Australia Standard Time", "Australia/Adelaide"),
        ("AUS Central Standard Time", "Australia/Darwin"),
        ("E. Australia Standard Time", "Australia/Brisbane"),
        ("AUS Eastern Standard Time", "Australia/Sydney"), ("Tasmania Standard Time", "Australia/Hobart"),
        ("New Zealand Standard Time", "Pacific/Auckland"),
    ]
}
