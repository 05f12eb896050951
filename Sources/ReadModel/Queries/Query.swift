package import Bytes
package import Domain
internal import SQLite

/// A question to the read model that can be asked again and again: which rows, in which order, how divided.
///
/// It names records by their ids, so it means the same to every read model of a book.
package struct Query<Row: QueryRow>: Hashable, Sendable {
  /// Which rows are asked for.
  package var subject: Row.Subject
  /// How they are sorted, in the whole result or in each section.
  package var order: Row.Order
  /// What divides them into sections, if anything does.
  package var division: Row.Division?

  package init(_ subject: Row.Subject, by order: Row.Order, in division: Row.Division? = nil) {
    self.subject = subject
    self.order = order
    self.division = division
  }

  /// The result before anything was found: without sections where there is something to divide by, and with
  /// one that is empty where there is not.
  package var nothing: [RowSection<Row>] {
    division == nil ? [RowSection(.undivided)] : []
  }
}

/// A row that live queries are made of.
package protocol QueryRow: KeyedRow where RowID == UniqueID {
  associatedtype Subject: Hashable, Sendable
  associatedtype Order: Hashable, Sendable
  associatedtype Division: Hashable, Sendable

  var head: RowHead { get }

  /// The kinds of documents that rows are made from: what no document of them brings about, changes no row.
  static var kinds: Set<Kind> { get }

  /// The rows asked for, sorted.
  static func rows(
    of subject: Subject, by order: Order, in tables: TableConnection
  ) throws(ReadModelError) -> [Self]

  /// The section in which the row stands.
  func section(in division: Division) -> SectionKey

  /// Whether documents that were touched may be part of the result, or be missing in it, of all that is not
  /// in it now; to say yes is always right.
  static func mayBring(
    _ touched: Touched.Documents, of subject: Subject, in tables: TableConnection
  ) throws(ReadModelError) -> Bool

  /// The same row without the keys of events, which count in one read model only.
  var withoutKeys: Self { get }
}

extension QueryRow {
  package var rowID: UniqueID { head.id }

  package static func mayBring(
    _ touched: Touched.Documents, of subject: Subject, in tables: TableConnection
  ) throws(ReadModelError) -> Bool { true }
}

/// Stands where rows cannot be divided.
package enum NoDivision: Hashable, Sendable {}

extension QueryRow where Division == NoDivision {
  package func section(in division: NoDivision) -> SectionKey {}
}

/// Stands where there is one order only, the one of the row's own lists.
package enum UsualOrder: Hashable, Sendable {
  case usual
}

extension RowHead {
  var withoutKey: RowHead {
    RowHead(
      key: .none, id: id, addedAt: addedAt, isDisputed: isDisputed, note: note, tags: tags)
  }
}

extension EventKey {
  /// Names no event: they count from 1.
  static let none = EventKey(log: 0, sequence: 0)
}
