import Foundation
import Testing

/// The system's Python, as an independent reader and writer of the formats.
enum Oracle {
  struct Failure: Error {
    let status: Int32
    let words: String
  }

  private static let python = "/usr/bin/python3"

  /// Whether Python and these modules are installed.
  static func has(_ modules: String...) -> Bool {
    // Any failure means that a module is not installed.
    (try? run("import " + modules.joined(separator: ", "))) != nil
  }

  /// The output of a Python script.
  static func run(_ script: String, _ arguments: String...) throws -> [UInt8] {
    try run(program: python, ["-B", "-c", script] + arguments)
  }

  /// The output of a program, by default in the environment of the tests.
  static func run(
    program: String, _ arguments: [String], environment: [String: String]? = nil
  ) throws -> [UInt8] {
    let process = Process()
    let (output, complaints) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try complaints.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        status: process.terminationStatus, words: String(decoding: words, as: UTF8.self))
    }
    return Array(bytes)
  }
}
