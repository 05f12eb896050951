/// The size of a code, which is 21 modules along an edge for version 1, and 4 more for each version after that.
///
/// The standard defines 40 versions. An invitation with the longest address needs version 12, and version 13 is the
/// last one that fits into a terminal with 80 columns.
struct QRVersion: Hashable, Sendable, CaseIterable {
  let number: Int

  static let allCases = (1...13).map(QRVersion.init(number:))

  private init(number: Int) { self.number = number }

  var size: Int { 17 + 4 * number }

  /// The centres of the alignment patterns, in both directions.
  var alignment: [Int] {
    switch number {
    case 1: []
    case ...6: [6, size - 7]
    default: [6, size / 2, size - 7]
    }
  }

  /// The number of codewords, for data and for error correction.
  var codewordCount: Int {
    let patterns = alignment.count
    // Every version contains three finders with their separators, two copies of the format bits, one dark module, and
    // two timing lines.
    var taken = 3 * 64 + 2 * 15 + 1 + 2 * (size - 16)
    // Finders replace three of the alignment patterns. Each pattern on a timing line shares 5 modules with the line.
    if patterns > 0 { taken += 25 * (patterns * patterns - 3) - 2 * 5 * (patterns - 2) }
    if hasNumber { taken += 2 * 18 }
    return (size * size - taken) / 8
  }

  /// Whether the code contains its version number.
  var hasNumber: Bool { number >= 7 }
}

/// The portion of a code that may be unreadable, which is about 7, 15, 25 or 30 percent.
enum QRLevel: Int, Hashable, Sendable, CaseIterable {
  case low
  case medium
  case quartile
  case high

  /// The bits that represent the level in the code.
  var indicator: Int {
    switch self {
    case .low: 1
    case .medium: 0
    case .quartile: 3
    case .high: 2
    }
  }
}

/// How the codewords of a version and level are divided into blocks.
struct QRBlocks {
  /// The number of data codewords in each block.
  let data: [Int]
  /// The number of error correction codewords in each block.
  let correction: Int

  init(_ version: QRVersion, _ level: QRLevel) {
    let count = Self.counts[level.rawValue][version.number - 1]
    correction = Self.corrections[level.rawValue][version.number - 1]
    let all = version.codewordCount
    // If the division leaves a remainder, each of the last blocks has one additional codeword.
    let longer = all % count
    data = (0..<count).map { [correction] block in
      all / count - correction + (block < count - longer ? 0 : 1)
    }
  }

  var dataCount: Int { data.reduce(0, +) }

  /// The number of blocks, by level and version.
  private static let counts = [
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4],
    [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9],
    [1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12],
    [1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16],
  ]

  /// The number of error correction codewords in each block, by level and version.
  private static let corrections = [
    [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26],
    [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22],
    [13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24],
    [17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22],
  ]
}
