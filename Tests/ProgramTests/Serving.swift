import Foundation
import Testing

/// A `daybook serve` that runs beside a test, and what it says.
final class Serving {
  let port: UInt16
  private let process: Process
  private let told: Lines

  /// Begins to serve a program's book at a free port of this machine.
  init(_ program: Program) throws {
    let (output, errors) = (Pipe(), Pipe())
    process = try program.process(["serve", "--listen", "127.0.0.1:0"], output: output)
    process.standardError = errors
    try process.run()
    told = Lines(errors.fileHandleForReading)
    let ready = Lines(output.fileHandleForReading).next()
    let match = try #require(try #/Listening on 127\.0\.0\.1:(\d+),/#.firstMatch(in: ready))
    port = try #require(UInt16(match.output.1))
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next line it notes; none when it has ended.
  func nextNote() -> String { told.next() }

  var isRunning: Bool { process.isRunning }
}

/// What comes out of a process, line by line.
private final class Lines {
  private let handle: FileHandle
  private var waiting: [UInt8] = []

  init(_ handle: FileHandle) { self.handle = handle }

  /// Waits for the next line; what has ended gives empty ones.
  func next() -> String {
    while true {
      if let end = waiting.firstIndex(of: 0x0a) {
        defer { waiting.removeFirst(end + 1) }
        return String(decoding: waiting[..<end], as: UTF8.self)
      }
      let more = handle.availableData
      if more.isEmpty { return "" }
      waiting += more
    }
  }
}
