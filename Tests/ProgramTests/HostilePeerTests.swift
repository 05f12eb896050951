import Foundation
import Platform
import PosixPlatform
import Syncing
import Testing

/// Hostile peers that connect to a real server process while an honest peer syncs repeatedly.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"), .serialized,
  .timeLimit(.minutes(2)))
struct HostilePeerTests {
  private let clock = SystemTimekeeper()

  @Test func `Hostile peers: every hostile message of a member is refused immediately`() throws {
    let siege = try Siege()
    defer { siege.end() }
    let honest = HonestPeer(siege.honest, list: "Secrets")
    for words in HostileWords.inPlaceOfHello + HostileWords.behindHello {
      let peer = try Hostile(siege.identity, at: siege.serving.port)
      let start = clock.monotonicMilliseconds()
      peer.say((words.isGreeted ? HostileWords.greeting : []) + words.bytes)
      let refusal = peer.refusal()
      #expect(clock.monotonicMilliseconds() - start < 5_000, "\(words.name)")
      // A peer that is still sending a long message may not receive the refusal.
      if refusal != nil || words.bytes.count < 1 << 16 {
        #expect(refusal?.code == words.code.rawValue, "\(words.name)")
      }
      let note = siege.nextNote()
      #expect(note.contains("(127.0.0.1:") && note.contains(words.note), "\(words.name): \(note)")
      #expect(siege.tellsNoSecret(note))
    }
    try siege.expectPeace(honest.stop())
    #expect(try siege.mostMemory() < 96 << 20)
  }

  @Test func `Hostile peers: a replayed session is refused and learns nothing`() throws {
    let siege = try Siege()
    defer { siege.end() }
    let wire = Wiretap(try Hostile.dial(siege.serving.port))
    let overheard = try Hostile(siege.identity, at: siege.serving.port, over: wire)
    overheard.say(HostileWords.plainHello)
    guard case .hello? = overheard.hear() else { Issue.record("no hello"); return }
    overheard.close()
    #expect(siege.nextNote().contains("the connection broke"))
    let record = wire.record
    #expect(record.count > 500)
    let honest = HonestPeer(siege.honest, list: "Secrets")
    for _ in 0..<20 {
      let line = try Hostile.dial(siege.serving.port)
      try? line.send(record, patienceMilliseconds: 10_000)
      var heard = 0
      while let bytes = try? line.receive(upTo: 1 << 16, patienceMilliseconds: 10_000),
        !bytes.isEmpty
      {
        heard += bytes.count
      }
      // The peer has received the beginning of a handshake and an alert, but no data of the book.
      #expect(heard < 1_000)
      line.close()
      #expect(siege.nextNote().hasSuffix(": it violates the protocol."))
    }
    try siege.expectPeace(honest.stop())
  }

  @Test func `Hostile peers: five hundred slow callers do not delay syncs and are dropped`() throws
  {
    let siege = try Siege()
    defer { siege.end() }
    let notes = siege.takeNotes()
    let honest = HonestPeer(siege.honest, list: "Secrets")
    var inside: [Hostile] = []
    var outside: [any Line] = []
    for number in 0..<250 {
      let peer = try Hostile(siege.identity, at: siege.serving.port)
      // Half of the peers begin a message of the maximum length, and the others send nothing.
      if number % 2 == 0 { peer.say(HostileWords.longBeginning) }
      inside.append(peer)
      let line = try Hostile.dial(siege.serving.port)
      _ = try? line.offer([22, 3, 1, 2, 0])
      outside.append(line)
    }
    let end = clock.monotonicMilliseconds() + 15_000
    var waiting = inside.indices.map { $0 }
    var atDoor = outside.indices.map { $0 }
    while !(waiting.isEmpty && atDoor.isEmpty), clock.monotonicMilliseconds() < end {
      for number in waiting where number % 2 == 0 { inside[number].say([0]) }
      for number in atDoor { _ = try? outside[number].offer([0]) }
      clock.pause(milliseconds: 200)
      waiting.removeAll { inside[$0].hasBeenLeft() }
      atDoor.removeAll { outside[$0].hasBeenLeft() }
    }
    #expect(waiting == [])
    #expect(atDoor == [])
    for line in outside { line.close() }
    try siege.expectPeace(honest.stop())
    #expect(try siege.mostMemory() < 96 << 20)
    siege.serving.stop()
    #expect(notes.count(of: "the other device is too slow") == 250)
    // Connections without a complete handshake are dropped to admit others, or time out.
    let turnedAway =
      notes.count(of: "it cannot be served") + notes.count(of: "it is too slow")
    #expect(turnedAway == 250)
  }
}
