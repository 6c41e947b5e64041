import CommandLineKit

/// The environment variables and files of this program, for the manual and the handbook.
enum Environment {
    static let client: [ProgramDescription.Entry] = [
        ("ITINERARYD_SOCKET", "the daemon's socket, as --socket"),
        ("ITINERARYD_HOST", "the machine of the daemon, as --host"),
        ("ITINERARYD_OWNER", "the account whose daemon to use, as --owner"),
        ("ITINERARYD_SSH", "the program to run instead of ssh"),
        ("NO_COLOR", "if set, the editor uses no colours"),
        ("LC_ALL, LC_CTYPE, LANG", "in a locale that is not UTF-8 the editor draws in ASCII"),
        ("TZ", "the time zone of this machine, which new trips get by default"),
        ("XDG_CONFIG_HOME", "the directory of the configuration (~/.config)"),
        ("XDG_STATE_HOME", "the directory of the data (~/.local/state)"),
        ("XDG_RUNTIME_DIR", "the directory of the socket (/tmp/itineraryd-UID)"),
    ]

    static let clientFiles: [ProgramDescription.Entry] = [
        ("$XDG_CONFIG_HOME/itineraryd/editor.conf", "settings of the editor, see itinerary-editor.conf(5)"),
        ("$XDG_STATE_HOME/itineraryd/person", "your id, by which undo knows your changes"),
        ("$XDG_STATE_HOME/itineraryd/person-NAME", "the same for a name that --user gives"),
        (
            "$XDG_STATE_HOME/itinerary-client/not-done",
            "changes that were not saved when an editor was closed, until the next editor shows them"
        ),
        ("$XDG_STATE_HOME/itinerary-client/not-done-NAME", "the same for a name that --user gives"),
        ("$XDG_STATE_HOME/itinerary-client/pruned", "items that import --prune removed"),
    ]
}
