/// A row with an identity that does not change when its content changes.
package protocol KeyedRow: Equatable, Sendable {
  associatedtype RowID: Hashable, Sendable

  /// The identity of the row, unique within a result.
  var rowID: RowID { get }
}

/// The place of a row in a result: its section and its index in the section, both from 0.
package struct RowPlace: Hashable, Comparable, Sendable {
  package var section: Int
  package var row: Int

  package init(_ section: Int, _ row: Int) {
    self.section = section
    self.row = row
  }

  package static func < (left: RowPlace, right: RowPlace) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// The identity of a section, which also determines its place among the others.
///
/// Sections are always sorted by key, so they are inserted and removed but never move. A section with a different
/// title is a different section.
package struct SectionKey: Hashable, Comparable, Sendable {
  /// The first criterion by which sections are sorted.
  package var rank: Int64
  /// The second sort criterion: folded text, or empty.
  package var order: String
  /// The heading of the section; the third sort criterion.
  package var title: String
  /// Distinguishes sections that look the same, such as two lists with the same name.
  package var tag: String

  package init(rank: Int64 = 0, order: String = "", title: String = "", tag: String = "") {
    self.rank = rank
    self.order = order
    self.title = title
    self.tag = tag
  }

  /// The key of the only section of an undivided result.
  package static let undivided = SectionKey()

  package static func < (left: SectionKey, right: SectionKey) -> Bool {
    (left.rank, left.order, left.title, left.tag)
      < (right.rank, right.order, right.title, right.tag)
  }
}

/// The rows of a result under one heading.
package struct RowSection<Row: KeyedRow>: Equatable, Sendable {
  package var key: SectionKey
  package var rows: [Row]

  package init(_ key: SectionKey, _ rows: [Row] = []) {
    self.key = key
    self.rows = rows
  }
}

extension Array {
  /// Groups rows into sections, sorted by key; the rows of a section keep their order.
  package static func sections<Row: KeyedRow>(
    of rows: [Row], by key: (Row) -> SectionKey
  ) -> [RowSection<Row>] where Element == RowSection<Row> {
    var places: [SectionKey: Int] = [:]
    var sections: [RowSection<Row>] = []
    for row in rows {
      let key = key(row)
      if let place = places[key] {
        sections[place].rows.append(row)
      } else {
        places[key] = sections.count
        sections.append(RowSection(key, [row]))
      }
    }
    return sections.sorted { $0.key < $1.key }
  }
}
