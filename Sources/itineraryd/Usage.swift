import TripProtocol

/// What `--help` prints.
enum Usage {
    static let general = """
        itineraryd \(ProtocolVersion.program): lets several people edit one trip at the same time.

        usage: itineraryd serve [--socket PATH] [--data DIR] [--durability sync|relaxed] [--compact-at BYTES]
                                [--allow-group NAME] [--log FILE] [--log-level info|warning|error] [--log-format text|json]
               itineraryd dial-stdio [--socket PATH] [--owner NAME] [--as NAME] [--role viewer|editor]
               itineraryd check [--data DIR]
               itineraryd export TRIP [--out FILE] [--data DIR]
               itineraryd restore FILE [--to-version N] [--as SLUG] [--new-id | --replace] [--data DIR]
               itineraryd salvage TRIP --out FILE [--data DIR]
               itineraryd compact [TRIP] [--data DIR]

          --socket PATH      where to listen; else ITINERARYD_SOCKET, else
                             $XDG_RUNTIME_DIR/itineraryd/itineraryd.sock or /tmp/itineraryd-UID/itineraryd.sock
          --data DIR         where the trips are kept; else $XDG_STATE_HOME/itineraryd or
                             ~/.local/state/itineraryd
          --durability WHEN  sync: a change is answered when the disk has it (the default);
                             relaxed: when it is written, synced within 100 ms
          --compact-at BYTES how large a trip's journal may grow before it is written anew (4194304)
          --allow-group NAME the accounts of a group may connect (directory 0750, socket 0660), to do what the file
                             access of the data directory says; off by default
          --log FILE         where to write what happens, instead of standard error; at 1 MiB begun anew, with the one
                             before kept as FILE.1
          --log-level LEVEL  info: what happens (the default); warning: only what is wrong, such as a trip
                             that cannot be served; error: only why it ends
          --log-format FORM  text (the default), or json: one object a line
          --help, --version  COMMAND --help tells more of a command

        SIGTERM and SIGINT end it in good order; SIGHUP has the file access read again.
        The file access of the data directory has a line for each account or group that may do something, such as

          user bob editor                # everything that can be undone
          group family viewer            # looks
          uid 1004 owner in japan        # deletes that trip, too; one trip by its slug or id

        A TRIP is a slug or an id.
        """

    static let dialStdio = """
        usage: itineraryd dial-stdio [--socket PATH] [--owner NAME] [--as NAME] [--role viewer|editor]

        Carries a connection's lines between the daemon, which is started if need be, and standard input and output, for
        a program such as ssh that leads here: itinerary-client --host ssh://HOST runs it. With --as or --role whoever
        dials is that user, or at most that role, whatever they say; so one account can serve several people, by a line
        in its ~/.ssh/authorized_keys such as

          command="itineraryd dial-stdio --as bob --role viewer",restrict ssh-ed25519 AAAA…
        """

    static let check = """
        usage: itineraryd check [--data DIR]

        Looks at every file of every trip and changes nothing; a daemon may be running. Names every problem with its
        file and byte offset. Exit code: 0 no problem, 1 problems, 2 it could not look.
        """

    static let export = """
        usage: itineraryd export TRIP [--out FILE] [--data DIR]

        Writes a trip with all that is kept of it to one file, or to standard output; a daemon may be running. The
        file is a sealed journal: text, whose every byte is covered by a checksum. FILE must not exist.
        """

    static let restore = """
        usage: itineraryd restore FILE [--to-version N] [--as SLUG] [--new-id | --replace] [--data DIR]

        Makes a trip of a file that export or salvage wrote. No daemon may be running. The trip begins another history
        (a new epoch), so that whoever had it open is told.

          --to-version N  as it was at version N, one of those that the file has
          --as SLUG       under another slug
          --new-id        as a trip of its own, beside the one that it was taken from
          --replace       in the place of the trip that it was taken from; a copy of that one's journal is kept
        """

    static let salvage = """
        usage: itineraryd salvage TRIP --out FILE [--data DIR]

        Writes to FILE, for restore, what can still be read of a trip whose journal is damaged: everything up to the
        damage. Says what is left out. The journal is not touched. No daemon may be running. FILE must not exist.
        """

    static let compact = """
        usage: itineraryd compact [TRIP] [--data DIR]

        Writes the journal of a trip, or of every trip, anew with the trip's present state at its beginning. The
        daemon does so by itself; no daemon may be running. Versions before the present one can then no longer be
        restored from an export.
        """
}
