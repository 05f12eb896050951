/// The history of a world, with one line for each event.
package struct Trace: Sendable {
  /// The last lines, or all lines if the whole trace is kept.
  package private(set) var lines: [String] = []
  /// A hash (FNV-1a) of all lines so far.
  package private(set) var mark: UInt64 = 0xCBF2_9CE4_8422_2325
  private let isWhole: Bool

  /// The minimum number of last lines to keep; up to twice as many are kept.
  private static let kept = 40

  init(isWhole: Bool) { self.isWhole = isWhole }

  mutating func note(_ line: String) {
    for byte in line.utf8 { mark = (mark ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    lines.append(line)
    if !isWhole, lines.count > 2 * Self.kept { lines.removeFirst(Self.kept) }
  }
}
