import Testing

/// Tests with real processes. One at a time: each of them keeps a thread waiting, and there are few in the pool
/// that all tests share.
@Suite(.serialized) enum EndToEnd {}
