package import Bytes
package import Domain
internal import SQLite

/// A live query, which states the rows of the result, their order, and their division into sections.
///
/// A query identifies records by their ids, so it has the same meaning in every read model of a book.
package struct Query<Row: QueryRow>: Hashable, Sendable {
  /// The subject, which determines the rows of the result.
  package var subject: Row.Subject
  /// The order of the rows, in the whole result or in each section.
  package var order: Row.Order
  /// The division of the rows into sections; nil for one undivided section.
  package var division: Row.Division?

  package init(_ subject: Row.Subject, by order: Row.Order, in division: Row.Division? = nil) {
    self.subject = subject
    self.order = order
    self.division = division
  }

  /// The empty result: no sections if the query has a division, otherwise one empty section.
  package var nothing: [RowSection<Row>] {
    division == nil ? [RowSection(.undivided)] : []
  }
}

/// A row of a live query.
package protocol QueryRow: KeyedRow where RowID == UniqueID {
  associatedtype Subject: Hashable, Sendable
  associatedtype Order: Hashable, Sendable
  associatedtype Division: Hashable, Sendable

  var head: RowHead { get }

  /// The kinds of documents that rows are made from; changes to other kinds change no row.
  static var kinds: Set<Kind> { get }

  /// The rows of a subject, sorted.
  static func rows(
    of subject: Subject, by order: Order, in tables: TableConnection
  ) throws(ReadModelError) -> [Self]

  /// The section that the row belongs to.
  func section(in division: Division) -> SectionKey

  /// Whether touched documents, none of which is a row of the current result, may change the result.
  ///
  /// `true` is always a correct answer.
  static func mayBring(
    _ touched: Touched.Documents, of subject: Subject, in tables: TableConnection
  ) throws(ReadModelError) -> Bool

  /// The same row without event keys, which are valid only in one read model.
  var withoutKeys: Self { get }
}

extension QueryRow {
  package var rowID: UniqueID { head.id }

  package static func mayBring(
    _ touched: Touched.Documents, of subject: Subject, in tables: TableConnection
  ) throws(ReadModelError) -> Bool { true }
}

/// The division for rows that cannot be divided into sections.
package enum NoDivision: Hashable, Sendable {}

extension QueryRow where Division == NoDivision {
  package func section(in division: NoDivision) -> SectionKey {}
}

/// The order for rows that have only one possible order.
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
  /// The key of no event; the sequences of events begin at 1.
  static let none = EventKey(log: 0, sequence: 0)
}
