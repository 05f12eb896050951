import Foundation
import Testing

/// The program built with the tests, run in separate processes.
struct Program {
  static let path: URL? = {
    // The executable of the tests is in the folder of all build products.
    let tests = URL(filePath: CommandLine.arguments[0])
    let path = tests.deletingLastPathComponent().appending(path: "daybook")
    return FileManager.default.isExecutableFile(atPath: path.path()) ? path : nil
  }()

  /// The sanitizer settings from `Tools/sanitize`.
  private static let sanitizing = ProcessInfo.processInfo.environment.filter {
    ["LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key)
  }

  static var isSanitized: Bool { !sanitizing.isEmpty }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Creates a program with a copy of another program's files.
  init(copying other: Program) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.copyItem(at: other.folder, to: folder)
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }

  /// Creates a process of the program without starting it.
  func process(_ words: [String], output: Any? = FileHandle.nullDevice) throws -> Process {
    let process = Process()
    process.executableURL = Self.path
    process.arguments = words
    process.environment = Self.sanitizing.merging([
      "DAYBOOK_DIR": folder.appending(path: "book").path(),
      "XDG_STATE_HOME": folder.appending(path: "state").path(),
      "PATH": "/usr/bin:/bin",
    ]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Runs a command until it ends.
  func run(_ words: String...) throws -> (code: Int32, output: String) { try run(words) }

  /// Runs a command, or another program if the first word is a path, until it ends.
  func run(_ words: [String]) throws -> (code: Int32, output: String) {
    let pipe = Pipe()
    let isOther = words.first?.hasPrefix("/") == true
    let process = try process(isOther ? Array(words.dropFirst()) : words, output: pipe)
    if isOther { process.executableURL = URL(filePath: words[0]) }
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// Runs a command until it ends, and returns what it wrote to standard error.
  func errors(of words: String...) throws -> (code: Int32, text: String) {
    let errors = Pipe()
    let process = try process(words)
    process.standardError = errors
    try process.run()
    let bytes = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the files in the folder, with `#` in place of random ids.
  func files() throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    return names.map { $0.replacing(#/[0-9a-f]{32}/#, with: "#") }.sorted()
  }

  func titles() throws -> [String] {
    let listed = try run("list", "todos", "--all", "--json")
    // If events of the book are missing, the list exits with 3 instead of 0.
    try #require([0, 3].contains(listed.code))
    let rows = try JSONSerialization.jsonObject(with: Data(listed.output.utf8))
    return try #require(rows as? [[String: Any]]).compactMap { $0["title"] as? String }
  }
}
