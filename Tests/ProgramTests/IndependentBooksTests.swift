import Foundation
import Testing

/// A reader written from `protocol.md` alone reads unusual books with the same results as the program.
@Suite(.enabled(if: Program.path != nil, "the program is not built beside the tests"))
struct IndependentBooksTests {
  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Conformance/odd.py").path()

  @Test(
    .timeLimit(.minutes(5)),
    .enabled(
      if: IndependentPeerTests.hasPython, "python3-cryptography is not installed"))
  func `Independent reader: 40 unusual books are read with the program's results`() throws {
    let path = try #require(Program.path).path()
    let program = try Program()
    defer { try? program.remove() }
    let done = try program.run(
      ["/usr/bin/python3", "-B", Self.script, path, "40", "1"])
    #expect(done.code == 0, "\(done.output)")
    #expect(done.output.hasSuffix("40 books from seed 1; 0 of them were read differently\n"))
  }
}
