import Foundation
import Testing

/// Syncs over the real programs `ssh` and `sshd`.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"),
  .enabled(if: SSHServer.isInstalled, "this machine has no sshd that can run"), .serialized,
  .timeLimit(.minutes(2)))
struct SSHServerTests {
  private func run(
    _ program: Program, _ words: String..., in bin: String
  ) throws -> (code: Int32, text: String) {
    let (pipe, process) = (Pipe(), try program.process(words))
    process.environment?["PATH"] = "\(bin):/usr/bin:/bin"
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test func `SSH server: a device joins by invitation and syncs, and an unknown host is refused`()
    throws
  {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "todo", "of one").code == 0)
    let server = try SSHServer(for: one)
    let bin = try server.client()
    let invited = try one.run("invite", "--no-qr", "--address", "ssh://desk")
    let invitation = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output
    let joined = try run(two, "join", String(invitation), in: bin)
    #expect(joined.code == 0, "\(joined.text)")
    // More than the buffers between the processes hold.
    let file = two.folder.appending(path: "lines.jsonl")
    let lines = (0..<20_000).map {
      #"{"op":"add","kind":"todo","id":"e-\#($0)","title":"errand \#($0 &* 7_919)"}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    #expect(try two.run("import", file.path()).code == 0)
    #expect(try one.run("add", "todo", "later").code == 0)
    let synced = try run(two, "sync", in: bin)
    #expect(synced.code == 0, "\(synced.text)")
    #expect(try one.titles().count == 20_002)
    #expect(try Set(one.titles()) == Set(two.titles()))
    let refused = try run(two, "sync", in: try server.client(knowsHost: false))
    #expect(refused.code == 4)
    #expect(refused.text.contains("Host key verification failed."))
    #expect(refused.text.contains("ssh could not connect to ssh://desk, and said why above."))
  }
}
