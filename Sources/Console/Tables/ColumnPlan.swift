/// The space that a column of a table needs for its cells.
struct ColumnNeed: Sendable, Equatable {
  /// How the column becomes narrower: the rule of the first cell whose rule is not ``Giving/words``.
  var giving = Giving.words
  /// The width of the widest cell, in full and in the shorter forms of a date.
  private(set) var whole = 0
  private var (near, bare) = (0, 0)

  mutating func join(_ other: ColumnNeed) {
    if giving == .words { giving = other.giving }
    widen(to: other.whole, other.near, other.bare)
  }

  mutating func widen(to whole: Int, _ near: Int, _ bare: Int) {
    (self.whole, self.near, self.bare) = (
      max(self.whole, whole), max(self.near, near), max(self.bare, bare)
    )
  }

  func widest(in form: DateForm) -> Int {
    switch form {
    case .whole: whole
    case .near: near
    case .bare: bare
    }
  }
}

/// How a column becomes narrower if the terminal is too narrow for all columns.
enum Giving: Sendable {
  /// The column is cut, after the asides have shrunk or vanished.
  case words
  /// The column is the main content of the row, so it keeps half the terminal until other columns have vanished, and
  /// may extend over empty cells.
  case title
  /// The column shrinks first, and then vanishes.
  case aside
  /// The column is never cut, because part of an id or mark would have a different meaning.
  case never
}

/// How much of a date is shown, from the longest to the shortest form.
enum DateForm: Int, CaseIterable, Sendable {
  /// `due Sun 2026-11-01 (19 days ago)`
  case whole
  /// `due Sun 2026-11-01`
  case near
  /// `2026-11-01`
  case bare
}

/// The widths of the columns of a table.
struct ColumnPlan: Sendable {
  static let gap = 2
  /// Without a terminal width, a wider cell extends beyond its column instead of widening other rows.
  private static let most = 60
  /// The minimum width of an aside; a narrower aside is not useful enough to keep.
  static let leastAside = 12

  private let needs: [ColumnNeed]
  /// The width of the terminal; nil if nothing is cut.
  let columns: Int?
  private(set) var widths: [Int]
  private(set) var form = DateForm.whole

  init(_ needs: [ColumnNeed], fitting columns: Int?) {
    (self.needs, self.columns) = (needs, columns)
    widths = needs.map(\.whole)
    guard let columns else {
      widths = widths.map { min($0, Self.most) }
      return
    }
    // Titles first get half of the terminal, and later the space that remains after other columns have become
    // narrower.
    for place in places(.title) { widths[place] = min(widths[place], columns / 2) }
    shortenDates()
    shrinkAsides()
    for place in places(.title) {
      let free = max(0, -excess)
      widths[place] = min(needs[place].whole, widths[place] + free)
    }
    cutWords()
  }

  func isTitle(_ column: Int) -> Bool { needs[column].giving == .title }

  /// The width of all columns and gaps beyond the width of the terminal.
  private var excess: Int {
    widths.reduce(-Self.gap) { $1 > 0 ? $0 + $1 + Self.gap : $0 } - (columns ?? .max)
  }

  private func places(_ giving: Giving) -> [Int] {
    needs.indices.filter { needs[$0].giving == giving }
  }

  private mutating func shortenDates() {
    for shorter in DateForm.allCases.dropFirst() where excess > 0 {
      form = shorter
      for (place, need) in needs.enumerated() {
        widths[place] = min(widths[place], need.widest(in: shorter))
      }
    }
  }

  private mutating func shrinkAsides() {
    for place in places(.aside).reversed() where excess > 0 {
      widths[place] = max(min(widths[place], Self.leastAside), widths[place] - excess)
      if excess > 0 { widths[place] = 0 }
    }
  }

  /// Cuts columns, beginning with the widest, which is cut down to the width of the next widest.
  private mutating func cutWords() {
    let cut = places(.title) + places(.words)
    while excess > 0 {
      let widest = cut.map { widths[$0] }.max() ?? 0
      guard widest > 1, let place = cut.first(where: { widths[$0] == widest }) else { return }
      let next = cut.map { widths[$0] }.filter { $0 < widest }.max() ?? 1
      widths[place] -= min(excess, max(1, widest - max(1, next)))
    }
  }
}
