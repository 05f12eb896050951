import Foundation
import Glibc
import PosixPlatform
import Testing

/// A `daybook serve` at a terminal and invited devices, in separate processes.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"), .serialized,
  .timeLimit(.minutes(2)))
struct AskingProcessTests {
  /// A server with a terminal as standard input and error, operated by a test.
  private final class Desk {
    let port: UInt16
    private let process: Process
    private let terminal: Int32
    private var shown: [UInt8] = []

    init(_ program: Program, _ options: String...) throws {
      var ends: (mine: Int32, others: Int32) = (-1, -1)
      try #require(unsafe openpty(&ends.mine, &ends.others, nil, nil, nil) == 0)
      terminal = ends.mine
      _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
      let end = FileHandle(fileDescriptor: ends.others, closeOnDealloc: true)
      let output = Pipe()
      process = try program.process(["serve", "--listen", "127.0.0.1:0"] + options, output: output)
      (process.standardInput, process.standardError) = (end, end)
      try process.run()
      let lines = Lines(output.fileHandleForReading)
      let match = try #require(
        try #/Listening on 127\.0\.0\.1:(\d+),/#.firstMatch(in: lines.next()))
      port = try #require(UInt16(match.output.1))
      SystemThread.start { while !lines.next().isEmpty {} }
    }

    deinit {
      if process.isRunning { process.terminate() }
      close(terminal)
    }

    /// Reads output up to the given text, or all output if it does not appear within a minute.
    func read(to words: String) -> String {
      while true {
        let text = String(decoding: shown, as: UTF8.self)
        if let end = text.firstRange(of: words) {
          shown = Array(text[end.upperBound...].utf8)
          return String(text[..<end.upperBound])
        }
        var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, 60_000) > 0 else { return text }
        var part = [UInt8](repeating: 0, count: 1 << 12)
        let count = unsafe Glibc.read(terminal, &part, part.count)
        guard count > 0 else { return text }
        shown += part[..<count]
      }
    }

    func type(_ line: String) throws {
      let bytes = Array((line + "\n").utf8)
      try #require(unsafe write(terminal, bytes, bytes.count) == bytes.count)
    }

    func stop() -> Int32 {
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// A running `daybook join` and its output.
  private final class Joining {
    private let process: Process
    private let notes: Lines

    init(_ program: Program, _ invitation: String) throws {
      let errors = Pipe()
      process = try program.process(["join", invitation])
      process.standardError = errors
      try process.run()
      notes = Lines(errors.fileHandleForReading, patienceMilliseconds: 60_000)
    }

    func nextNote() -> String { notes.next() }

    func end() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func invitation(of program: Program) throws -> String {
    let invited = try program.run("invite")
    return String(
      try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output)
  }

  private func deviceCount(_ program: Program) throws -> Int {
    try program.run("devices").output.split(separator: "\n").count
  }

  @Test(arguments: ["y", "yes"])
  func `Admission prompt: both users see the same words, and yes admits the device`(
    answer: String
  ) throws {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "todo", "Sweep").code == 0)
    let desk = try Desk(one)
    // Input that was typed before the question must not answer it.
    try desk.type("n")
    let joining = try Joining(two, try invitation(of: one))
    let question = desk.read(to: "Admit it? [y/N] ")
    let shown = try #require(question.firstMatch(of: #/(?:[a-z]{5}-){5}[a-z]{5}/#)).output
    let note = joining.nextNote()
    #expect(note.contains("shows these words: \(shown)"), "\(note)")
    #expect(try deviceCount(one) == 1)
    // Other devices can sync while the question is open.
    let copy = try Program(copying: one)
    defer { try? copy.remove() }
    #expect(try copy.run("sync", "tcp://127.0.0.1:\(desk.port)").code == 0)
    try desk.type(answer)
    #expect(joining.end() == 0)
    #expect(try two.titles() == ["Sweep"])
    #expect(try deviceCount(one) == 2)
    #expect(desk.stop() == 0)
  }

  @Test(arguments: ["n", "", "maybe"])
  func `Admission prompt: any other answer refuses the device and ends the invitation`(
    answer: String
  ) throws {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "todo", "Sweep").code == 0)
    let desk = try Desk(one)
    let joining = try Joining(two, try invitation(of: one))
    #expect(desk.read(to: "Admit it? [y/N] ").contains(" presented the invitation, "))
    try desk.type(answer)
    #expect(joining.nextNote().contains("Ask the person who invited you"))
    #expect(joining.nextNote().contains("declined to admit this device"))
    #expect(joining.end() == 1)
    #expect(desk.read(to: "its invitation is no longer valid").contains("turned away"))
    #expect(try deviceCount(one) == 1)
    #expect(desk.stop() == 0)
  }

  @Test(arguments: ["--no-confirm", "--no-input"])
  func `Admission prompt: with an option against prompts, nothing is asked`(option: String) throws {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "todo", "Sweep").code == 0)
    let desk = try Desk(one, option)
    let joining = try Joining(two, try invitation(of: one))
    #expect(joining.end() == 0)
    #expect(joining.nextNote() == "")
    #expect(try two.titles() == ["Sweep"])
    #expect(desk.stop() == 0)
  }
}
