/// Reads a QR code from terminal lines according to ISO/IEC 18004, independently of our encoder.
///
/// It reads versions 4 to 6 at the two lower correction levels, up to 45 characters, without error correction.
struct Camera {
  let text: String
  /// The number of light modules on each side: above, left, below and right.
  let margins: [Int]

  private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")

  /// Reads lines that are dark on light if painted, and light on dark otherwise.
  init?(_ lines: [String], isPainted: Bool) {
    let modules = lines.flatMap { line in
      [["█", "▀"], ["█", "▄"]].map { (halves: Set<Character>) in
        line.map { halves.contains($0) == isPainted }
      }
    }
    let columns = modules.indices.flatMap { row in
      modules[row].indices.filter { modules[row][$0] }
    }
    guard let top = modules.firstIndex(where: { $0.contains(true) }), let left = columns.min(),
      let bottom = modules.lastIndex(where: { $0.contains(true) }), let right = columns.max(),
      bottom - top == right - left
    else { return nil }
    let dark = modules[top...bottom].map { Array($0[left...right]) }
    margins = [top, left, modules.count - 1 - bottom, modules[0].count - 1 - right]
    let format = dark[8][..<5].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } ^ 0b10101
    // Blocks, and the bytes of data in each.
    let shapes = ["33 1": (1, 80), "33 0": (2, 32), "37 1": (1, 108), "37 0": (2, 43)]
      .merging(["41 1": (2, 68), "41 0": (4, 27)]) { $1 }
    guard let (blocks, count) = shapes["\(dark.count) \(format >> 3)"] else { return nil }
    let bytes = Symbol(dark: dark, mask: format & 7).codewords
    var bits = (0..<blocks).flatMap { block in
      (0..<count).flatMap { place in
        (0..<8).map { bytes[place * blocks + block] >> (7 - $0) & 1 }
      }
    }[...]
    func take(_ count: Int) -> Int {
      defer { bits = bits.dropFirst(count) }
      return bits.prefix(count).reduce(0) { $0 << 1 | $1 }
    }
    guard take(4) == 2 else { return nil }
    let length = take(9)
    var found: [Character] = []
    while found.count + 1 < length {
      let pair = take(11)
      guard pair < 45 * 45 else { return nil }
      found += [Self.letters[pair / 45], Self.letters[pair % 45]]
    }
    if found.count < length { found.append(Self.letters[take(6) % 45]) }
    text = String(found)
  }
}

/// The modules of a code.
private struct Symbol {
  let dark: [[Bool]]
  let mask: Int
  private var size: Int { dark.count }

  /// Whether a module belongs to a fixed pattern instead of the data.
  private func isPattern(_ row: Int, _ column: Int) -> Bool {
    let alignment = size - 9...size - 5
    return row == 6 || column == 6 || row < 9 && (column < 9 || column >= size - 8)
      || row >= size - 8 && column < 9 || alignment.contains(row) && alignment.contains(column)
  }

  /// The codewords, from the lower right in columns of two modules.
  var codewords: [Int] {
    let lefts = Array(stride(from: size - 2, to: 6, by: -2)) + [4, 2, 0]
    let path = lefts.enumerated().flatMap { turn, left in
      (0..<size).map { turn.isMultiple(of: 2) ? size - 1 - $0 : $0 }
        .flatMap { row in [(row, left + 1), (row, left)] }
    }
    let bits = path.filter { !isPattern($0.0, $0.1) }.map { row, column in
      dark[row][column] != isInverted(row, column) ? 1 : 0
    }
    return stride(from: 0, to: bits.count - 7, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  private func isInverted(_ i: Int, _ j: Int) -> Bool {
    [
      (i + j) % 2, i % 2, j % 3, (i + j) % 3, (i / 2 + j / 3) % 2, i * j % 2 + i * j % 3,
      (i * j % 2 + i * j % 3) % 2, ((i + j) % 2 + i * j % 3) % 2,
    ][mask] == 0
  }
}
