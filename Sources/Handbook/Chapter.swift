/// A chapter of the handbook: a Markdown file beside this one, which `help` prints and `man` shows as a page.
package enum Chapter: String, Sendable, CaseIterable {
    case editor, items
    case importExport = "import-export"
    case sharing, daemon, backup, plain, assistants, access
    case editorConf = "editor.conf"

    /// The chapter's Markdown.
    package var text: String {
        let bytes: [UInt8] =
            switch self {
            case .editor: PackageResources.editor_md
            case .items: PackageResources.items_md
            case .importExport: PackageResources.import_export_md
            case .sharing: PackageResources.sharing_md
            case .daemon: PackageResources.daemon_md
            case .backup: PackageResources.backup_md
            case .plain: PackageResources.plain_md
            case .assistants: PackageResources.assistants_md
            case .access: PackageResources.access_md
            case .editorConf: PackageResources.editor_conf_md
            }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The section of the manual: 5 for file formats, 7 for the rest.
    package var section: Int {
        switch self {
        case .access, .editorConf: 5
        default: 7
        }
    }

    /// The name of the manual page, such as `itinerary-sharing`.
    package var pageName: String { self == .access ? "itineraryd-access" : "itinerary-\(rawValue)" }

    /// The reference to the manual page, such as `itinerary-sharing(7)`.
    package var page: String { "\(pageName)(\(section))" }
}
