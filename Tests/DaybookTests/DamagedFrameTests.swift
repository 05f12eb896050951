import Bytes
import Daybook
import Domain
import Foundation
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import TestDice
import Testing
import Verifying

/// Every frame is damaged once: the book serves the rest, and a peer restores the frame.
struct DamagedFrameTests {
  enum Way: CaseIterable, Sendable { case directory, bundle, line }

  /// Two machines with equal books that have sealed files and tails of both logs.
  private struct Pair {
    let office: Office
    let one: Office.Place
    let two: Office.Place
    let digest: Digest
    let names: Set<String>

    init(seed: UInt64) throws {
      office = Office(seed: seed)
      let founder = try office.found("one")
      var names: Set<String> = []
      func write(_ book: Book, _ range: Range<Int>) throws {
        for number in range {
          _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
          names.insert("list \(number)")
        }
      }
      try write(founder, 0..<10)
      _ = try founder.replicator.sync(with: Office.directory)
      let other = try office.join("two")
      _ = try founder.replicator.sync(with: Office.directory, admission: .always)
      _ = try other.replicator.sync(with: Office.directory)
      try write(other, 10..<20)
      for book in [founder, other] { _ = try book.healer.compact() }
      try write(founder, 20..<30)
      try write(other, 30..<40)
      for book in [founder, other, founder, other] {
        _ = try book.replicator.sync(with: Office.directory)
      }
      // Each device has seen the events in the other's last file, so that their loss is detected.
      for (book, range) in [(founder, 40..<41), (other, 41..<42), (founder, 42..<43)] {
        try write(book, range)
        for book in [book, founder, other] { _ = try book.replicator.sync(with: Office.directory) }
      }
      (one, two) = (try office.place("one"), try office.place("two"))
      (digest, self.names) = (try founder.statusReader.digest(), names)
    }

    /// The files of the first machine's logs.
    var files: [(path: Path, bytes: [UInt8])] {
      one.simulated.disk.files.filter { $0.key.string.hasPrefix("/home/book/logs/") }
        .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }

  /// A byte to damage, and the number of events in its frame.
  private struct Wound {
    var path: Path
    var offset: Int
    var lost: Int
  }

  private func wounds(_ pair: Pair, _ dice: inout TestDice::Dice) -> [Wound] {
    pair.files.flatMap { path, bytes in
      // A tail with only one frame would have no readable frames.
      guard bytes.frames.count > 1 || path.name.contains("-") else { return [Wound]() }
      var start = 0
      return bytes.frames.map { frame in
        defer { start += frame.length }
        return Wound(
          path: path, offset: start + dice.number(frame.length), lost: frame.events.count)
      }
    }
  }

  private func names(_ book: Book) throws -> Set<String> {
    Set(try book.view().lists.lists().compactMap(\.name))
  }

  private func meet(_ book: Book, _ peer: Machine, by way: Way) async throws {
    switch way {
    case .directory: _ = try book.replicator.sync(with: Office.directory)
    case .bundle:
      let path = MountedDisk.stick(0) / "\(UUID()).bundle"
      _ = try Book(at: Office.folder, on: peer, view: .memory).replicator.writeBundle(to: path)
      _ = try book.replicator.sync(with: .file(path))
    case .line:
      let server = Server(peer)
      let port = try await server.start()
      _ = try book.replicator.sync(with: .tcp(host: "127.0.0.1", port: port))
      #expect(await server.stop() == [])
    }
  }

