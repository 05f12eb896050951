import Foundation
import Glibc
import PosixPlatform
import Synchronization
import Testing

/// A running `daybook serve` and its notes.
final class Serving {
  let port: UInt16
  private let process: Process
  private let told: Lines

  /// Starts serving a program's book on a port of this machine, by default a free port.
  init(_ program: Program, at port: UInt16 = 0, _ options: String...) throws {
    let (output, errors) = (Pipe(), Pipe())
    let words = ["serve", "--listen", "127.0.0.1:\(port)"] + options
    process = try program.process(words, output: output)
    process.standardError = errors
    try process.run()
    told = Lines(errors.fileHandleForReading)
    let lines = Lines(output.fileHandleForReading)
    let match = try #require(try #/Listening on 127\.0\.0\.1:(\d+),/#.firstMatch(in: lines.next()))
    self.port = try #require(UInt16(match.output.1))
    // Read all output, because the server would block if its pipe were full.
    SystemThread.start { while !lines.next().isEmpty {} }
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Returns the next note; empty after the end.
  func nextNote() -> String { told.next() }

  /// A function that returns note after note, callable on any thread.
  var notes: @Sendable () -> String { { [told] in told.next() } }

  var isRunning: Bool { process.isRunning }

  var processIdentifier: Int32 { process.processIdentifier }

  /// Stops the process and waits until it has ended.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A running `daybook sync --follow` and its output.
final class Following {
  private let process: Process
  private let said: Lines

  init(_ program: Program) throws {
    let output = Pipe()
    process = try program.process(["sync", "--follow"], output: output)
    try process.run()
    said = Lines(output.fileHandleForReading, patienceMilliseconds: 60_000)
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Reads until a line matches; returns false if the output ends or pauses for a minute.
  func wait(_ isMeant: (String) -> Bool) -> Bool {
    while true {
      let line = said.next()
      if line.isEmpty { return false }
      if isMeant(line) { return true }
    }
  }

  /// Stops the process and returns its exit code.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// The output of a process, line by line.
final class Lines: Sendable {
  private let handle: FileHandle
  private let waiting = Mutex<[UInt8]>([])
  /// The time to wait for a line; unlimited if negative.
  private let patience: Int32

  init(_ handle: FileHandle, patienceMilliseconds: Int32 = -1) {
    (self.handle, patience) = (handle, patienceMilliseconds)
  }

  /// Waits for the next line and returns it; empty after the end or the time limit.
  func next() -> String {
    waiting.withLock { waiting in
      while true {
        if let end = waiting.firstIndex(of: 0x0a) {
          defer { waiting.removeFirst(end + 1) }
          return String(decoding: waiting[..<end], as: UTF8.self)
        }
        var wanted = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, patience) > 0 else { return "" }
        let more = handle.availableData
        if more.isEmpty { return "" }
        waiting += more
      }
    }
  }
}
