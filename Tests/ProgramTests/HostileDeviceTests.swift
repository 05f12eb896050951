import Foundation
import Testing

/// An admitted device that sends as many valid events as it can does not prevent others from working.
@Suite(.enabled(if: Program.path != nil, "the program is not built beside the tests"))
struct HostileDeviceTests {
  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Conformance/besiege.py").path()

  /// Tests run beside others, so the time of a sync says little.
  ///
  /// The long run, which CONTRIBUTING.md describes, has all kinds of events and sessions and measures this time. Many
  /// unfinished sessions are part of it alone, because the memory that they take is an open fault (SECURITY.md).
  @Test(
    .timeLimit(.minutes(5)),
    .enabled(
      if: IndependentPeerTests.hasPython, "python3-cryptography is not installed"))
  func `Hostile device: others add, close, sync and revoke while it sends for 10 s`() throws {
    let path = try #require(Program.path).path()
    let program = try Program()
    defer { try? program.remove() }
    let done = try program.run(
      ["/usr/bin/python3", "-B", Self.script, path, "10", "1", "--patience", "60"]
        + ["--kinds", "tiny", "deletes", "edits", "odd"]
        + ["--sessions", "send", "replay", "read"])
    #expect(done.code == 0, "\(done.output)")
  }
}
