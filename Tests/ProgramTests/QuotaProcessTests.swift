import Foundation
import Testing

/// Quotas of devices whose views are in files.
///
/// A view remembers the devices whose events a quota held back.
@Suite(.enabled(if: Program.path != nil, "the program was not built beside the tests"), .serialized)
struct QuotaProcessTests {
  private struct Usage: Decodable {
    var name: String
    var isHeldBack: Bool
  }

  private static let waiting =
    "The quota is used up, so no further events are accepted until you raise it.\n"
  private static let arriving = "The next sync fetches the events that the quota held back.\n"

  /// Makes a book on a laptop, which a second device in the folder `phone` joins, and a folder `stick` for both.
  private func pair() throws -> (laptop: Program, phone: String, stick: String) {
    let laptop = try Program()
    let (phone, stick) = (laptop.folder.path() + "/phone", laptop.folder.path() + "/stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    for words in [
      ["add", "list", "Home"], ["sync", stick], ["-C", phone, "join", stick, "--yes"],
      ["sync", stick, "--admit"], ["-C", phone, "sync", stick], ["sync", stick],
    ] {
      #expect(try laptop.run(words).code == 0, "\(words)")
    }
    return (laptop, phone, stick)
  }

  /// The other device, as `device quota` shows it.
  private func usage(on laptop: Program) throws -> Usage {
    let answer = try laptop.run("device", "quota", "--json").output
    let all = try JSONDecoder().decode([Usage].self, from: Data(answer.utf8))
    return try #require(all.first)
  }

  @Test func `Device quota: once it is raised, it says that held events arrive with the next sync`()
    throws
  {
    let (laptop, phone, stick) = try pair()
    defer { try? laptop.remove() }
    let name = try usage(on: laptop).name
    func change(to events: String) throws -> String {
      let answer = try laptop.run("device", "quota", name, "--events", events).output
      return answer.split(separator: "\n", maxSplits: 1).dropFirst().joined()
    }
    #expect(try change(to: "1") == Self.waiting)
    #expect(try laptop.run("-C", phone, "add", "todo", "Milk").code == 0)
    #expect(try laptop.run("-C", phone, "sync", stick).code == 0)
    // This device refuses the events, but nothing is damaged.
    #expect(try laptop.run("sync", stick).code == 1)
    #expect(try laptop.run("verify").code == 0)
    #expect(try usage(on: laptop).isHeldBack)
    #expect(try laptop.titles() == [])
    #expect(try change(to: "1000") == Self.arriving)
    #expect(try laptop.run("sync", stick).code == 0)
    #expect(try laptop.titles() == ["Milk"])
    #expect(try !usage(on: laptop).isHeldBack)
    #expect(try change(to: "2000") == "")
  }

  /// The notes that a command prints.
  private func notes(_ words: String..., on program: Program) throws -> String {
    let pipe = Pipe()
    let process = try program.process(words)
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `Device quota: the device learns from its status that a peer did not keep its events`()
    throws
  {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "list", "Home").code == 0)
    let serving = try Serving(one)
    let invited = try one.run("invite").output
    let invitation = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited)).output
    #expect(try two.run("join", String(invitation)).code == 0)
    let peer = "tcp://127.0.0.1:\(serving.port)"
    let sentence = " did not keep 1 event of this device at the last sync. "
    let name = try usage(on: one).name
    #expect(try one.run("device", "quota", name, "--events", "1").code == 0)
    #expect(try two.run("add", "todo", "Milk").code == 0)
    #expect(try !notes("status", on: two).contains(sentence))
    let synced = try two.run("sync", peer)
    #expect(synced.code == 4)
    #expect(synced.output.contains(", of which the peer kept none; received nothing.\n"))
    #expect(try notes("status", on: two).contains(sentence))
    #expect(try one.run("device", "quota", name, "--events", "1000").code == 0)
    #expect(try two.run("sync", peer).code == 0)
    #expect(try !notes("status", on: two).contains(sentence))
    #expect(try one.titles() == ["Milk"])
    serving.stop()
  }
}
