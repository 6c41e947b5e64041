import CommandLineKit

/// Shell completion scripts, generated from the command table.
enum Completions {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// Lists the trips without starting a daemon and without other output.
    private static let trips =
        "itinerary-client list --no-start --quiet --timeout 1 2>/dev/null | cut -d ' ' -f 1"

    private static var commands: String { CommandTable.program.commands.map(\.name).joined(separator: " ") }

    private static func options(of row: CommandRow) -> [OptionRow] { row.options + GlobalOptions.all }

    /// Every option that takes a value, once.
    private static var valued: [OptionRow] {
        var seen: Set<String> = []
        return (GlobalOptions.all + CommandTable.program.commands.flatMap(\.options)).filter {
            $0.value != nil && seen.insert($0.name).inserted
        }
    }

    // MARK: bash

    private static var bash: String {
        let skipped = valued.map(\.name).joined(separator: "|")
        // What stands for a value is the command's own affair: export has more formats than import.
        let values =
            CommandTable.program.commands.flatMap { row in
                row.options.compactMap { bashValue($0, of: row.name) }
            }
            + GlobalOptions.all.compactMap { bashValue($0, of: nil) }
        let rows = CommandTable.program.commands.map { row in
            let names = options(of: row).map(\.name).joined(separator: " ")
            return """
                        \(row.name))
                            options="\(names)"
                            kinds="\(row.words.map(bashKind).joined(separator: " "))" ;;
                """
        }.joined(separator: "\n")
        return """
            # bash completion for itinerary-client; made by: itinerary-client completions bash
            _itinerary_client_files() {
                local IFS=$'\\n'
                COMPREPLY=($(compgen -f -- "$1"))
                compopt -o filenames 2>/dev/null
            }
            _itinerary_client() {
                local word="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}"
                local command="" options="" kinds="" count=0 index kind
                COMPREPLY=()
                # --option=value comes as three words.
                [ "$last" = "=" ] && last="${COMP_WORDS[COMP_CWORD-2]}"
                [ "$word" = "=" ] && word=""
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "${COMP_WORDS[index]}" in
                        \(skipped)) [ "${COMP_WORDS[index+1]}" = "=" ] && ((index++)); ((index++)) ;;
                        -*) ;;
                        *) if [ -z "$command" ]; then command="${COMP_WORDS[index]}"; else ((count++)); fi ;;
                    esac
                done
                case "$command $last" in
            \(values.joined(separator: "\n"))
                esac
                case "$command" in
            \(rows)
                    *) options="\(GlobalOptions.all.map(\.name).joined(separator: " "))" ;;
                esac
                if [[ "$word" == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                    return
                fi
                if [ -z "$command" ]; then
                    COMPREPLY=($(compgen -W "\(commands)" -- "$word"))
                    return
                fi
                set -- $kinds
                shift "$count" 2>/dev/null || set --
                kind="$1"
                case "$kind" in
                    trip) COMPREPLY=($(compgen -W "$(\(trips))" -- "$word")) ;;
                    file) _itinerary_client_files "$word" ;;
                    command) COMPREPLY=($(compgen -W "\(commands)" -- "$word")) ;;
                    words:*) COMPREPLY=($(compgen -W "$(echo "${kind#words:}" | tr , ' ')" -- "$word")) ;;
                esac
            }
            complete -F _itinerary_client itinerary-client
            """
    }

