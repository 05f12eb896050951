import Foundation
import Glibc
import PosixPlatform
import Synchronization
import Testing

/// A `daybook serve` that runs beside a test, and what it says.
final class Serving {
  let port: UInt16
  private let process: Process
  private let told: Lines

  /// Begins to serve a program's book at a port of this machine, a free one if none is given.
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
    // Read to the end, for who is not read waits for that.
    SystemThread.start { while !lines.next().isEmpty {} }
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next line it notes; none when it has ended.
  func nextNote() -> String { told.next() }

  /// Gives line after line that it notes, on whatever thread that is.
  var notes: @Sendable () -> String { { [told] in told.next() } }

  var isRunning: Bool { process.isRunning }

  var processIdentifier: Int32 { process.processIdentifier }

  /// Asks it to end, and waits until it has.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A `daybook sync --follow` that runs beside a test, and what it says.
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

  /// Reads on until a line is as it should be; false if it ends before, or says nothing for a minute.
  func wait(_ isMeant: (String) -> Bool) -> Bool {
    while true {
      let line = said.next()
      if line.isEmpty { return false }
      if isMeant(line) { return true }
    }
  }

  /// Asks it to end, and returns how it has.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// What comes out of a process, line by line.
final class Lines: Sendable {
  private let handle: FileHandle
  private let waiting = Mutex<[UInt8]>([])
  /// How long a line is waited for; without end where it is negative.
  private let patience: Int32

  init(_ handle: FileHandle, patienceMilliseconds: Int32 = -1) {
    (self.handle, patience) = (handle, patienceMilliseconds)
  }

  /// Waits for the next line; what has ended, or says nothing, gives empty ones.
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
