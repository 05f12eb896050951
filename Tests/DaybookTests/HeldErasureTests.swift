import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// Erasures of more than a few records by another device await the user's acceptance.
struct HeldErasureTests {
  static let day: Int64 = 24 * 60 * 60 * 1000

  /// Machines of one book that all have some lists of the first machine.
  static func office(
    _ names: String..., lists: Int, seed: UInt64
  ) throws -> (office: Office, ids: [UniqueID]) {
    let (office, _) = try TrustingTests.office(of: names, seed: seed)
    let ids = try add(lists, to: office.books[0])
    try exchange(office.books)
    return (office, ids)
  }

  static func add(_ lists: Int, to book: Book, called name: String = "Geheim") throws -> [UniqueID]
  {
    try (0..<lists).map { number in
      let added = try book.commands.perform(.addList(name: "\(name) \(number)", colour: nil))
      return try #require(added.changes.first).document.id
    }
  }

  static func erase(_ ids: some Sequence<UniqueID>, by book: Book) throws {
    for id in ids { _ = try book.eraser.erase(id) }
  }

  static func exchange(_ books: [Book]) throws { try TrustingTests.exchange(books) }

  @discardableResult static func sync(_ books: Book...) throws -> Receipt {
    try books.map { try $0.replicator.sync(with: Office.directory) }[books.count - 1]
  }

  /// The number of the test's lists that a book shows.
  static func shown(_ book: Book) throws -> Int {
    try TrustingTests.names(book).count { $0.hasPrefix("Geheim") }
  }

