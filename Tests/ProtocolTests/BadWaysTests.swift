import Bytes
import Gzip
import Journaling
import Testing

/// The document has a bad frame for every frame error of the code.
@Suite struct BadWaysTests {
  /// The errors for which the document has no example.
  ///
  /// Content that is too large needs a frame of at least 16 KiB. The frame itself shows bytes after its content. Only
  /// the file shows that a frame belongs to another log or offset.
  static let untold: Set = ["gzip(tooLarge)", "content(trailing)", "foreign", "misplaced"]

  static let ways: [FrameError] =
    [
      .envelope, .version(0), .length, .information, .header(sequence: 1), .body(sequence: 1),
      .command(sequence: 1), .secrets(block: 0), .trailing, .foreign, .misplaced,
    ] + gzip.map { .gzip($0) } + content.map { .content($0) }

  static let gzip: [GzipError] = [
    .truncated(at: 0), .notAMember(at: 0), .headerChecksum(at: 0), .contentChecksum(at: 0),
    .contentLength(at: 0), .tooLarge(limit: 0), .bomb(at: 0), .deflate(code: 0, at: 0),
  ]

  static let content: [CBORError] = [
    .truncated(at: 0), .notShortest(at: 0), .indefinite(at: 0), .unsortedKeys(at: 0),
    .duplicateKey(at: 0), .invalidText(at: 0), .tooDeep(at: 0), .tooMany(at: 0),
    .wrongType(expected: .map, at: 0), .wrongLength(expected: 0, at: 0), .reserved(at: 0),
    .trailing(at: 0), .outOfRange(at: 0),
  ]

  /// Ensures that the lists above are complete: this does not compile until a new case is listed.
  private static func isListed(_ error: FrameError) -> Bool {
    switch error {
    case .envelope, .version, .length, .information, .header, .body, .command, .secrets, .trailing,
      .foreign, .misplaced:
      return true
    case .gzip(let error):
      switch error {
      case .truncated, .notAMember, .headerChecksum, .contentChecksum, .contentLength, .tooLarge,
        .bomb, .deflate:
        return true
      }
    case .content(let error):
      switch error {
      case .truncated, .notShortest, .indefinite, .unsortedKeys, .duplicateKey, .invalidText,
        .tooDeep, .tooMany, .wrongType, .wrongLength, .reserved, .trailing, .outOfRange:
        return true
      }
    }
  }

  /// The names of the cases without their values: `gzip(bomb)` for `gzip(bomb(at: 0))`.
  private static func name(_ spelling: String) -> String {
    let names = spelling.split(separator: "(").prefix(2)
    guard let first = names.first, names.count == 2, ["gzip", "content"].contains(first) else {
      return String(names.first ?? "")
    }
    return "\(first)(\(names[1]))"
  }

  @Test func `Bad frames: each frame error has an example in the document`() throws {
    #expect(Self.ways.allSatisfy(Self.isListed))
    let known = Set(Self.ways.map { Self.name($0.spelling) })
    #expect(known.count == Self.ways.count)
    let told = Set(try FrameTests.bad().map { Self.name(try $0.text("error")) })
    #expect(told == known.subtracting(Self.untold))
  }
}