    /// A line that completes the value of an option, of one command or of all; nil for an option without a value.
    private static func bashValue(_ option: OptionRow, of command: String?) -> String? {
        guard option.value != nil else { return nil }
        let completes =
            switch option.kind {
            case .file: "_itinerary_client_files \"$word\"; "
            case .oneOf(let words):
                "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")); "
            default: ""
            }
        return "        \(command.map { "\"\($0)" } ?? "*\"") \(option.name)\") \(completes)return ;;"
    }

    private static func bashKind(_ word: WordRow) -> String {
        switch word.kind {
        case .trip: "trip"
        case .file: "file"
        case .command: "command"
        case .oneOf(let words): "words:" + words.joined(separator: ",")
        case .item, .field, .text: "text"
        }
    }

    // MARK: zsh

    private static var zsh: String {
        let rows = CommandTable.program.commands.map { row in
            let words = row.words.enumerated().map { index, word in
                let place = word.repeats ? "*" : "\(index + 1)"
                return "'\(place):\(zshQuoted(word.name)):\(zshAction(word.kind))'"
            }
            let options = options(of: row).map(zshOption)
            return """
                        \(row.name))
                            _arguments -s -S \(((options + words)).joined(separator: " \\\n                    "))
                            ;;
                """
        }.joined(separator: "\n")
        let described = CommandTable.program.commands.map { "        '\($0.name):\(zshQuoted($0.summary))'" }
        return """
            #compdef itinerary-client
            # zsh completion for itinerary-client; made by: itinerary-client completions zsh
            _itinerary_client_trips() {
                local -a trips
                trips=(${(f)"$(\(trips))"})
                compadd -a trips
            }
            _itinerary_client_commands() {
                local -a commands
                commands=(
            \(described.joined(separator: "\n"))
                )
                _describe command commands
            }
            _itinerary_client() {
                local curcontext="$curcontext" state line
                _arguments -C -S \(GlobalOptions.all.map(zshOption).joined(separator: " ")) \\
                    '1:command:_itinerary_client_commands' '*::word:->words'
                [[ $state == words ]] || return
                case "$line[1]" in
            \(rows)
                esac
            }
            if [ "$funcstack[1]" = "_itinerary_client" ]; then
                _itinerary_client "$@"
            else
                compdef _itinerary_client itinerary-client
            fi
            """
    }

    private static func zshOption(_ option: OptionRow) -> String {
        let summary = "[\(zshQuoted(option.summary))]"
        guard let value = option.value else { return "'\(option.name)\(summary)'" }
        let name = option.name.hasPrefix("--") ? option.name + "=" : option.name
        return "'\(name)\(summary):\(zshQuoted(value)):\(zshAction(option.kind))'"
    }

    private static func zshAction(_ kind: WordRow.Kind) -> String {
        switch kind {
        case .trip: "_itinerary_client_trips"
        case .file: "_files"
        case .command: "_itinerary_client_commands"
        case .oneOf(let words): "(\(words.joined(separator: " ")))"
        case .item, .field, .text: " "
        }
    }

    private static func zshQuoted(_ text: String) -> String {
        text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
    }

    // MARK: fish

    private static var fish: String {
        var lines = [
            "# fish completion for itinerary-client; made by: itinerary-client completions fish",
            "complete -c itinerary-client -f",
        ]
        for row in CommandTable.program.commands {
            lines.append(
                "complete -c itinerary-client -n __fish_use_subcommand -a \(row.name) -d \(fishQuoted(row.summary))"
            )
        }
        for option in GlobalOptions.all { lines.append(fishOption(option, "")) }
        for row in CommandTable.program.commands {
            let condition = " -n '__fish_seen_subcommand_from \(row.name)'"
            lines += row.options.map { fishOption($0, condition) }
            let kinds = row.words.compactMap { fishWords($0.kind) }
            lines += Set(kinds).sorted().map { "complete -c itinerary-client\(condition) \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishOption(_ option: OptionRow, _ condition: String) -> String {
        let isLong = option.name.hasPrefix("--")
        let name = (isLong ? "-l " : "-s ") + option.name.drop { $0 == "-" }
        var line = "complete -c itinerary-client\(condition) \(name) -d \(fishQuoted(option.summary))"
        // Without files, unless it is a file that is wanted.
        if option.value != nil {
            line += fishWords(option.kind).map { " -r " + ($0 == "-F" ? $0 : "-f " + $0) } ?? " -x"
        }
        return line
    }

    private static func fishWords(_ kind: WordRow.Kind) -> String? {
        switch kind {
        case .trip: "-a '(\(trips.replacing("'", with: "\\'")))'"
        case .file: "-F"
        case .command: "-a '\(commands)'"
        case .oneOf(let words): "-a '\(words.joined(separator: " "))'"
        case .item, .field, .text: nil
        }
    }

    private static func fishQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
}
