import Foundation
import Testing

/// Callers that a real server process refuses.
@Suite(.enabled(if: Program.path != nil, "the program is not built beside the tests"))
struct StrangerTests {
  /// Creates a book with one to-do.
  private func book() throws -> Program {
    let program = try Program()
    _ = try program.run("add", "list", "Secrets")
    _ = try program.run("add", "todo", "Tell nobody", "--list", "Secrets")
    return program
  }

  /// Makes each call in turn, and compares the notes of the server.
  private func receive(
    _ strangers: [Stranger], at program: Program, certificates: URL
  ) throws {
    let serving = try Serving(program)
    let head = #/daybook: \d{4}-\d\d-\d\d \d\d:\d\d turned away 127\.0\.0\.1:\d+: /#
    for stranger in strangers {
      try stranger.call(serving.port, certificates: certificates, program)
      let note = serving.nextNote()
      #expect(note.prefixMatch(of: head) != nil, "\(stranger.name): \(note)")
      #expect(note.replacing(head, with: "").hasPrefix(stranger.note), "\(stranger.name): \(note)")
      try expectNoSecret(in: note, of: program)
    }
    // A caller with the key of a member is still served.
    let copy = try Program(copying: program)
    defer { try? copy.remove() }
    #expect(try copy.run("sync", "tcp://127.0.0.1:\(serving.port)").code == 0)
    #expect(serving.isRunning)
  }

  /// Expects that no note contains the private key or contents of the book.
  private func expectNoSecret(in note: String, of program: Program) throws {
    let folder = program.folder.appending(path: "book/keys")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    try #require(!names.isEmpty)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
      try #require(lines.count == 2)
      #expect(lines.allSatisfy { !note.contains($0.suffix(20)) })
    }
    #expect(!note.contains("Secrets") && !note.contains("nobody,"))
  }

  @Test(.timeLimit(.minutes(2)))
  func `Strangers: a caller that violates the protocol is refused in one line`() throws {
    let program = try book()
    defer { try? program.remove() }
    try receive(Stranger.withBytes, at: program, certificates: program.folder)
  }

  @Test(
    .timeLimit(.minutes(2)),
    .enabled(if: Stranger.openssl, "openssl is not installed, so nobody plays a stranger with it"))
  func `Strangers: a caller without a key of the book is refused in one line`() throws {
    let program = try book()
    defer { try? program.remove() }
    let certificates = try Stranger.makeCertificates(in: program)
    try receive(Stranger.withOpenSSL, at: program, certificates: certificates)
  }

  @Test(.timeLimit(.minutes(2)))
  func `Strangers: a device that was not admitted is refused and refuses others`() throws {
    let (program, stranger) = (try book(), try Program())
    defer {
      try? program.remove()
      try? stranger.remove()
    }
    let serving = try Serving(program)
    let address = "tcp://127.0.0.1:\(serving.port)"
    // The stranger refuses a server whose key was not named on its command line.
    #expect(try stranger.run("join", address).code == 1)
    #expect(serving.nextNote().hasSuffix(": it rejects the key of this device."))
    let others = Array(repeating: "babab", count: 6).joined(separator: "-")
    #expect(try stranger.run("join", address, "--key", others).code == 1)
    #expect(serving.nextNote().hasSuffix(": it rejects the key of this device."))
    // If it accepts the key of the server, the server refuses it.
    #expect(try stranger.run("join", address, "--yes").code == 1)
    #expect(serving.nextNote().hasSuffix(": it rejects the key of this device."))
    #expect(serving.nextNote().contains(": its key, whose words are "))
    #expect(try stranger.run("list", "todos").output == "")
  }
}
