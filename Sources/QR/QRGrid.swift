/// The modules of a code, and their layout.
struct QRGrid: Sendable {
  private let size: Int
  /// The modules, row by row.
  private var isDark: [Bool]
  /// Whether a pattern occupies the module, so that the module contains no data.
  private var isTaken: [Bool]

  init(_ codewords: [UInt8], _ version: QRVersion, _ level: QRLevel, mask: Int) {
    size = version.size
    isDark = [Bool](repeating: false, count: size * size)
    isTaken = isDark
    drawTiming()
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
    drawAlignments(version)
    drawFormat(level, mask)
    if version.hasNumber { drawNumber(of: version) }
    fill(with: codewords, mask)
  }

  subscript(row: Int, column: Int) -> Bool { isDark[row * size + column] }

  private mutating func draw(_ dark: Bool, _ row: Int, _ column: Int) {
    isDark[row * size + column] = dark
    isTaken[row * size + column] = true
  }

  // MARK: Patterns

  private mutating func drawTiming() {
    for place in 0..<size {
      draw(place.isMultiple(of: 2), 6, place)
      draw(place.isMultiple(of: 2), place, 6)
    }
  }

  /// Draws a finder around its centre, together with the light modules that separate it.
  private mutating func drawFinder(_ row: Int, _ column: Int) {
    for down in -4...4 {
      for right in -4...4 {
        let (row, column) = (row + down, column + right)
        guard (0..<size).contains(row), (0..<size).contains(column) else { continue }
        let ring = max(abs(down), abs(right))
        draw(ring != 2 && ring != 4, row, column)
      }
    }
  }

  private mutating func drawAlignments(_ version: QRVersion) {
    let last = size - 7
    for row in version.alignment {
      for column in version.alignment
      where ![[6, 6], [6, last], [last, 6]].contains([row, column]) {
        for down in -2...2 {
          for right in -2...2 { draw(max(abs(down), abs(right)) != 1, row + down, column + right) }
        }
      }
    }
  }

  /// Draws the level and mask twice, with 10 bits of error correction.
  private mutating func drawFormat(_ level: QRLevel, _ mask: Int) {
    let told = level.indicator << 3 | mask
    let bits = (told << 10 | Self.remainder(of: told << 10, by: 0x537)) ^ 0x5412
    for bit in 0..<15 {
      let dark = bits >> bit & 1 == 1
      // The bits go down the ninth column and along the ninth row, except on the timing lines.
      let row = min(bit < 6 ? bit : bit + 1, 8)
      let column = bit < 8 ? 8 : bit < 9 ? 7 : 14 - bit
      draw(dark, row, column)
      if bit < 8 {
        draw(dark, 8, size - 1 - bit)
      } else {
        draw(dark, size - 15 + bit, 8)
      }
    }
    draw(true, size - 8, 8)
  }

  /// Draws the version twice, with 12 bits of error correction.
  private mutating func drawNumber(of version: QRVersion) {
    let bits = version.number << 12 | Self.remainder(of: version.number << 12, by: 0x1F25)
    for bit in 0..<18 {
      let (along, across) = (bit / 3, size - 11 + bit % 3)
      draw(bits >> bit & 1 == 1, along, across)
      draw(bits >> bit & 1 == 1, across, along)
    }
  }

  /// Returns the remainder of a division of polynomials over bits.
  private static func remainder(of dividend: Int, by divisor: Int) -> Int {
    let width = Int.bitWidth - divisor.leadingZeroBitCount
    var rest = dividend
    while case let excess = Int.bitWidth - rest.leadingZeroBitCount - width, excess >= 0 {
      rest ^= divisor << excess
    }
    return rest
  }

  // MARK: Data

  /// Places the bits in pairs of columns from the right, alternating up and down, and applies the mask.
  private mutating func fill(with codewords: [UInt8], _ mask: Int) {
    var bit = 0
    var isUpward = true
    for pair in stride(from: size - 1, to: 0, by: -2) {
      // The vertical timing line occupies a whole column.
      let right = pair <= 6 ? pair - 1 : pair
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isTaken[row * size + column] {
          // The few remaining modules are set to 0.
          let isSet = bit < 8 * codewords.count && codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          isDark[row * size + column] = isSet != Self.inverts(mask, row, column)
          bit += 1
        }
      }
      isUpward.toggle()
    }
  }

  /// Returns whether a mask inverts a module.
  private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let product = row * column
    return switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: product % 2 + product % 3 == 0
    case 6: (product % 2 + product % 3) % 2 == 0
    default: ((row + column) % 2 + product % 3) % 2 == 0
    }
  }

  // MARK: How well it can be read

  /// The penalty for features that could confuse readers.
  ///
  /// The mask with the lowest penalty is used.
  var penalty: Int {
    let lines = (0..<size).flatMap { line in
      [(0..<size).map { self[line, $0] }, (0..<size).map { self[$0, line] }]
    }
    var squares = 0
    for row in 1..<size {
      for column in 1..<size {
        let dark = [
          self[row, column], self[row - 1, column], self[row, column - 1],
          self[row - 1, column - 1],
        ].count { $0 }
        if dark % 4 == 0 { squares += 1 }
      }
    }
    let dark = isDark.count { $0 }
    // The imbalance is the number of whole steps of 5 percent away from equal shares of dark and light modules.
    let imbalance = abs(20 * dark - 10 * isDark.count) / isDark.count
    return lines.map(Self.penalty).reduce(0, +) + 3 * squares + 10 * imbalance
  }

  /// Returns the penalty of a row or column for long runs and for patterns that resemble a finder.
  private static func penalty(of line: [Bool]) -> Int {
    // The lengths of alternating runs, beginning with a light run that may be empty.
    var runs = [0]
    for dark in line {
      if dark == runs.count.isMultiple(of: 2) { runs[runs.count - 1] += 1 } else { runs.append(1) }
    }
    let long = runs.filter { $0 >= 5 }.reduce(0) { $0 + $1 - 2 }
    let finders = runs.indices.count { middle in
      guard middle >= 3, middle + 2 < runs.count, !middle.isMultiple(of: 2) else { return false }
      let width = runs[middle] / 3
      guard [1, 1, 3, 1, 1].map({ $0 * width }) == Array(runs[middle - 2...middle + 2]) else {
        return false
      }
      // At both edges, the light run is extended by the quiet zone.
      let isFreeBefore = middle == 3 || runs[middle - 3] >= 4 * width
      return isFreeBefore || middle + 4 >= runs.count || runs[middle + 3] >= 4 * width
    }
    return long + 40 * finders
  }
}
