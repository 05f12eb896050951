import Foundation
import Testing

/// An example program that uses the library.
struct ExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: Program.path != nil, "the program was not built"))
  func `Example: the program works as described and matches the article`() throws {
    let program = try Program()
    let example = try #require(Program.path).deletingLastPathComponent()
      .appending(path: "daybook-example").path()
    let book = program.folder.appending(path: "groceries").path()
    #expect(
      try program.run([example, book, "Eggs", "Milk"]) == (0, "Eggs\nMilk\nlast: Milk added\n"))
    #expect(try program.run([example, book, "-Eggs"]) == (0, "Milk\nlast: Eggs edited\n"))
    let source = try String(
      contentsOf: Self.root.appending(path: "Tools/daybook-example/Main.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: Self.root.appending(path: "Sources/Daybook/Daybook.docc/WriteAnApp.md"),
      encoding: .utf8)
    #expect(article.contains("```swift\n\(source)```\n"))
    try program.remove()
  }
}
