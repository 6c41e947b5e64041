import LocalSystem
import TestSupport
import Testing
import TripJournal
import TripModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// `itineraryd backup`, and `itineraryd restore` of what it wrote.
    @Suite struct BackupTests {
        private static func backup(_ home: Home, _ arguments: String...) throws -> Program.Outcome {
            try home.startDaemon(["backup"] + arguments).finish()
        }

        private static func names(in path: String) throws -> [String] {
            try RealFileSystem().list(path).sorted()
        }

        @Test func `a backup beside a daemon has every trip, and restores them on a new machine`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "Cup")
            _ = try home.client("create", "Japan")
            _ = try home.client("add", "japan", "Dinner")
            let outcome = try Self.backup(home, home.path + "/backup")
            #expect(outcome.status == .exited(0))
            let name = try #require(try Self.names(in: home.path + "/backup").first)
            #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/) != nil)
            let place = "\(home.path)/backup/\(name)"
            #expect(outcome.output == "2 trips are in \(place)\n")
            #expect(try Self.names(in: place) == ["cup.journal", "japan.journal"])
            #expect(try FileStatus.ofPath(place + "/japan.journal")?.mode == 0o600)

            let other = try Home()
            defer { other.end() }
            let parent = try other.startDaemon(["restore", home.path + "/backup"]).finish()
            #expect(parent.status == .exited(1))
            #expect(parent.errors.contains("the newest backup is \(place)"), "\(parent.errors)")
            #expect(try other.startDaemon(["restore", place]).finish().status == .exited(0))
            #expect(try other.client("list").output.contains("japan "))
            #expect(try other.client("show", "japan").output.contains("Dinner"))
            #expect(try other.client("log", "japan").output.contains("Dinner"), "with its history")
            _ = try other.client("stop")
            let again = try other.startDaemon(["restore", place]).finish()
            #expect(again.status == .exited(1) && again.errors.contains("--replace"))
            #expect(try other.startDaemon(["restore", place, "--replace"]).finish().status == .exited(0))
        }

        @Test func `cron makes a backup beside the daemon of a login session`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.shell("env -u XDG_STATE_HOME $CLIENT create Cup")
            let outcome = try home.shell(
                "env -i HOME='\(home.path)' PATH=\"$PATH\" '\(Programs.daemon)' backup '\(home.path)/b' --keep 2"
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("1 trip is in "))
        }

        @Test func `without a trip there is no backup, and the data directory is named`() throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try Self.backup(home, home.path + "/backup")
            #expect(outcome.status == .exited(1))
            #expect(
                outcome.errors
                    == "itineraryd: there is no trip in \(home.dataDirectory); name the data directory with --data\n"
            )
            #expect(try FileStatus.ofPath(home.path + "/backup") == nil)
        }

        @Test func `a damaged trip leaves an incomplete backup of the others, and removes none`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "Cup")
            _ = try home.client("create", "Japan")
            _ = try home.client("stop")
            let old = home.path + "/backup/2001-01-01T00-00-00Z"
            #expect(try home.shell("mkdir -p '\(old)'").status == .exited(0))
            let trips = home.dataDirectory + "/trips"
            let trip = try #require(try Self.names(in: trips).first)
            let damaged = try home.shell(
                "printf X | dd of='\(trips)/\(trip)/journal' bs=1 seek=60 conv=notrunc 2>/dev/null")
            #expect(damaged.status == .exited(0))
            let outcome = try Self.backup(home, home.path + "/backup", "--keep", "1")
            #expect(outcome.status == .exited(1))
            #expect(
                outcome.errors.contains("a trip is missing: ") && outcome.errors.contains(trip),
                "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("1 trip is in ") && outcome.output.hasSuffix(".incomplete\n"))
            #expect(try FileStatus.ofPath(old) != nil)
        }

        @Test func `a trip that could not be restored is missing in a backup`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "Cup")
            _ = try home.client("stop")
            // Every checksum is right, and the only record is invalid.
            let id = "70000000-0000-4000-8000-000000000001"
            let header = JournalHeader(tripID: try #require(TripID(id)), epoch: "e")
            let records = [JournalRecord(version: 1, payload: Array("{}".utf8))]
            let image = JournalImage(header, snapshot: nil, records: records)
            let text = String(decoding: image.bytes, as: UTF8.self)
            let file = try home.write(text, to: "journal")
            let trips = home.dataDirectory + "/trips"
            let moved = try home.shell("mkdir '\(trips)/\(id)' && mv '\(file)' '\(trips)/\(id)/journal'")
            #expect(moved.status == .exited(0))
            let outcome = try Self.backup(home, home.path + "/backup")
            #expect(outcome.status == .exited(1))
            #expect(outcome.errors.contains("trip \(id): version 1 is invalid"), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("1 trip is in "), "\(outcome.output)")
        }

        @Test func `older backups beyond the number to keep are removed, and nothing else`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "Cup")
            let folder = home.path + "/backup"
            let others = ["2001-01-01T00-00-00Z-mine", "notes", "2001-01-04T00-00-00Z.incomplete"]
            let old = [
                "2001-01-01T00-00-00Z", "2001-01-02T00-00-00Z", "2001-01-02T01-00-00Z.incomplete",
                "2001-01-03T00-00-00Z",
            ]
            for name in others + old {
                #expect(try home.shell("mkdir -p '\(folder)/\(name)'").status == .exited(0))
            }
            let outcome = try Self.backup(home, folder, "--keep", "2")
            #expect(outcome.output.hasSuffix("older backups removed: 2\n"), "\(outcome)")
            let left = try Self.names(in: folder)
            #expect(Set(left).isSuperset(of: others + ["2001-01-03T00-00-00Z"]))
            #expect(left.count == others.count + 2)
            #expect(try Self.backup(home, folder, "--keep", "0").status == .exited(64))
        }
    }
}
