import Foundation
import Testing

/// A peer written from `protocol.md` alone syncs with a served book.
@Suite(.enabled(if: Program.path != nil, "the program is not built beside the tests"))
struct IndependentPeerTests {
  private static let python = "/usr/bin/python3"
  private static let scripts = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Conformance")

  static let hasPython: Bool = {
    guard let program = try? Program() else { return false }
    defer { try? program.remove() }
    return (try? program.run(python, "-c", "import cryptography").code) == 0
  }()

  /// The result of a sync, as reported by the other peer.
  private struct Exchange: Decodable, Equatable {
    var sent: Int
    var receivedFrames: Int
    var bytesSent: Int
    var bytesReceived: Int
  }

  private struct State: Decodable, Equatable {
    var digest: String
    var logs: [String: [String]]
  }

  private func sync(_ folder: URL, with words: String..., by program: Program) throws -> Exchange {
    let script = Self.scripts.appending(path: "peer.py").path()
    let done = try program.run([Self.python, "-B", script, folder.path()] + words)
    try #require(done.code == 0)
    return try JSONDecoder().decode(Exchange.self, from: Data(done.output.utf8))
  }

  private func states(of folders: [URL], by program: Program) throws -> [State] {
    let script = Self.scripts.appending(path: "reader.py").path()
    let read = try program.run([Self.python, "-B", script] + folders.map { $0.path() })
    return try read.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(State.self, from: Data(line.utf8))
    }
  }

  private func invite(_ program: Program) throws -> String {
    struct Invited: Decodable { var invitation: String }
    let invited = try program.run("invite", "--json")
    return try JSONDecoder().decode(Invited.self, from: Data(invited.output.utf8)).invitation
  }

  /// Returns the key that a program stores for its only peer.
  private func keyOfPeer(_ program: Program) throws -> String {
    struct Contacts: Decodable {
      struct Peer: Decodable { var key: String }
      var peers: [Peer]
    }
    let contacts = try Data(contentsOf: program.folder.appending(path: "book/contacts"))
    return try #require(JSONDecoder().decode(Contacts.self, from: contacts).peers.first).key
  }

  @Test(
    .timeLimit(.minutes(5)),
    .enabled(if: hasPython, "python3-cryptography is not installed"))
  func `Independent peer: a peer joins by invitation and syncs two books`() throws {
    let (home, other) = (try Program(), try Program())
    defer {
      try? home.remove()
      try? other.remove()
    }
    for number in 1...70 {
      #expect(try home.run("add", "todo", "home \(number)", "--list", "Inbox").code == 0)
    }
    let serving = try Serving(home)
    #expect(try other.run("join", try invite(home)).code == 0)
    for number in 1...3 {
      #expect(try other.run("add", "todo", "other \(number)", "--list", "Inbox").code == 0)
      #expect(try home.run("done", "home \(number)").code == 0)
    }
    let (here, there) = ("127.0.0.1:\(serving.port)", try keyOfPeer(other))
    let folders = [home, other].map { $0.folder.appending(path: "book") }

    let first = try sync(folders[1], with: here, there, by: other)
    #expect(first.sent == 3)
    #expect(first.receivedFrames == 1)
    let states = try states(of: folders, by: home)
    #expect(states[0] == states[1])
    #expect(try home.titles().sorted() == other.titles().sorted())
    #expect(try home.titles().count == 73)
    #expect(try other.run("verify").code == 0)

    let second = try sync(folders[1], with: here, there, by: other)
    #expect(second.sent == 0 && second.receivedFrames == 0)
    #expect(second.bytesSent + second.bytesReceived < 1_024)

    let reading = other.folder.appending(path: "reading")
    _ = try sync(reading, with: try invite(home), by: other)
    let read = try self.states(of: [folders[0], reading], by: home)
    #expect(read[0] == read[1])
  }
}
