/// A row that can be told from the others of its result, and from what it was before.
package protocol KeyedRow: Equatable, Sendable {
  associatedtype RowID: Hashable, Sendable

  /// What stays the same while the row changes; no two rows of a result share it.
  var rowID: RowID { get }
}

/// Where a row stands in a result: in which section, and where in that.
///
/// Both count from 0.
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

/// What a section stands for, which also says where it stands among the others.
///
/// Sections are always in the order of their keys, so they come and go but never move. A section that is called
/// something else is another section, as it is to somebody who looks at the headings.
package struct SectionKey: Hashable, Comparable, Sendable {
  /// The first thing that orders sections.
  package var rank: Int64
  /// The second: a text in which upper and lower case are the same.
  package var order: String
  /// What stands above the section.
  package var title: String
  /// Tells sections apart that look the same, such as two lists of one name.
  package var tag: String

  package init(rank: Int64 = 0, order: String = "", title: String = "", tag: String = "") {
    self.rank = rank
    self.order = order
    self.title = title
    self.tag = tag
  }

  /// The key of the one section of a result that is not divided.
  package static let undivided = SectionKey()

  package static func < (left: SectionKey, right: SectionKey) -> Bool {
    (left.rank, left.order, left.title, left.tag)
      < (right.rank, right.order, right.title, right.tag)
  }
}

/// Some rows of a result under one heading.
package struct RowSection<Row: KeyedRow>: Equatable, Sendable {
  package var key: SectionKey
  package var rows: [Row]

  package init(_ key: SectionKey, _ rows: [Row] = []) {
    self.key = key
    self.rows = rows
  }
}

extension Array {
  /// Puts rows into sections, which are sorted by their keys; in each the rows keep their order.
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
