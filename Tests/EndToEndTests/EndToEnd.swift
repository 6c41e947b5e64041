import Testing

/// Tests with real processes. Run one at a time: each of them blocks a thread of the small pool that all tests share.
@Suite(.serialized) enum EndToEnd {}