  /// Damages the first machine's disk, and expects that the rest is served and the loss restored.
  private func expectHealing(
    of pair: Pair, by way: Way, losing lost: Int, _ hurt: (SimulatedDisk) throws -> Void,
    _ what: Comment
  ) async throws {
    // Use copies, so that each damage starts from the same state.
    let (disk, stick) = (pair.one.simulated.disk.copy(), pair.office.stick.copy())
    try hurt(disk)
    let machine = Machine(
      disk: MountedDisk(own: disk, sticks: [stick]),
      timekeeper: pair.one.simulated.timekeeper, dice: pair.one.simulated.dice,
      network: pair.one.machine.network)
    let book = try Book(at: Office.folder, on: machine, view: .memory)
    let served = try names(book)
    #expect(served.isSubset(of: pair.names), what)
    #expect(served.count >= pair.names.count - lost, what)
    #expect(try !book.verifier.verify().isClean, what)
    // The owner can still write.
    _ = try book.commands.perform(.addList(name: "after", colour: nil))
    #expect(try names(book) == served.union(["after"]), what)
    let peer = Machine(
      disk: MountedDisk(own: pair.two.simulated.disk.copy(), sticks: [stick]),
      timekeeper: pair.two.simulated.timekeeper, dice: pair.two.simulated.dice,
      network: pair.two.machine.network)
    try await meet(book, peer, by: way)
    #expect(try names(book) == pair.names.union(["after"]), what)
    let report = try book.verifier.verify()
    #expect(report.faults == [], what)
    #expect(report.isWhole && report.logs.allSatisfy(\.missing.isEmpty), what)
    #expect(try book.statusReader.status().missing.isEmpty, what)
    // The other device receives the new event, and both books are equal again.
    let path = MountedDisk.stick(0) / "back.bundle"
    _ = try book.replicator.writeBundle(to: path)
    let copy = Machine(
      disk: MountedDisk(own: pair.two.simulated.disk.copy(), sticks: [stick]),
      timekeeper: pair.two.simulated.timekeeper, dice: pair.two.simulated.dice,
      network: pair.two.machine.network)
    let second = try Book(at: Office.folder, on: copy, view: .memory)
    _ = try second.replicator.sync(with: .file(path), admission: .always)
    #expect(try names(second) == pair.names.union(["after"]), what)
    _ = try second.replicator.writeBundle(to: path)
    _ = try book.replicator.sync(with: .file(path))
    #expect(try second.statusReader.digest() == book.statusReader.digest(), what)
    let reopened = try Book(at: Office.folder, on: machine, view: .memory)
    #expect(try reopened.statusReader.digest() == book.statusReader.digest(), what)
  }

  @Test(arguments: Way.allCases)
  func `Damage: with any frame damaged, the rest is served and a peer restores it`(
    way: Way
  ) async throws {
    let pair = try Pair(seed: 941 + UInt64(Way.allCases.firstIndex(of: way) ?? 0))
    var dice = TestDice::Dice(seed: 941)
    let wounds = wounds(pair, &dice)
    #expect(wounds.count > 10)
    for wound in wounds {
      let bit = UInt8(1 << dice.number(8))
      try await expectHealing(
        of: pair, by: way, losing: wound.lost,
        { $0.rot(wound.path, at: wound.offset, flipping: bit) },
        "\(way): \(wound.path) at \(wound.offset), bit \(bit)")
    }
  }

  @Test(arguments: Way.allCases)
  func `Damage: with any file missing, the rest is served and a peer restores it`(
    way: Way
  ) async throws {
    let pair = try Pair(seed: 951)
    for (path, bytes) in pair.files {
      try await expectHealing(
        of: pair, by: way, losing: bytes.frames.reduce(0) { $0 + $1.events.count },
        { try $0.remove(path) }, "\(way): without \(path)")
    }
  }

  @Test func `Damage: restored events are shown although a crash prevented folding them`() throws {
    let pair = try Pair(seed: 4)
    // The packed content ends before the trailer of eight bytes. If it is damaged, no part of the frame can be read.
    var ends: [(path: Path, offset: Int, count: Int)] = []
    for (path, bytes) in pair.files where path.name.contains("-") {
      var end = 0
      for frame in bytes.frames {
        end += frame.length
        ends.append((path, end - 9, frame.events.count))
      }
    }
    let largest = try #require(ends.max { $0.count < $1.count })
    pair.one.simulated.disk.rot(largest.path, at: largest.offset, flipping: 4)
    let hurt = try pair.one.open()
    _ = try hurt.verifier.verify()
    #expect(try names(hurt) != pair.names)
    let intact = try pair.two.open()
    // Store the events only in the journal, as a sync does before it folds them.
    var journal = try Journal(at: Office.folder, on: pair.one.machine)
    let held = try journal.places()
    for replica in Set(intact.core.store.journal.logs.keys).sorted() {
      var export = try intact.core.store.journal.export(of: replica, lackedBy: held, keys: nil)
      while let frame = try export.next() {
        try journal.receive(frame, of: replica, on: .logs)
      }
    }
    _ = try journal.commit()
    #expect(try names(hurt) == pair.names)
    #expect(try hurt.statusReader.digest() == pair.digest)
  }
}
