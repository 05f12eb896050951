extension ForeignSettings {
  /// The most that is taken of anything, whatever the format.
  ///
  /// A reader looks at them before it spends memory or time, so that a file of a stranger costs no more than its
  /// size warrants.
  package struct Limits: Sendable {
    package var fileBytes = 64 << 20
    /// The longest line, text or value.
    package var fieldBytes = 1 << 20
    /// The longest name of a column or property that is kept.
    package var nameBytes = 1 << 10
    /// How many levels may lie within one another.
    package var depth = 64
    package var records = 200_000
    /// How many properties a record may have, and a table columns.
    package var properties = 10_000
    /// How many faults and how many remarks are kept; the others are counted.
    package var faults = 10_000

    package init() {}

    /// Takes larger files, with more and longer records.
    package mutating func raise() {
      fileBytes *= Self.raise
      fieldBytes *= Self.raise
      records *= Self.raise
    }

    private static let raise = 16

    /// Whether ``raise()`` would help where a limit is met.
    package static func canRaise(_ limit: Int) -> Bool {
      let usual = Limits()
      return [usual.fileBytes, usual.fieldBytes, usual.records].contains(limit)
    }
  }
}

/// What the parts of a file may take together once they are unpacked.
///
/// In most files each byte stands for itself. Where a few bytes stand for many, as by a reference to a text that is there
/// once, or by the default of a column, this ends the reading before memory does.
struct UnpackingBudget {
  /// What the book-keeping of a part takes, roughly, beside its bytes.
  static let partBytes = 24

  let limit: Int
  private var spent = 0

  /// The budget for a file, which is enough for all that is as long in memory as in the file, eight times over.
  init(fileBytes: Int) { limit = 32 << 20 + 8 * fileBytes }

  /// Takes the bytes of a part from the budget.
  ///
  /// - Returns: Whether there was as much left.
  mutating func spend(_ bytes: Int) -> Bool {
    spent += Self.partBytes + bytes
    return spent <= limit
  }
}
