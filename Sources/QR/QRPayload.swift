/// The content of a code, which is a text in codewords of 8 bits, followed by codewords for error correction.
enum QRPayload {
  private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// Returns the values of the characters of a text; nil if a character is not one of the 45.
  static func values(of text: String) -> [Int]? {
    let values = text.utf8.compactMap { letters.firstIndex(of: $0) }
    return values.count == text.utf8.count ? values : nil
  }

  /// Returns whether a text with the given number of characters fits.
  static func fits(_ count: Int, in version: QRVersion, _ level: QRLevel) -> Bool {
    let bits = 4 + countBits(in: version) + count / 2 * 11 + count % 2 * 6
    return bits <= 8 * QRBlocks(version, level).dataCount
  }

  /// Returns all codewords in the order of the code: the first codeword of each block, the second codeword of each
  /// block, and so on.
  static func codewords(of values: [Int], in version: QRVersion, _ level: QRLevel) -> [UInt8] {
    let blocks = QRBlocks(version, level)
    var rest = data(of: values, in: version, count: blocks.dataCount)[...]
    let data = blocks.data.map { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    let correction = data.map { remainder(of: $0, by: generator(of: blocks.correction)) }
    return interleaved(data) + interleaved(correction)
  }

  private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { place in
      blocks.compactMap { place < $0.count ? $0[place] : nil }
    }
  }

  // MARK: Data

  private static func countBits(in version: QRVersion) -> Int { version.number < 10 ? 9 : 11 }

  private static func data(of values: [Int], in version: QRVersion, count: Int) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
    }
    // The mode indicator of the alphanumeric mode.
    append(2, 4)
    append(values.count, countBits(in: version))
    for start in stride(from: 0, to: values.count, by: 2) {
      if start + 1 < values.count {
        append(45 * values[start] + values[start + 1], 11)
      } else {
        append(values[start], 6)
      }
    }
    append(0, min(4, 8 * count - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    let used = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    return used + (used.count..<count).map { ($0 - used.count).isMultiple(of: 2) ? 0xEC : 0x11 }
  }

  // MARK: Error correction

  /// Returns the product in the field of 256 elements that is defined by x⁸ + x⁴ + x³ + x² + 1.
  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var (product, left, right) = (UInt8(0), left, right)
    while right > 0 {
      if right & 1 == 1 { product ^= left }
      left = left << 1 ^ (left & 0x80 == 0 ? 0 : 0x1D)
      right >>= 1
    }
    return product
  }

  /// Returns the polynomial with the roots 2⁰, 2¹, … without its leading 1, highest power first.
  static func generator(of degree: Int) -> [UInt8] {
    var (polynomial, root) = ([UInt8](repeating: 0, count: degree - 1) + [1], UInt8(1))
    for _ in 0..<degree {
      for place in polynomial.indices {
        polynomial[place] = product(polynomial[place], root)
        if place + 1 < degree { polynomial[place] ^= polynomial[place + 1] }
      }
      root = product(root, 2)
    }
    return polynomial
  }

  /// Returns the remainder of the data, shifted by the degree, divided by a generator.
  ///
  /// This remainder consists of the data's Reed–Solomon codewords.
  private static func remainder(of data: [UInt8], by generator: [UInt8]) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in generator.indices { remainder[place] ^= product(generator[place], factor) }
    }
    return remainder
  }
}
