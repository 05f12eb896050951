import Foundation
import Phrasing
import Platform
import Testing

@testable import Console

struct TourTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the lines of the first code block below a heading of a page.
  private static func lines(of page: String, below heading: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let rest = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let section = try #require(rest.components(separatedBy: "\n## ").first)
    let block = try #require(section.components(separatedBy: "```").dropFirst().first)
    return block.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `Tour: README.md contains the tour that the program shows`() throws {
    let shown = Stage().run(["help", "tour"])
    #expect(shown.code == .done)
    let lines = try Self.lines(of: "README.md", below: "A quick tour")
    #expect(lines == shown.output.split(separator: "\n").map(String.init))
    #expect(Tour.lines.count == 10)
  }

  @Test func `Tour: every line in README.md and the guide works`() throws {
    let tour = try Self.lines(of: "README.md", below: "A quick tour")
    let more = try Self.lines(of: "docs/guide.md", below: "Everyday commands")
    let lines = (tour + more).filter { $0.hasPrefix("daybook") }
    #expect(lines.count >= 25)
    let stage = Stage()
    // The commands of the tour require the folder of a USB stick.
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    for line in lines {
      let outcome = stage.run(Array(try #require(Shell.words(line)).dropFirst()))
      #expect(outcome.code == .done, "\(line): \(outcome.error)")
    }
  }
}
