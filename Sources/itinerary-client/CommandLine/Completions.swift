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

    /// Prints the words of a kind for the words so far, one per line, without starting a daemon and without errors.
    private static func words(_ kind: String, after words: String) -> String {
        "itinerary-client completions --words \(kind) -- \(words) 2>/dev/null"
    }

    private static var commands: String { CommandTable.program.commands.map(\.name).joined(separator: " ") }

    private static func options(of row: CommandRow) -> [OptionRow] { row.options + GlobalOptions.all }

    /// Every option that takes a value, once.
    private static var valued: [OptionRow] {
        var seen: Set<String> = []
        return (GlobalOptions.all + CommandTable.program.commands.flatMap(\.options)).filter {
            $0.value != nil && seen.insert($0.name).inserted
        }
    }

    private static let bashWords = words(#""$1""#, after: #""${given[@]}""#)
    private static let zshWords = words("${@[-1]}", after: "${(Q)words[1,CURRENT-1]}")

    // MARK: bash

    private static var bash: String {
        let skipped = valued.map(\.name).joined(separator: "|")
        // The allowed values depend on the command: export has more formats than import.
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
            # Offers the words of a kind that begin with the word; blanks and quotes in them are escaped.
            _itinerary_client_words() {
                local IFS=$'\\n' line plain="${2//[\\\\\\"\\']/}"
                for line in $(\(bashWords)); do
                    [[ "${line,,}" == "${plain,,}"* ]] || continue
                    case "$line" in
                        *=) compopt -o nospace 2>/dev/null; COMPREPLY+=("$line") ;;
                        *) if [[ "$2" == [\\"\\']* ]]; then COMPREPLY+=("$line"); else COMPREPLY+=("$(printf %q "$line")"); fi ;;
                    esac
                done
            }
            _itinerary_client() {
                local word="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}"
                local command="" options="" kinds="" count=0 index kind given=()
                COMPREPLY=()
                for ((index = 1; index < COMP_CWORD; index++)); do
                    if [ "${COMP_WORDS[index]}" = "=" ] && [ "${#given[@]}" -gt 0 ]; then
                        given[${#given[@]}-1]+="="
                    else
                        given+=("${COMP_WORDS[index]//[\\\\\\"\\']/}")
                    fi
                done
                # --option=value comes as three words.
                [ "$last" = "=" ] && last="${COMP_WORDS[COMP_CWORD-2]}"
                [ "$word" = "=" ] && word=""
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "${COMP_WORDS[index]}" in
                        \(skipped)) [ "${COMP_WORDS[index+1]}" = "=" ] && ((index++)); ((index++)) ;;
                        -*) ;;
                        "=") [ "$((index + 1))" -ge "$COMP_CWORD" ] && return; ((index++)) ;;
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
                # The last kind repeats.
                while [ "$count" -gt 0 ] && [ "$#" -gt 1 ]; do shift; ((count--)); done
                [[ "$count" -gt 0 && "$1" != item && "$1" != field ]] && return
                kind="$1"
                case "$kind" in
                    trip|item|field) _itinerary_client_words "$kind" "$word" ;;
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
            case .item: "_itinerary_client_words item \"$word\"; "
            case .day: "_itinerary_client_words day \"$word\"; "
            case .zone: "_itinerary_client_words zone \"$word\"; "
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
        case .item: "item"
        case .field: "field"
        case .day, .zone, .text: "text"
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
            # The last argument is the kind, those before it are for compadd. Case does not matter.
            _itinerary_client_words() {
                local -a lines fields
                lines=(${(f)"$(\(zshWords))"})
                fields=(${(M)lines:#*=})
                lines=(${lines:#*=})
                compadd "${@[1,-2]}" -M 'm:{[:lower:]}={[:upper:]}' -a lines
                compadd "${@[1,-2]}" -S '' -a fields
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
        case .trip: "_itinerary_client_words trip"
        case .item: "_itinerary_client_words item"
        case .field: "_itinerary_client_words field"
        case .day: "_itinerary_client_words day"
        case .zone: "_itinerary_client_words zone"
        case .file: "_files"
        case .command: "_itinerary_client_commands"
        case .oneOf(let words): "(\(words.joined(separator: " ")))"
        case .text: " "
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
        // Without file names, unless a file is expected.
        if option.value != nil {
            line += fishWords(option.kind).map { " -r " + ($0 == "-F" ? $0 : "-f " + $0) } ?? " -x"
        }
        return line
    }

    private static func fishWords(_ kind: WordRow.Kind) -> String? {
        switch kind {
        case .trip, .item, .field: "-a '(\(words("any", after: "(commandline -opc)[2..-1]")))'"
        case .day: "-a '(\(words("day", after: "(commandline -opc)[2..-1]")))'"
        case .zone: "-a '(\(words("zone", after: "(commandline -opc)[2..-1]")))'"
        case .file: "-F"
        case .command: "-a '\(commands)'"
        case .oneOf(let words): "-a '\(words.joined(separator: " "))'"
        case .text: nil
        }
    }

    private static func fishQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
}
