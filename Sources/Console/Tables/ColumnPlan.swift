/// What a column of a table needs, by its cells.
struct ColumnNeed: Sendable, Equatable {
  /// How it gives way where a terminal is too narrow; of the first cell that is not plain words.
  var giving = Giving.words
  /// How wide the widest cell is as it is, and in the shorter forms that a date takes.
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

/// How a column gives way where the terminal is too narrow for all of them.
enum Giving: Sendable {
  /// It is cut after those that vanish.
  case words
  /// It is what the row is about: it keeps half the terminal until others are gone, and may extend over empty cells.
  case title
  /// It shrinks first, and then vanishes.
  case aside
  /// It is never cut, as an id or a mark would mean something else then.
  case never
}

/// How much of a date is shown, from all to the least.
enum DateForm: Int, CaseIterable, Sendable {
  /// `due Sun 2026-11-01 (19 days ago)`
  case whole
  /// `due Sun 2026-11-01`
  case near
  /// `2026-11-01`
  case bare
}

/// How wide each column of a table is.
struct ColumnPlan: Sendable {
  static let gap = 2
  /// A cell that is wider stands out of its column where no terminal ends, and does not push the rows of others.
  private static let most = 60
  /// An aside that would be narrower says too little to be worth its place.
  private static let leastAside = 12

  private let needs: [ColumnNeed]
  /// How wide the terminal is; nil where nothing is cut.
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
    // What the titles may claim; what is left when others have given way is theirs, too.
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

  /// By how much the columns and the gaps between them exceed the terminal.
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

  /// The widest gives way first, as far as the next.
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
