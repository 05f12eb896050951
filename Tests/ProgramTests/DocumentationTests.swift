import Foundation
import Testing

/// The documentation of the library, built with the toolchain.
struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the toolchain, if it is on PATH with the documentation tools.
  private static let tools = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(
    separator: ":"
  ).map(String.init).first { folder in
    ["swift-symbolgraph-extract", "docc"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }
  }

  @Test(.enabled(if: tools != nil && Program.path != nil, "docc is not along PATH"))
  func `Documentation: every link of the articles has a target`() throws {
    let program = try Program()
    let tools = try #require(Self.tools)
    let modules = try #require(Program.path).deletingLastPathComponent().appending(path: "Modules")
    let symbols = program.folder.appending(path: "symbols").path()
    try FileManager.default.createDirectory(
      atPath: symbols, withIntermediateDirectories: true)
    let extracted = try program.run([
      "\(tools)/swift-symbolgraph-extract", "-module-name", "Daybook", "-I", modules.path(),
      "-target", "x86_64-unknown-linux-gnu", "-minimum-access-level", "public", "-output-dir",
      symbols,
    ])
    #expect(extracted.code == 0)
    func convert(_ catalogue: String) throws -> Int32 {
      try program.run([
        "\(tools)/docc", "convert", catalogue, "--additional-symbol-graph-dir", symbols,
        "--fallback-display-name", "Daybook", "--fallback-bundle-identifier", "daybook.Daybook",
        "--output-path", program.folder.appending(path: "site").path(), "--warnings-as-errors",
      ]).code
    }
    let ours = Self.root.appending(path: "Sources/Daybook/Daybook.docc")
    #expect(try convert(ours.path()) == 0)
    // Check that a broken link would be reported.
    let broken = program.folder.appending(path: "Daybook.docc")
    try FileManager.default.copyItem(at: ours, to: broken)
    try Data("# Nowhere\n\nSee ``Book/nothing()``.\n".utf8).write(
      to: broken.appending(path: "Nowhere.md"))
    #expect(try convert(broken.path()) != 0)
    try program.remove()
  }
}
