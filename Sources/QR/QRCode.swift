/// A QR code (ISO/IEC 18004): a text as a square of dark and light modules that a camera can read.
///
/// This implementation is used instead of libqrencode, which Debian provides only as a shared library, because the
/// released program does not load shared libraries. Texts consist of digits, capitals, spaces and `$%*+-./:`. Two of
/// these characters take 11 bits; other characters would need 8 bits each.
package struct QRCode: Sendable {
  let version: QRVersion
  let level: QRLevel
  private let grid: QRGrid

  /// Creates the smallest code for a text, at the highest level that does not enlarge the code; nil if a character is
  /// not one of the 45, or the text is too long for the largest code.
  ///
  /// A screen has no tears or stains, so the lowest level is sufficient, and large modules can be read from a greater
  /// distance.
  package init?(_ text: String) {
    guard let values = QRPayload.values(of: text) else { return nil }
    let fitting = QRVersion.allCases.lazy.compactMap { version in
      QRLevel.allCases.last { QRPayload.fits(values.count, in: version, $0) }
        .map { (version, $0) }
    }
    guard let (version, level) = fitting.first else { return nil }
    self.init(values, version, level)
  }

  /// Creates a code of the given version and level, if the text fits.
  init?(_ text: String, _ version: QRVersion, _ level: QRLevel) {
    guard let values = QRPayload.values(of: text),
      QRPayload.fits(values.count, in: version, level)
    else { return nil }
    self.init(values, version, level)
  }

  /// Selects the mask with the lowest penalty.
  private init(_ values: [Int], _ version: QRVersion, _ level: QRLevel) {
    let codewords = QRPayload.codewords(of: values, in: version, level)
    var best = QRGrid(codewords, version, level, mask: 0)
    var least = best.penalty
    for mask in 1..<8 {
      let grid = QRGrid(codewords, version, level, mask: mask)
      let penalty = grid.penalty
      if penalty < least { (best, least) = (grid, penalty) }
    }
    (self.version, self.level, grid) = (version, level, best)
  }

  /// The number of modules along an edge.
  package var size: Int { version.size }

  /// Returns whether a module is dark.
  ///
  /// Modules outside the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && grid[row, column]
  }
}
