import Bytes
import Daybook
import Domain
import Journaling
import ReadModel
import TestDice
import Testing

/// The real edit history, replayed by authors who rarely sync.
@Suite(.enabled(if: Congress.isHere, "the data beside the repository is missing"))
struct AuthorsConflictsTests {
  /// A field of a record, or the existence of the record if there is no field.
  private struct Place: Hashable {
    var record: UniqueID
    var field: Field?
  }

  private static let known: [Field] = [
    Field.Birthday.firstName, Field.Birthday.lastName, Field.Birthday.birthdate,
  ]

  /// Plays short runs on a few records on the machines of their authors; most syncs are left out.
  private func play(_ office: Office, _ dice: inout Dice) throws {
    let changes = try Congress.changes()
    let short = Congress.runs(of: changes).filter { $0.changes.count == 1 }
    let ids = Set(short.flatMap(\.changes).map(\.id))
    let runs = Congress.runs(of: changes.filter { ids.contains($0.id) })
    let founder = try office.found(runs[0].author)
    _ = try founder.importer.importOperations(runs[0].source)
    _ = try founder.replicator.sync(with: Office.directory)
    for author in Set(runs.map(\.author)).sorted() { _ = try office.join(author) }
    for _ in 0..<2 { try office.exchange() }
    for run in runs.dropFirst() {
      let book = try office.join(run.author)
      // Records that the author's book does not have are added. Invalid operations are skipped.
      _ = try book.importer.importOperations(run.source)
      for other in office.books where other !== book && dice.chance(20) {
        // Other devices edit the records that they have without having seen these changes.
        try correct(other, &dice)
      }
      if dice.chance(15) { _ = try book.replicator.sync(with: Office.directory) }
    }
  }

  /// Changes or deletes a random record.
  private func correct(_ book: Book, _ dice: inout Dice) throws {
    let rows = try book.view().birthdays.birthdays().sorted { $0.head.id < $1.head.id }
    guard let row = dice.pick(rows) else { return }
    if dice.chance(10) {
      _ = try book.commands.perform(.delete([row.head.id]))
      return
    }
    let field = dice.chance(50) ? Field.Birthday.firstName : Field.Birthday.lastName
    let value = Value.text("corrected \(dice.number(3))")
    _ = try book.commands.perform(.edit(row.head.id, [.init(field, .value(value))]))
  }

  /// The expected conflicts, computed only from the events by comparing every pair.
  private func expected(_ book: Book) throws -> Set<Place> {
    let history = try book.historyReader.history()
    let causality = try book.view().logs.causality()
    var writes: [Place: [(entity: EventKey, key: EventKey, value: Value)]] = [:]
    var lives: [UniqueID: [(entity: EventKey, key: EventKey, verb: Verb)]] = [:]
    for entry in history.entries {
      guard let document = entry.document, document.isAlive else { continue }
      let fact = entry.fact
      let entity = if case .entity(let key) = fact.body.target { key } else { fact.key }
      lives[document.id, default: []].append((entity, fact.key, fact.body.verb))
      for write in fact.body.writes where Self.known.contains(write.field) {
        writes[Place(record: document.id, field: write.field), default: []]
          .append((entity, fact.key, write.value))
      }
    }
    func sees(_ left: EventKey, _ right: EventKey) -> Bool {
      causality.past(of: left, includes: right)
    }
    var places = Set(
      writes.filter { _, all in
        let left = all.filter { write in
          !all.contains { $0.entity == write.entity && sees($0.key, write.key) }
        }
        return Set(left.map(\.value)).count > 1
      }.keys)
    for (record, events) in lives {
      let isOpen = events.contains { delete in
        delete.verb == .delete
          && events.contains { giver in
            giver.verb != .delete && giver.entity == delete.entity
              && causality.areConcurrent(delete.key, giver.key)
              && !events.contains {
                $0.verb != .add && sees($0.key, delete.key) && sees($0.key, giver.key)
              }
          }
      }
      if isOpen { places.insert(Place(record: record, field: nil)) }
    }
    return places
  }

  private func told(_ book: Book) throws -> Set<Place> {
    Set(
      try book.conflictReader.conflicts().map { conflict in
        if case .field(let field) = conflict.subject {
          return Place(record: conflict.document.id, field: field)
        }
        return Place(record: conflict.document.id, field: nil)
      })
  }

  @Test(arguments: [UInt64(1)])
  func `Edit history: all concurrent edits are conflicts, and one device settles them for all`(
    seed: UInt64
  ) throws {
    let office = Office(seed: 820 + seed)
    var dice = Dice(seed: seed)
    try play(office, &dice)
    for _ in 0..<2 { try office.exchange() }
    #expect(Set(try office.books.map { try $0.statusReader.digest() }).count == 1)
    let wanted = try expected(office.books[0])
    #expect(wanted.contains { $0.field != nil } && wanted.contains { $0.field == nil })
    for book in office.books { #expect(try told(book) == wanted) }

    let settler = try #require(office.books.last)
    for conflict in try settler.conflictReader.conflicts() {
      let side = conflict.sides[dice.number(conflict.sides.count)]
      switch conflict.subject {
      case .life:
        let isKept = side.content == .edited
        _ = try settler.commands.perform(.settleLife(conflict.document.id, isKept: isKept))
      case .field(let field):
        // The record may just have been deleted by another settlement.
        guard
          try settler.conflictReader.conflicts().contains(where: {
            $0.document.id == conflict.document.id
          })
        else { continue }
        let writer = side.writers[0]
        _ = try settler.commands.perform(.settle(conflict.document.id, field, .written(by: writer)))
      }
    }
    #expect(try settler.conflictReader.conflicts().isEmpty)
    try office.exchange()
    for book in office.books {
      #expect(try told(book) == [])
      #expect(try expected(book) == [])
    }
    #expect(Set(try office.books.map { try $0.statusReader.digest() }).count == 1)
  }
}
