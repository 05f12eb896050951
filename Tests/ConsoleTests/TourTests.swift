import Foundation
import Platform
import Testing

@testable import Console

struct TourTests {
  private static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

  /// The commands of the quick tour.
  private static func commands() throws -> [[String]] {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let tour = try #require(text.components(separatedBy: "\n## A quick tour\n").dropFirst().first)
    let block = try #require(tour.components(separatedBy: "```").dropFirst().first)
    let lines = block.split(separator: "\n").map(String.init).filter { $0.hasPrefix("daybook") }
    return try lines.map { line in Array(try #require(Shell.words(line)).dropFirst()) }
  }

  @Test func `every line of the README's tour does what it says`() throws {
    let commands = try Self.commands()
    #expect(commands.count >= 10)
    let stage = Stage()
    // The stick is plugged in.
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    for words in commands {
      let outcome = stage.run(words)
      #expect(outcome.code == .done, "daybook \(words): \(outcome.error)")
    }
  }
}
