import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct DefaultPathsTests {
    private func paths(_ environment: [String: String]) -> DefaultPaths {
        DefaultPaths(environment: environment, userID: 1000, home: "/home/ada")
    }

    @Test func `the socket is in the runtime directory if that is set, absolute and usable`() {
        let fallback = "/tmp/itineraryd-1000/itineraryd.sock"
        for (value, isUsable, expected) in [
            (nil, true, fallback), ("", true, fallback), ("run/user", true, fallback),
            ("/run/user/1000", true, "/run/user/1000/itineraryd/itineraryd.sock"),
            ("/run/user/1000/", true, "/run/user/1000/itineraryd/itineraryd.sock"),
            ("/run/user/1000", false, fallback),
        ] as [(String?, Bool, String)] {
            let environment = value.map { ["XDG_RUNTIME_DIR": $0] } ?? [:]
            #expect(paths(environment).socket { _ in isUsable } == expected)
        }
        #expect(paths([:]).socketDirectory() == "/tmp/itineraryd-1000")
    }

    #if !canImport(Darwin)
    @Test func `data is in the state directory`() {
        let fallback = "/home/ada/.local/state/itineraryd"
        for (value, expected) in [
            (nil, fallback), ("", fallback), ("state", fallback), ("/var/ada", "/var/ada/itineraryd"),
        ] as [(String?, String)] {
            let environment = value.map { ["XDG_STATE_HOME": $0] } ?? [:]
            #expect(paths(environment).dataDirectory == expected)
        }
    }
    #endif

    @Test func `a runtime directory is usable if the user owns it and no other user can write to it`() throws
    {
        let directory = try TemporaryDirectory()
        #expect(RuntimeDirectory.isUsable(directory.path))
        #expect(!RuntimeDirectory.isUsable(directory.path + "/missing"))
        let open = directory.path + "/open"
        try PrivateDirectory.ensure(open, isDefault: false)
        #expect(chmod(open, 0o777) == 0)
        #expect(!RuntimeDirectory.isUsable(open))
        #expect(symlink("/dev/null", directory.path + "/file") == 0)
        #expect(!RuntimeDirectory.isUsable(directory.path + "/file"))
    }

    @Test func `the home directory comes from the environment, else from the user database`() {
        #expect(CurrentUser.home(environment: ["HOME": "/h"]) == "/h")
        for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
            #expect(CurrentUser.home(environment: environment)?.hasPrefix("/") ?? true)
        }
        #expect(CurrentUser.name?.isEmpty != true)
    }
}
