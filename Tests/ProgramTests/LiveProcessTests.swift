import Foundation
import Platform
import PosixPlatform
import Testing

/// Long-lived sessions between real processes.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"), .serialized,
  .timeLimit(.minutes(2)))
struct LiveProcessTests {
  /// Creates a book with one list, whose device is named after the machine.
  private func book() throws -> Program {
    let program = try Program()
    #expect(try program.run("add", "list", "Home").code == 0)
    return program
  }

  /// Returns the resident memory of a process, in bytes.
  private func residentBytes(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let match = try #require(try #/VmRSS:\s+(\d+) kB/#.firstMatch(in: text))
    return try #require(Int(match.output.1)) << 10
  }

  /// Returns the CPU time of a process, in hundredths of a second.
  private func work(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }

  @Test func `Live processes: a thousand idle sessions need little memory and no CPU time`()
    throws
  {
    let program = try book()
    defer { try? program.remove() }
    SystemLimits.allowOpenFiles(4_096)
    let serving = try Serving(program, at: 0, "--admit")
    let crowd = try Crowd()
    try crowd.call(serving.port, times: 1, within: 10_000)
    try crowd.call(serving.port, times: 999, within: 60_000)
    #expect(crowd.ends.isEmpty)
    let before = try work(serving.processIdentifier)
    SystemTimekeeper().pause(milliseconds: 1_000)
    #expect(try work(serving.processIdentifier) - before <= 3)
    #expect(try residentBytes(serving.processIdentifier) <= 64 << 20)
    // All connections receive the event that another process commits.
    let frames = crowd.frames
    #expect(try program.run("add", "todo", "news", "--list", "Home").code == 0)
    try crowd.wait(within: 10_000) { crowd.frames - frames >= 1_000 }
    crowd.hangUp()
  }

  @Test func `Live processes: page ends cleanly on a termination signal`() throws {
    let program = try book()
    defer { try? program.remove() }
    let output = Pipe()
    let process = try program.process(["page"], output: output)
    try process.run()
    let said = Lines(output.fileHandleForReading, patienceMilliseconds: 60_000)
    let address = said.next()
    #expect(address.wholeMatch(of: #/http://127\.0\.0\.1:\d+/[\w-]{22}//#) != nil)
    process.terminate()
    #expect(said.next() == "Stopped.")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(process.terminationReason == .exit)
  }

  @Test func `Live processes: five hundred silent callers do not block a sync`() throws {
    let program = try book()
    defer { try? program.remove() }
    SystemLimits.allowOpenFiles(4_096)
    let serving = try Serving(program)
    var lines: [any Line] = []
    for number in 0..<500 {
      let line = try PosixNetwork().dial(
        host: "127.0.0.1", port: serving.port, patienceMilliseconds: 5_000)
      // Half of the connections begin a TLS handshake.
      if number % 2 == 0 { _ = try? line.offer([22, 3, 1, 2, 0]) }
      lines.append(line)
    }
    let copy = try Program(copying: program)
    defer { try? copy.remove() }
    let clock = SystemTimekeeper()
    let start = clock.monotonicMilliseconds()
    #expect(try copy.run("sync", "tcp://127.0.0.1:\(serving.port)").code == 0)
    #expect(clock.monotonicMilliseconds() - start < 5_000)
    for line in lines { line.close() }
  }

  @Test func `Live processes: a follower receives new events immediately, even after a restart`()
    throws
  {
    let (one, two) = (try book(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    var serving: Serving? = try Serving(one)
    let port = try #require(serving?.port)
    let invited = try one.run("invite")
    let invitation = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output
    #expect(try two.run("join", String(invitation)).code == 0)
    let follower = try Following(two)
    #expect(follower.wait { $0.contains(" With ") })
    #expect(try one.run("add", "todo", "of one", "--list", "Home").code == 0)
    #expect(follower.wait { $0.hasSuffix("; added todo of one.") })
    #expect(try two.titles() == ["of one"])
    #expect(try two.run("add", "todo", "of two", "--list", "Home").code == 0)
    #expect(
      follower.wait { $0.contains(": sent 1 event of ") && $0.hasSuffix("; added todo of two.") })
    #expect(try one.titles().sorted() == ["of one", "of two"])
    serving?.stop()
    serving = nil
    #expect(follower.wait { $0.hasSuffix("disconnected.") })
    #expect(try one.run("add", "todo", "meanwhile", "--list", "Home").code == 0)
    serving = try Serving(one, at: port)
    #expect(follower.wait { $0.contains("received 1 event") })
    #expect(try two.titles().sorted() == ["meanwhile", "of one", "of two"])
    #expect(follower.stop() == 0)
    serving?.stop()
  }
}
