import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// Bundles without the events that their receiver is known to hold.
struct BundleSinceTests {
  private static let path = MountedDisk.stick(0) / "book.bundle"

  private func carry(
    from one: Copyist, to two: Copyist, since name: String? = nil
  ) throws -> Receipt {
    _ = try one.open().replicator.writeBundle(to: Self.path, since: name)
    return try two.open().replicator.sync(with: .file(Self.path), admission: .always)
  }

  /// Two machines: `two` was restored from a backup, and `one` still assumes that `two` holds the events that it lost.
  private func forgetful(_ seed: UInt64) throws -> (one: Copyist, two: Copyist) {
    let studio = try Studio(seed: seed, hasWitness: false)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    _ = try carry(from: one, to: two)
    let old = two.copyOfDisk()
    try one.add("first")
    _ = try carry(from: one, to: two)
    _ = try carry(from: two, to: one)
    two.restore(old)
    try one.add("second")
    return (one, two)
  }

  @Test
  func `Bundle: a device restored from a backup reports the gap and stores no events after it`()
    throws
  {
    let (one, two) = try forgetful(961)
    let before = try two.open().statusReader.digest()
    let receipt = try carry(from: one, to: two, since: "two")
    let log = try #require(try one.writers().first)
    let held = try #require(try two.open().core.store.journal.logs[log]?.sequence)
    #expect(receipt.problems == [.log(.gap(log, held: held, received: held + 2))])
    #expect(receipt.received == [])
    #expect(try two.names() == [])
    #expect(try two.open().statusReader.digest() == before)
    #expect(try two.open().verifier.verify().isWhole)
  }

  @Test func `Bundle: a complete bundle fills the gap`() throws {
    let (one, two) = try forgetful(962)
    _ = try carry(from: one, to: two, since: "two")
    #expect(try carry(from: one, to: two).problems == [])
    #expect(try two.names() == ["first", "second"])
    #expect(try two.open().statusReader.digest() == one.open().statusReader.digest())
  }

  @Test func `Bundle: after a bundle in return, the next one fills the gap`() throws {
    let (one, two) = try forgetful(963)
    _ = try carry(from: one, to: two, since: "two")
    #expect(try carry(from: two, to: one).problems == [])
    #expect(try carry(from: one, to: two, since: "two").problems == [])
    #expect(try two.names() == ["first", "second"])
    #expect(try two.open().statusReader.digest() == one.open().statusReader.digest())
  }

  @Test func `Bundle: bundles of different ages in any order give the same records`() throws {
    let studio = try Studio(seed: 964, hasWitness: false)
    let one = try studio.found("one")
    var bundles: [Path] = []
    for number in 1...3 {
      try one.add("list \(number)")
      let path = MountedDisk.stick(0) / "\(number).bundle"
      _ = try one.open().replicator.writeBundle(to: path)
      bundles.append(path)
    }
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [1, 1, 2], [2, 2, 2]]
    for (number, order) in orders.enumerated() {
      let reader = try studio.joinAlone("reader \(number)")
      for place in order {
        #expect(try reader.open().replicator.sync(with: .file(bundles[place])).problems == [])
      }
      #expect(try reader.names() == ["list 1", "list 2", "list 3"])
      #expect(try reader.open().verifier.verify().isWhole)
    }
  }

  @Test func `Bundle: a dry run reports the events that a bundle would add and changes nothing`()
    throws
  {
    let studio = try Studio(seed: 965, hasWitness: false)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.add("first")
    _ = try one.open().replicator.writeBundle(to: Self.path)
    let before = (two.copyOfDisk().files, studio.stick.files)
    for peer in [PeerAddress.file(Self.path), Office.directory] {
      if peer == Office.directory { try one.sync() }
      let stick = studio.stick.files
      let trial = try Book(at: Studio.folder, on: two.machine.onTrial, view: .memory)
      let receipt = try trial.replicator.sync(with: peer, comparing: true)
      #expect(receipt.received.map(\.events) == [1])
      #expect(receipt.came.map(\.device) == ["one"])
      #expect(try trial.view().lists.lists().compactMap(\.name) == ["first"])
      #expect(try receipt.digest == one.open().statusReader.digest())
      #expect(receipt.comparison.map(\.device) == ["one", "two"])
      #expect(receipt.comparison.first?.toUs.map(\.count) == [1])
      #expect(studio.stick.files == stick)
    }
    #expect(two.copyOfDisk().files == before.0)
    #expect(try two.names() == [])
  }
}
