import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// What other devices claim about the log of this device, without holding the events.
struct ClaimTests {
  /// Two machines, and an admitted device that claims to have seen and to hold 1,000 more events of the first machine's
  /// log than there are.
  private func deceived(
    seed: UInt64, hasWitness: Bool
  ) throws -> (one: Copyist, evil: Flood, log: UniqueID) {
    let studio = try Studio(seed: seed, hasWitness: hasWitness)
    let (one, _) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    let book = try one.open()
    var evil = try Flood()
    try evil.admit(into: book)
    let log = try #require(try one.writers().first)
    let end = try #require(book.core.store.journal.logs[log])
    try evil.claim(
      1_000, after: Landmark(log: log, sequence: end.sequence, hash: end.hash.prefix16))
    #expect(try evil.send(to: book) == [])
    try tell(book, by: try #require(evil.logs.first), of: log, end.sequence + 1_000)
    return (one, evil, log)
  }

  /// Lets a device report that it holds an event of a log.
  private func tell(
    _ book: Book, by device: UniqueID, of log: UniqueID, _ sequence: UInt64
  ) throws {
    let place = Place(log: log, sequence: sequence, hash: SHA256.digest(of: [1]))
    try book.core.peerNotes.changePeers { peers in
      peers.peers[device] = Peers.Peer(name: "evil", frontier: Frontier([place]))
    }
  }

  private func accused(by book: Book) throws -> [String] {
    try book.healthCheck.diagnose().findings.flatMap { finding in
      if case .claims(let devices) = finding { devices } else { [String]() }
    }
  }

  private func revoke(_ evil: Flood, by book: Book) throws {
    let plan = try book.revoker.revocationPlan(for: try evil.device(in: book))
    _ = try book.revoker.revoke(by: plan)
  }

  @Test func `Claim: what the witness disproves begins no log, and is not a loss`() throws {
    let (one, evil, log) = try deceived(seed: 741, hasWitness: true)
    try one.add("second")
    try one.sync()
    try one.add("third")
    #expect(try one.writers() == [log])
    #expect(try one.retired() == [])
    let book = try one.open()
    #expect(try book.losses.gaps() == [])
    #expect(try book.verifier.verify().isWhole)
    #expect(book.file.losses.isEmpty)
    #expect(try one.names() == ["first", "second", "third"])
    let name = try evil.device(in: book).listedName
    #expect(try accused(by: book) == [name])
    #expect(try !book.healthCheck.diagnose().hasDamage)
    // The events of the device stay, so only its revocation ends the report.
    try revoke(evil, by: book)
    #expect(try accused(by: one.open()) == [])
  }

  @Test func `Claim: without a witness, it is a loss until the device is revoked`() throws {
    let (one, evil, log) = try deceived(seed: 742, hasWitness: false)
    let book = try one.open()
    let report = try book.verifier.verify()
    let held = try #require(book.core.store.journal.logs[log]?.sequence)
    #expect(
      report.faults.map(\.kind) == [.shortened(held: held, known: held + 1_000)])
    #expect(try accused(by: book) == [])
    try revoke(evil, by: book)
    // The device cannot know that nothing is lost, so it has begun a new log.
    #expect(try one.writers() != [log])
    let after = try one.open()
    #expect(after.file.losses.isEmpty)
    #expect(try after.verifier.verify().isWhole)
    #expect(try after.losses.gaps() == [])
  }

  @Test func `Claim: reports by devices that are not admitted do not count`() throws {
    let studio = try Studio(seed: 743, hasWitness: false)
    let one = try studio.found("one")
    try one.add("first")
    let before = try one.writers()
    var evil = try Flood()
    try evil.begin(1)
    try tell(one.open(), by: evil.logs[0], of: before[0], 1_000)
    try one.add("second")
    #expect(try one.writers() == before)
    #expect(try one.open().verifier.verify().isWhole)
  }

  @Test func `Claim: a backup that contains an old witness is recognised by returned events`()
    throws
  {
    let studio = try Studio(seed: 744)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    let old = one.copyOfDisk()
    try one.add("second")
    try two.sync(after: one)
    let before = try one.writers()
    one.restore(old)
    for (path, bytes) in old.files where path.names(below: Studio.witness) != nil {
      try one.machine.disk.replace(path, with: bytes)
    }
    try one.sync()
    try one.add("third")
    #expect(try one.writers() != before)
    #expect(try one.retired() == before)
    try studio.syncAll()
    for machine in studio.machines {
      #expect(try machine.names() == ["first", "second", "third"])
      #expect(try machine.open().core.store.journal.forks.isEmpty)
    }
  }
}