  static func held(_ book: Book) throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try book.held.heldErasures().map { ($0.device, $0.records) })
  }

  static func onDisk(_ place: Office.Place) -> Bool {
    !place.simulated.disk.holding(["Geheim"]).isEmpty
  }

  /// Expects that all books agree, and that each equals the same book after reopening.
  static func expectAgreement(_ office: Office, on lists: Int) throws {
    for place in office.places {
      let book = try #require(place.book)
      #expect(try shown(book) == lists)
      #expect(try book.verifier.verify().faults == [])
      #expect(try book.statusReader.status().missing.isEmpty)
      #expect(try held(book) == [:])
      let anew = try place.open()
      #expect(try TrustingTests.names(anew) == TrustingTests.names(book))
      #expect(try anew.statusReader.digest() == book.statusReader.digest())
    }
    #expect(Set(try office.books.map { try $0.statusReader.digest() }).count == 1)
  }

  // MARK: The limit

  @Test func `Held erasure: ten records erased by another device are erased at once`() throws {
    let (office, ids) = try Self.office("one", "two", lists: 10, seed: 1001)
    try Self.erase(ids, by: office.books[1])
    let receipt = try Self.sync(office.books[1], office.books[0])
    #expect(receipt.held == [])
    #expect(!Self.onDisk(office.places[0]))
    try Self.exchange(office.books)
    try Self.expectAgreement(office, on: 0)
  }

  @Test func `Held erasure: eleven records erased by another device stay until accepted`() throws {
    let (office, ids) = try Self.office("one", "two", lists: 11, seed: 1002)
    let (one, two) = (office.books[0], office.books[1])
    try Self.erase(ids, by: two)
    _ = try two.commands.perform(.addList(name: "Harmless", colour: nil))
    let receipt = try Self.sync(two, one)
    #expect(receipt.held.map(\.device) == ["two"] && receipt.held.map(\.records) == [11])
    #expect(try Self.shown(one) == 11 && Self.shown(two) == 0)
    #expect(Self.onDisk(office.places[0]))
    // All other received events count.
    #expect(try TrustingTests.names(one).contains("Harmless"))
    #expect(try one.statusReader.digest() != two.statusReader.digest())
    #expect(try one.verifier.verify().faults == [])
    #expect(try one.statusReader.status().missing.isEmpty)
    let records = try one.held.heldRecords()
    #expect(records.map(\.title) == (0..<11).map { "Geheim \($0)" })
    #expect(Set(records.compactMap(\.id)) == Set(ids))
    #expect(Set(records.map(\.device)) == ["two"] && records.allSatisfy { $0.time != nil })
  }

  @Test func `Held erasure: a device's own erasures pass in any number`() throws {
    let (office, ids) = try Self.office("one", "two", lists: 12, seed: 1003)
    let two = office.books[1]
    try Self.erase(ids.prefix(6), by: two)
    _ = try two.admin.rekey()
    try Self.erase(ids.dropFirst(6), by: two)
    try Self.sync(two)
    #expect(try Self.held(two) == [:])
    #expect(try Self.shown(two) == 0)
    let anew = try office.places[1].open()
    #expect(try Self.held(anew) == [:])
  }

  @Test func `Held erasure: erasures of all devices in a day are counted together`() throws {
    let (office, ids) = try Self.office("one", "two", "three", lists: 16, seed: 1004)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    for (place, left) in [(0, 12), (4, 8)] {
      try Self.erase(ids[place..<place + 4], by: [two, three][place / 4])
      try Self.sync(two, three, one)
      #expect(try Self.shown(one) == left)
    }
    try Self.erase(ids[8..<12], by: two)
    try Self.sync(two, one)
    #expect(try Self.held(one) == ["two": 4])
    #expect(try Self.shown(one) == 8)
    // Held erasures remain held, but on the next day, other devices may erase a few records.
    office.places[0].simulated.timekeeper.advance(milliseconds: Self.day + 1)
    try Self.sync(one)
    #expect(try Self.held(one) == ["two": 4])
    try Self.erase(ids[12..<14], by: three)
    try Self.sync(three, one)
    #expect(try Self.held(one) == ["two": 4])
    #expect(try Self.shown(one) == 6)
    // A device with held erasures cannot erase more records, however few.
    try Self.erase(ids[14..<15], by: two)
    try Self.sync(two, one)
    #expect(try Self.held(one) == ["two": 5])
    _ = try one.held.acceptErasures()
    try Self.erase(ids[15...], by: three)
    try Self.exchange(office.books)
    #expect(try Self.held(two) == [:] && Self.held(one) == [:])
    for book in [two, three] { _ = try book.held.acceptErasures() }
    try Self.exchange(office.books)
    try Self.expectAgreement(office, on: 0)
  }

  @Test
  func `Held erasure: a record that two devices erase counts once, and a local erase releases it`()
    throws
  {
    let (office, ids) = try Self.office("one", "two", "three", lists: 11, seed: 1005)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    try Self.erase(ids, by: two)
    try Self.erase(ids.prefix(3), by: three)
    try Self.sync(two, three, one)
    #expect(try Self.held(one) == ["two": 11, "three": 3])
    #expect(try one.held.heldRecords().count == 11)
    try Self.erase(ids.prefix(1), by: one)
    #expect(try Self.shown(one) == 10)
    #expect(try Self.held(one) == ["two": 10, "three": 2])
  }

  // MARK: Accepting

  @Test func `Held erasure: after acceptance all devices agree and no disk has them`() throws {
    let (office, ids) = try Self.office("one", "two", "three", lists: 12, seed: 1006)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    try Self.erase(ids, by: two)
    try Self.exchange([one, two])
    let report = try one.held.acceptErasures(of: one.deviceList.device(called: "two"))
    #expect(report.records == 12 && report.bodies == 12)
    #expect(!Self.onDisk(office.places[0]))
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    // The third device receives the logs from two devices that have stripped them, and its user has not been asked yet.
    try Self.exchange(office.books)
    #expect(try Self.held(three) == ["two": 12])
    #expect(try Self.shown(three) == 12)
    #expect(try three.statusReader.digest() != one.statusReader.digest())
    #expect(try one.held.acceptErasures().records == 0)
    _ = try three.held.acceptErasures()
    try Self.exchange(office.books)
    for place in office.places { #expect(!Self.onDisk(place)) }
    try Self.expectAgreement(office, on: 0)
    // The user of a device that joins now is not asked, because it never had the erased records.
    let four = try office.join("four")
    try office.exchange()
    #expect(try Self.held(four) == [:])
    try Self.exchange(office.books)
    try Self.expectAgreement(office, on: 0)
  }

  @Test func `Held erasure: events that arrive stripped give the same entries as a full reading`()
    throws
  {
    let (office, ids) = try Self.office("one", "two", "three", lists: 11, seed: 1029)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    let known = try three.historyReader.entries()
    let name = Request.Assignment(Field.List.name, .value(.text("Geheim too")))
    _ = try one.commands.perform(.edit(ids[0], [name]))
    try Self.sync(one, two)
    try Self.erase(ids, by: two)
    try Self.sync(two, one)
    _ = try one.held.acceptErasures()
    try Self.sync(one, two, one, three)
    #expect(try Self.held(three) == ["two": 11])
    #expect(try three.historyReader.history().entries.filter(\.isErased).count == 1)
    func entries(_ list: EntryList) -> [EntryList.Entry] {
      (1...list.count).compactMap(list.entry)
    }
    let all = try three.historyReader.entries()
    #expect(all.count == known.count + 1)
    #expect(try entries(three.historyReader.entries(after: known)) == entries(all))
  }

  @Test func `Held erasure: accepting one device's erasures leaves another's held`() throws {
    let (office, ids) = try Self.office("one", "two", "three", lists: 24, seed: 1007)
    let one = office.books[0]
    try Self.erase(ids.prefix(12), by: office.books[1])
    try Self.erase(ids.suffix(12), by: office.books[2])
    try Self.sync(office.books[1], office.books[2], one)
    #expect(try Self.held(one) == ["two": 12, "three": 12])
    _ = try one.held.acceptErasures(of: one.deviceList.device(called: "two"))
    #expect(try Self.held(one) == ["three": 12])
    #expect(try Self.shown(one) == 12)
    #expect(try Self.held(office.places[0].open()) == ["three": 12])
  }

  @Test func `Held erasure: a question counts once, and acceptance erases its choices too`() throws
  {
    let (office, _) = try Self.office("one", "two", lists: 0, seed: 1008)
    let (one, two) = (office.books[0], office.books[1])
    let ids = try (0..<11).map { number in
      let added = try one.commands.perform(
        .addQuestion(content: "Geheim \(number)", choices: [("Geheim a", 1), ("Geheim b", 2)]))
      return try #require(added.changes.first { $0.document.kind == .question }).document.id
    }
    try Self.exchange(office.books)
    try Self.erase(ids.prefix(10), by: two)
    try Self.sync(two, one)
    #expect(try Self.held(one) == [:])
    #expect(try one.view().questions.questions().count == 1)
    try Self.erase(ids.suffix(1), by: two)
    try Self.sync(two, one)
    #expect(try Self.held(one) == ["two": 1])
    #expect(try one.held.acceptErasures().records == 3)
    try Self.expectAgreement(office, on: 0)
  }
}
