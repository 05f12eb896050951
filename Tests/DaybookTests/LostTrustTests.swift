import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Trust decisions stay in effect when the disk loses the events that made them.
struct LostTrustTests {
  /// Three devices of one book.
  ///
  /// The first revoked the second, which continued to write.
  private struct Case {
    let office: Office
    let three: Office.Place
    let names: [String]
    let digest: Digest

    init(seed: UInt64) throws {
      let (office, books) = try TrustingTests.office("one", "two", "three", seed: seed)
      // The events of one sync may be in one frame, so sync between them.
      _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
      try TrustingTests.exchange(books)
      try TrustingTests.add("late", to: books[1])
      try TrustingTests.add("after", to: books[0])
      try TrustingTests.exchange(books)
      self.office = office
      three = try office.place("three")
      names = try TrustingTests.names(books[2])
      digest = try books[2].statusReader.digest()
      #expect(names == ["after", "one", "three", "two"])
    }

    var disk: SimulatedDisk { three.simulated.disk }

    /// Damages the frame with the first event with this verb, on the third machine.
    @discardableResult
    func strike(_ verb: JournalVerb, of log: UniqueID) throws -> UInt64 {
      try strike(in: log) { frame in
        frame.events.first { $0.verb == verb.rawValue }?.sequence
      }
    }

    /// Damages the first frame in which `find` finds an event, and returns that event.
    @discardableResult
    func strike(in log: UniqueID, _ find: (Frame) -> UInt64?) throws -> UInt64 {
      for (path, bytes) in disk.files.sorted(by: { $0.key < $1.key })
      where path.string.hasPrefix("/home/book/logs/\(log.hex)/") {
        var start = 0
        for frame in bytes.frames {
          if let sequence = find(frame) {
            disk.rot(path, at: start + frame.length / 2, flipping: 4)
            return sequence
          }
          start += frame.length
        }
      }
      Issue.record("no such frame")
      return 0
    }

    func log(of name: String) throws -> UniqueID {
      try #require(try three.book?.deviceList.device(called: name)).replica
    }
  }

  private static let trustIsLost: [Finding] = [.trust(remembered: 1)]

  private func expectHealed(_ book: Book, _ lost: Case) throws {
    _ = try book.replicator.sync(with: Office.directory)
    #expect(try TrustingTests.names(book) == lost.names)
    #expect(try book.verifier.verify().isWhole)
    #expect(try book.statusReader.status().missing.isEmpty)
    #expect(try book.statusReader.digest() == lost.digest)
    // Now the log itself shows the trust event again.
    try lost.disk.remove(book.layout.trust)
    let reopened = try lost.three.open()
    #expect(try TrustingTests.names(reopened) == lost.names)
    #expect(try reopened.statusReader.digest() == lost.digest)
  }

