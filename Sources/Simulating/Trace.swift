/// What has happened in a simulated world, one line for each thing.
package struct Trace: Sendable {
  /// The last lines, or all of them where they are wanted.
  package private(set) var lines: [String] = []
  /// Stands for all lines there were.
  package private(set) var mark: UInt64 = 0xCBF2_9CE4_8422_2325
  private let isWhole: Bool

  /// How many lines are kept of one that is not kept whole.
  private static let kept = 40

  init(isWhole: Bool) { self.isWhole = isWhole }

  mutating func note(_ line: String) {
    for byte in line.utf8 { mark = (mark ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    lines.append(line)
    if !isWhole, lines.count > 2 * Self.kept { lines.removeFirst(Self.kept) }
  }
}
