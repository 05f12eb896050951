/// A text as a square of dark and light modules, which a camera reads: a QR code as ISO/IEC 18004 defines it.
///
/// Written here because Debian has libqrencode as a shared library alone, and the released program loads none.
///
/// The texts are of digits, capitals and `$%*+-./:`, of which two take 11 bits; other letters would need 8 bits each.
package struct QRCode: Sendable {
  let version: QRVersion
  let level: QRLevel
  private let grid: QRGrid

  /// The smallest code of a text, at the highest level that makes it no larger.
  ///
  /// On a screen nothing is torn or stained, so the lowest level would do, and large modules are read from farther away.
  ///
  /// - Returns: nil where a letter is none of the 45, or the text is too long for the largest code.
  package init?(_ text: String) {
    guard let values = QRPayload.values(of: text) else { return nil }
    let fitting = QRVersion.allCases.lazy.compactMap { version in
      QRLevel.allCases.last { QRPayload.fits(values.count, in: version, $0) }
        .map { (version, $0) }
    }
    guard let (version, level) = fitting.first else { return nil }
    self.init(values, version, level)
  }

  /// A code of the size and level that are given, if the text fits.
  init?(_ text: String, _ version: QRVersion, _ level: QRLevel) {
    guard let values = QRPayload.values(of: text),
      QRPayload.fits(values.count, in: version, level)
    else { return nil }
    self.init(values, version, level)
  }

  /// Takes the mask under which readers mistake the least.
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

  /// How many modules lie along an edge.
  package var size: Int { version.size }

  /// Whether a module is dark; all around the code are light ones.
  package func isDark(row: Int, column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && grid[row, column]
  }
}
