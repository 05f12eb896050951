import Foundation
import Phrasing
import Platform
import Testing

@testable import Console

struct TourTests {
  private static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

  /// The lines of the blocks below the heading of the tour: the tour itself, and more.
  private static func blocks() throws -> [[String]] {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let tour = try #require(text.components(separatedBy: "\n## A quick tour\n").dropFirst().first)
    let section = try #require(tour.components(separatedBy: "\n## ").first)
    let parts = section.components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { place in
      parts[place].split(separator: "\n").dropFirst().map(String.init)
    }
  }

  @Test func `the README's tour is the one that the program shows`() throws {
    let shown = Stage().run(["help", "tour"])
    #expect(shown.code == .done)
    #expect(try Self.blocks().first == shown.output.split(separator: "\n").map(String.init))
    #expect(Tour.lines.count == 10)
  }

  @Test func `every line of the README's tour does what it says`() throws {
    let lines = try Self.blocks().joined().filter { $0.hasPrefix("daybook") }
    #expect(lines.count >= 25)
    let stage = Stage()
    // The stick is plugged in.
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    for line in lines {
      let outcome = stage.run(Array(try #require(Shell.words(line)).dropFirst()))
      #expect(outcome.code == .done, "\(line): \(outcome.error)")
    }
  }
}
