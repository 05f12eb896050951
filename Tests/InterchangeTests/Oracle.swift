import Foundation
import Testing

/// A Python that reads and writes formats with libraries of its own.
enum Oracle {
  struct Failure: Error {
    let status: Int32
    let words: String
  }

  private static let python = "/usr/bin/python3"

  /// Whether there is a Python with these modules.
  static func has(_ modules: String...) -> Bool {
    // What fails here is not installed, which is all there is to know.
    (try? run("import " + modules.joined(separator: ", "))) != nil
  }

  /// What a script prints that is given some arguments.
  static func run(_ script: String, _ arguments: String...) throws -> [UInt8] {
    try run(program: python, ["-B", "-c", script] + arguments)
  }

  /// What a program prints that knows nothing of its user but what it is told.
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