  @Test(arguments: [JournalVerb.admit, .revoke])
  func `Remembered trust: an admission or revocation stays in effect while its frame is damaged`(
    verb: JournalVerb
  ) throws {
    let lost = try Case(seed: 1_001)
    let sequence = try lost.strike(verb, of: try lost.log(of: "one"))
    let book = try lost.three.open()
    let report = try book.verifier.verify()
    #expect(report.remembered == 1)
    #expect(report.logs.flatMap(\.missing) == [sequence...sequence])
    #expect(try TrustingTests.names(book) == lost.names)
    #expect(try book.statusReader.digest() == lost.digest)
    #expect(
      try book.healthCheck.diagnose().findings.filter(Self.trustIsLost.contains) == Self.trustIsLost
    )
    #expect(try book.statusReader.status().missing.map(\.range) == [sequence...sequence])
    try expectHealed(book, lost)
  }

  @Test func `Remembered trust: standings hold while the founder's frame is damaged`() throws {
    let lost = try Case(seed: 1_002)
    try lost.strike(.open, of: try lost.log(of: "one"))
    let book = try lost.three.open()
    #expect(try book.verifier.verify().remembered > 0)
    // Its own first list is in the same frame.
    #expect(try TrustingTests.names(book) == lost.names.filter { $0 != "one" })
    #expect(try book.deviceList.device(called: "two").standing == .revoked)
    try expectHealed(book, lost)
  }

  @Test func `Remembered trust: a cut keeps its place while its last kept event is damaged`() throws
  {
    let lost = try Case(seed: 1_003)
    let log = try lost.log(of: "two")
    let last = try #require(lost.three.book).deviceList.device(called: "two")
    try lost.strike(in: log) { frame in
      frame.events.contains { $0.sequence == last.events - last.cut }
        ? last.events - last.cut : nil
    }
    let book = try lost.three.open()
    #expect(try book.verifier.verify().remembered == 1)
    // Its list is lost with the frame or is before it. Later events are still not shown.
    #expect(try !TrustingTests.names(book).contains("late"))
    let device = try book.deviceList.device(called: "two")
    // The damaged event is not counted.
    #expect([device.events, device.cut] == [last.events - 1, last.cut])
    try expectHealed(book, lost)
  }

  @Test func `Remembered trust: a revocation stays in effect after the end of its log was cut off`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", "three", seed: 1_004)
    try TrustingTests.add("late", to: books[1])
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    try TrustingTests.exchange(books)
    let three = try office.place("three")
    let file = try #require(
      three.simulated.disk.files.first { path, bytes in
        path.string.hasPrefix("/home/book/logs/")
          && bytes.frames.last?.events.last?.verb == JournalVerb.revoke.rawValue
      })
    three.simulated.disk.rot(file.key, at: file.value.count - 20, flipping: 1)
    let book = try three.open()
    #expect(try book.deviceList.device(called: "two").standing == .revoked)
    // A write cuts off the damaged part, so only the second copy still contains the revocation.
    try TrustingTests.add("next", to: book)
    #expect(try book.deviceList.device(called: "two").standing == .revoked)
    #expect(try book.verifier.verify().remembered == 1)
    #expect(try book.statusReader.status().missing.count == 1)
    _ = try book.replicator.sync(with: Office.directory)
    #expect(try book.verifier.verify().isWhole)
    #expect(try book.statusReader.status().missing.isEmpty)
    _ = try books[0].replicator.sync(with: Office.directory)
    #expect(try book.statusReader.digest() == books[0].statusReader.digest())
  }

  @Test func `Remembered trust: logs stay admitted while the admitting log is missing`() throws {
    let lost = try Case(seed: 1_005)
    let folder = "/home/book/logs/\(try lost.log(of: "one").hex)/"
    for path in lost.disk.files.keys where path.string.hasPrefix(folder) {
      try lost.disk.remove(path)
    }
    let book = try lost.three.open()
    // All events of the second device are held, and count up to the cut.
    #expect(try TrustingTests.names(book) == ["three", "two"])
    #expect(try book.verifier.verify().remembered > 1)
    try expectHealed(book, lost)
  }

  @Test
  func `Remembered trust: a device knows that it is revoked while the revoking log is missing`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1_010)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    try TrustingTests.exchange(books)
    let two = try office.place("two")
    let log = try books[1].deviceList.device(called: "one").replica
    for path in two.simulated.disk.files.keys
    where path.string.hasPrefix("/home/book/logs/\(log.hex)/") {
      try two.simulated.disk.remove(path)
    }
    let status = try two.open().statusReader.status()
    #expect(status.standing == .revoked(.init(author: "one", time: nil, cut: 0)))
  }

  @Test func `Remembered trust: a sync writes a damaged or missing trust file again`() throws {
    let lost = try Case(seed: 1_006)
    let path = try lost.three.open().layout.trust
    let whole = try #require(lost.disk.files[path])
    lost.disk.rot(path, at: whole.count / 2, flipping: 1)
    let damaged = try lost.three.open()
    #expect(try damaged.verifier.verify().faults.map(\.file) == ["trust"])
    #expect(try damaged.statusReader.digest() == lost.digest)
    _ = try damaged.replicator.sync(with: Office.directory)
    #expect(lost.disk.files[path] == whole)
    // A crash may happen before this file is written.
    try lost.disk.remove(path)
    _ = try lost.three.open().replicator.sync(with: Office.directory)
    #expect(lost.disk.files[path] == whole)
    try lost.strike(.revoke, of: try lost.log(of: "one"))
    let book = try lost.three.open()
    #expect(try book.verifier.verify().remembered == 1)
    #expect(try book.statusReader.digest() == lost.digest)
  }

  @Test func `Remembered trust: a power cut while it is written changes no record`() throws {
    let lost = try Case(seed: 1_007)
    let path = try lost.three.open().layout.trust
    let whole = try #require(lost.disk.files[path])
    try lost.disk.remove(path)
    lost.disk.record()
    _ = try lost.three.open().replicator.sync(with: Office.directory)
    let states = lost.disk.recorded()
    #expect(states.count > 2)
    for disk in states {
      disk.crash()
      let machine = Machine(
        disk: MountedDisk(own: disk, sticks: [lost.office.stick]),
        timekeeper: lost.three.simulated.timekeeper, dice: lost.three.simulated.dice,
        network: lost.three.machine.network)
      let book = try Book(at: Office.folder, on: machine, view: .memory)
      #expect(try book.statusReader.digest() == lost.digest)
      #expect(disk.files[path] == nil || disk.files[path] == whole)
      _ = try book.replicator.sync(with: Office.directory)
      #expect(disk.files[path] == whole)
    }
  }

  @Test func `Remembered trust: a record stays erased while the erasing frame is damaged`() throws {
    let (office, books) = try TrustingTests.office("one", "two", "three", seed: 1_008)
    let list = try #require(try books[1].view().lists.lists().first { $0.name == "two" })
    let late = MountedDisk.stick(0) / "late.bundle"
    _ = try books[1].replicator.writeBundle(to: late)
    _ = try books[0].eraser.erase(list.head.id)
    try TrustingTests.exchange([books[0], books[2]])
    try TrustingTests.add("after", to: books[0])
    try TrustingTests.exchange([books[0], books[2]])
    let three = try office.place("three")
    let path = try #require(
      three.simulated.disk.files.first { file in
        file.key.string.hasPrefix("/home/book/logs/")
          && file.value.frames.contains { frame in
            frame.events.contains { $0.verb == JournalVerb.erase.rawValue }
          }
      })
    var start = 0
    for frame in path.value.frames {
      if frame.events.contains(where: { $0.verb == JournalVerb.erase.rawValue }) {
        three.simulated.disk.rot(path.key, at: start + frame.length / 2, flipping: 4)
      }
      start += frame.length
    }
    let book = try three.open()
    #expect(try book.verifier.verify().remembered == 1)
    // An earlier copy of the log does not restore the record.
    _ = try book.replicator.sync(with: .file(late))
    #expect(try TrustingTests.names(book) == ["after", "one", "three"])
    #expect(try book.verifier.verify().bodiless == 0)
    _ = try book.replicator.sync(with: Office.directory)
    #expect(try book.verifier.verify().isWhole)
    #expect(try book.statusReader.digest() == books[0].statusReader.digest())
  }

  @Test func `Remembered trust: a record stays erased while the log of the eraser is missing`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", "three", seed: 1_009)
    let three = try office.place("three")
    let disk = three.simulated.disk
    func files(of name: String) throws -> [Path: [UInt8]] {
      let log = try books[2].deviceList.device(called: name).replica
      return disk.files.filter { $0.key.string.hasPrefix("/home/book/logs/\(log.hex)/") }
    }
    let unstripped = try files(of: "one")
    let list = try #require(try books[1].view().lists.lists().first { $0.name == "one" })
    _ = try books[1].eraser.erase(list.head.id)
    try TrustingTests.exchange(books)
    let (stripped, eraser) = (try files(of: "one"), try files(of: "two"))
    for path in Set(stripped.keys).union(eraser.keys) { try disk.remove(path) }
    // An earlier copy of the record's log is put back.
    for (path, bytes) in unstripped { try disk.replace(path, with: bytes) }
    let book = try three.open()
    #expect(try TrustingTests.names(book) == ["three"])
    #expect(try book.verifier.verify().bodiless == 0)
    _ = try book.replicator.sync(with: Office.directory)
    #expect(try TrustingTests.names(book) == ["three", "two"])
    #expect(try book.verifier.verify().isWhole)
    #expect(try book.statusReader.digest() == books[0].statusReader.digest())
  }
}
