extension ForeignSettings {
  /// The limits for reading, in any format.
  ///
  /// A reader checks limits before it spends memory or time, so a hostile file costs no more than its size justifies.
  package struct Limits: Sendable {
    package var fileBytes = 64 << 20
    /// The maximum size of a line, text or value.
    package var fieldBytes = 1 << 20
    /// The maximum size of the name of a kept column or property.
    package var nameBytes = 1 << 10
    /// The maximum depth of nesting.
    package var depth = 64
    package var records = 200_000
    /// The maximum number of properties of a record, or of columns of a table.
    package var properties = 10_000
    /// The maximum number of faults to keep, and the maximum number of remarks.
    ///
    /// Beyond that, faults and remarks are only counted.
    package var faults = 10_000

    package init() {}

    /// Allows larger files, with more and longer records.
    package mutating func raise() {
      fileBytes *= Self.raise
      fieldBytes *= Self.raise
      records *= Self.raise
    }

    private static let raise = 16

    /// Returns whether ``raise()`` would raise a limit that was exceeded.
    package static func canRaise(_ limit: Int) -> Bool {
      let usual = Limits()
      return [usual.fileBytes, usual.fieldBytes, usual.records].contains(limit)
    }
  }
}

/// The total memory that the unpacked parts of a file may use.
///
/// In most files, each byte represents itself. If a few bytes expand to many, such as a reference to a shared string or
/// the default value of a column, this budget stops the reader before memory runs out.
struct UnpackingBudget {
  /// The approximate overhead of one part, in addition to its bytes.
  static let partBytes = 24

  let limit: Int
  private var spent = 0

  /// Creates the budget for a file, which is eight times its size plus 32 MiB.
  init(fileBytes: Int) { limit = 32 << 20 + 8 * fileBytes }

  /// Charges a part to the budget.
  ///
  /// - Parameter bytes: The size of the part.
  /// - Returns: Whether the budget was sufficient.
  mutating func spend(_ bytes: Int) -> Bool {
    spent += Self.partBytes + bytes
    return spent <= limit
  }
}
