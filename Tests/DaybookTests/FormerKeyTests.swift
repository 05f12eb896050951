import Bytes
import Daybook
import Interchange
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// The events under a former key that a device still shows.
struct FormerKeyTests {
  /// The past of a device before it took a new key.
  enum Past: CaseIterable {
    /// Nothing happened to it.
    case plain
    /// Its disk was copied, and both copies wrote to the same log.
    case fork
    /// Its book was copied to another machine, which began a log under the same key.
    case clone
    /// A backup was restored, and the device wrote after that.
    case restore
  }

  private enum Deed: CaseIterable {
    case rekey, revokeOldKey, firstSyncs, secondSyncs, firstAdmits
  }

  /// Two devices, the second of which has a past, and the copy that writes under its key, if any.
  private struct Story {
    let office: Office
    let one: Book
    let place: Office.Place
    let twin: Book?
    var two: Book { get throws { try #require(place.book) } }
  }

  private static func begin(_ past: Past, seed: UInt64) throws -> Story {
    let (office, books) = try TrustingTests.office("one", "two", seed: seed)
    let place = try office.place("two")
    var twin: Book?
    switch past {
    case .plain: try TrustingTests.add("mine", to: books[1])
    case .clone:
      let copy = try office.clone("two", as: "copy")
      try TrustingTests.add("theirs", to: copy)
      try TrustingTests.add("mine", to: books[1])
      _ = try copy.replicator.sync(with: Office.directory)
      twin = copy
    case .fork:
      _ = try office.clone("two", as: "copy")
      let machine = try office.place("copy").machine
      try machine.disk.replace(Path("/etc/machine-id"), with: Array("two \(seed)\n".utf8))
      let forked = try office.place("copy").open()
      try TrustingTests.add("theirs", to: forked)
      try TrustingTests.add("mine", to: books[1])
      _ = try forked.replicator.sync(with: Office.directory)
      _ = try books[1].replicator.sync(with: Office.directory)
      twin = forked
    case .restore:
      let backup = place.simulated.disk.files
      try TrustingTests.add("lost", to: books[1])
      _ = try books[1].replicator.sync(with: Office.directory)
      for (path, bytes) in backup { try place.machine.disk.replace(path, with: bytes) }
      for path in place.simulated.disk.files.keys where backup[path] == nil {
        try place.machine.disk.remove(path)
      }
      place.book = try place.open()
      try TrustingTests.add("mine", to: try #require(place.book))
      _ = try place.book?.replicator.sync(with: Office.directory)
    }
    try TrustingTests.add("new log", to: try #require(place.book))
    return Story(office: office, one: books[0], place: place, twin: twin)
  }

  private static func orders(_ deeds: [Deed]) -> [[Deed]] {
    guard deeds.count > 1 else { return [deeds] }
    return deeds.indices.flatMap { place in
      var rest = deeds
      let first = rest.remove(at: place)
      return orders(rest).map { [first] + $0 }
    }
  }

  /// Everything that a book shows.
  private static func contents(of book: Book) throws -> [String] {
    try book.exporter.exportOperations(.state).map(\.line).sorted()
  }

  @Test(arguments: Past.allCases)
  func `Former key: after any order of rekey, revocation and syncs, books agree`(
    past: Past
  ) throws {
    var hidden = 0
    for (number, order) in Self.orders(Deed.allCases).enumerated() {
      let story = try Self.begin(past, seed: 8_400 + UInt64(number))
      let key = try #require(try story.two.deviceList.devices().first(where: \.isThis)).fingerprint
      let words = key.joined(separator: "-")
      var told: UInt64 = 0
      func sync(_ book: Book, _ admission: Admission = .never) throws {
        let receipt = try book.replicator.sync(with: Office.directory, admission: admission)
        if book === (try story.two) { told += receipt.hidden }
      }
      for deed in order {
        switch deed {
        case .rekey: _ = try story.two.admin.rekey()
        case .revokeOldKey:
          _ = try story.one.revoker.revoke(try story.one.deviceList.device(called: words))
        case .firstSyncs: try sync(story.one)
        case .secondSyncs: try sync(story.two)
        case .firstAdmits: try sync(story.one, .always)
        }
      }
      for _ in 0..<3 {
        try sync(story.two)
        try sync(story.one, .always)
        if let twin = story.twin { try sync(twin) }
      }
      let books = [story.one, try story.two]
      #expect(try story.two.statusReader.status().isAdmitted, "\(order)")
      #expect(try books[0].statusReader.digest() == books[1].statusReader.digest(), "\(order)")
      #expect(try Self.contents(of: books[0]) == Self.contents(of: books[1]), "\(order)")
      #expect(try story.two.statusReader.status().shownAlone == 0)
      // Events that are no longer shown were reported by a sync or when the key was replaced.
      let names = try TrustingTests.names(story.two)
      let lost = ["mine", "new log"].filter { !names.contains($0) }
      #expect(try story.two.statusReader.status().hidden >= UInt64(lost.count), "\(order)")
      if !lost.isEmpty { hidden += 1 }
      let all = try story.two.exporter.exportOperations(.uncounted).map(\.line).joined(
        separator: "\n")
      for name in lost { #expect(all.contains("\"\(name)\"")) }
    }
    #expect(hidden >= 20)
  }

  @Test
  func `Former key: events that its revocation hides are counted, and an import restores them`()
    throws
  {
    let story = try Self.begin(.plain, seed: 8_391)
    let old = try #require(try story.two.deviceList.devices().first(where: \.isThis)).fingerprint
    _ = try story.two.admin.rekey()
    _ = try story.one.revoker.revoke(
      try story.one.deviceList.device(called: old.joined(separator: "-")))
    _ = try story.one.replicator.sync(with: Office.directory)
    let receipt = try story.two.replicator.sync(with: Office.directory)
    #expect(receipt.hidden == 2)
    #expect(receipt.uncounted == [])
    #expect(try TrustingTests.names(story.two) == ["one", "two"])
    let lines = try story.two.exporter.exportOperations(.uncounted).map(\.line)
    _ = try story.two.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    #expect(try TrustingTests.names(story.two) == ["mine", "new log", "one", "two"])
    let status = try story.two.statusReader.status()
    #expect(status.shownAlone == 2)
    #expect(status.hidden == 0)
    _ = try story.two.replicator.sync(with: Office.directory)
    _ = try story.one.replicator.sync(with: Office.directory, admission: .always)
    let last = try story.two.replicator.sync(with: Office.directory)
    #expect(last.hidden == 0)
    #expect(last.shownAlone == 0)
    #expect(try Self.contents(of: story.one) == Self.contents(of: story.two))
    #expect(try TrustingTests.names(story.one) == ["mine", "new log", "one", "two"])
  }

  @Test func `Former key: a waiting device shows the events of all logs of its key`() throws {
    let (office, books) = try TrustingTests.office("one", seed: 8_392)
    let waiting = try office.join("two")
    try TrustingTests.add("first", to: waiting)
    let place = try office.place("two")
    for name in ["second", "third"] {
      // A copy writes to the same log, so the device abandons the log.
      let copy = try office.place("copy \(name)")
      for (path, bytes) in place.simulated.disk.files {
        try copy.machine.disk.makeDirectories(path.parent)
        try copy.machine.disk.replace(path, with: bytes)
      }
      try TrustingTests.add("theirs", to: try copy.open())
      _ = try copy.open().replicator.sync(with: Office.directory)
      try TrustingTests.add("before \(name)", to: waiting)
      _ = try waiting.replicator.sync(with: Office.directory)
      try TrustingTests.add(name, to: waiting)
    }
    let own = ["before second", "before third", "first", "one", "second", "third"]
    #expect(try TrustingTests.names(waiting).filter { $0 != "theirs" } == own)
    #expect(try place.open().view().lists.lists().count == own.count)
    #expect(try waiting.statusReader.status().shownAlone == 5)
    #expect(try waiting.statusReader.digest() == books[0].statusReader.digest())
    _ = try waiting.admin.rekey()
    #expect(try TrustingTests.names(waiting) == ["one"])
    #expect(try waiting.statusReader.status().hidden == 5)
    #expect(try waiting.statusReader.status().shownAlone == 0)
  }

  @Test func `Former key: the book file returns the earlier logs that were written to it`() throws {
    var file = BookFile(book: UniqueID(high: 1, low: 0), device: "desk")
    let places = (1...2).map {
      Landmark(log: UniqueID(high: 1, low: 0), sequence: $0, hash: UniqueID(high: 2, low: 0))
    }
    file.earlier = [UniqueID(high: 2, low: 0): places]
    #expect(try BookFile(parsing: file.bytes).earlier == file.earlier)
    #expect(try BookFile(parsing: file.bytes).bytes == file.bytes)
    let text = String(decoding: file.bytes, as: UTF8.self)
    let broken = Array(text.replacing("\"sequence\": 1", with: "\"sequence\": -1").utf8)
    #expect(throws: BookFileError.missing("earlier")) { try BookFile(parsing: broken) }
  }
}
