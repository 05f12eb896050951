import Glibc
import Platform
import SimulatedPlatform
import Testing

@testable import PosixPlatform

/// Programs with a line to their standard input and output.
@Suite(.timeLimit(.minutes(1))) struct ProgramLineTests {
  private func run(_ command: String...) throws(NetworkError) -> any ProgramLine {
    try PosixNetwork().run(command, to: "there")
  }

  /// Receives until the program closes its output.
  private func rest(of line: any ProgramLine) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try line.receive(upTo: 1 << 16, patienceMilliseconds: 10_000)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  @Test func `Program: bytes travel both ways, and closing the line ends it`() throws {
    let line = try run("cat")
    #expect(line.peer == "there")
    for count in [1, 1_000, 1 << 16] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      try line.send(bytes, patienceMilliseconds: 10_000)
      var back: [UInt8] = []
      while back.count < count {
        back += try line.receive(upTo: count, patienceMilliseconds: 10_000)
      }
      #expect(back == bytes)
    }
    #expect(line.end(patienceMilliseconds: 0) == nil)
    line.close()
    #expect(line.end(patienceMilliseconds: 10_000) == .exit(code: 0))
    #expect(throws: NetworkError.cut) { try line.send([1], patienceMilliseconds: 0) }
  }

  @Test func `Program: its output precedes its end, and its code is reported`() throws {
    let line = try run("sh", "-c", "printf abc; exit 7")
    #expect(try rest(of: line) == Array("abc".utf8))
    #expect(line.end(patienceMilliseconds: 10_000) == .exit(code: 7))
    #expect(throws: NetworkError.cut) {
      for _ in 0..<2 { try line.send([1], patienceMilliseconds: 1_000) }
    }
  }

  @Test func `Program: arguments reach it unchanged, without a shell`() throws {
    let words = ["$HOME", "a b", "*", "'", "\\", ""]
    let line = try PosixNetwork().run(["printf", "%s\n"] + words, to: "there")
    #expect(try rest(of: line) == Array(words.map { $0 + "\n" }.joined().utf8))
  }

  @Test func `Program: a signal that ends it is reported`() throws {
    let line = try run("sh", "-c", "kill -KILL $$")
    #expect(line.end(patienceMilliseconds: 10_000) == .killed)
  }

  @Test func `Program: one that does not end with its line is ended`() throws {
    let line = try run("sleep", "600")
    line.close()
    #expect(line.end(patienceMilliseconds: 10_000) == .killed)
  }

  @Test func `Program: those that still run when the process exits are ended`() throws {
    let programs = ProgramRegistry()
    let network = PosixNetwork(programs: programs)
    let commands = [
      ["cat"], ["sleep", "600"], ["sh", "-c", "trap '' TERM; echo; exec sleep 600"], ["true"],
    ]
    let lines = try commands.map { command in try network.run(command, to: "there") }
    #expect(try lines[2].receive(upTo: 9, patienceMilliseconds: 10_000) == [0x0a])
    #expect(lines[3].end(patienceMilliseconds: 10_000) == .exit(code: 0))
    lines[0].close()
    programs.endAll()
    let ends = lines.map { line in line.end(patienceMilliseconds: 0) }
    #expect(ends == [.exit(code: 0), .killed, .killed, .exit(code: 0)])
    #expect(throws: NetworkError.other(ECANCELED)) { try network.run(["cat"], to: "there") }
  }

  @Test func `Program: an unknown one is refused`() {
    let name = "daybook-no-such-program"
    #expect(throws: NetworkError.noProgram(name)) { try run(name) }
    #expect(throws: NetworkError.noProgram(name)) {
      try SimulatedNetwork().run([name], to: "there")
    }
  }

  @Test func `Program: a poller waits for it`() throws {
    let network = PosixNetwork()
    let (line, poller) = (try run("cat"), try network.poller())
    try poller.add(line, as: 7, for: .reading)
    #expect(try poller.wait(patienceMilliseconds: 10) == [])
    try line.send([1], patienceMilliseconds: 1_000)
    #expect(try poller.wait(patienceMilliseconds: 10_000).map(\.token) == [7])
    try poller.change(7, to: [.reading, .writing])
    let ready = try poller.wait(patienceMilliseconds: 10_000)
    #expect(ready == [Readiness(token: 7, interest: [.reading, .writing])])
    poller.remove(7)
    line.close()
  }

  @Test func `Simulated program: it runs while its caller waits, and its end closes the line`()
    throws
  {
    let network = SimulatedNetwork()
    network.install { command, line in command == ["echo"] ? Echo(line) : nil }
    let line = try network.run(["echo"], to: "there")
    #expect(try line.offer([1, 2]) == 2)
    #expect(throws: NetworkError.timedOut) { try line.receive(upTo: 9, patienceMilliseconds: 0) }
    #expect(try line.receive(upTo: 9, patienceMilliseconds: 1) == [1, 2])
    #expect(line.end(patienceMilliseconds: 0) == nil)
    #expect(try line.offer([0]) == 1)
    #expect(try line.receive(upTo: 9, patienceMilliseconds: 1) == [])
    #expect(line.end(patienceMilliseconds: 0) == .exit(code: 3))
  }

  /// Returns all bytes, and exits with 3 after a zero.
  private struct Echo: SimulatedProgram {
    let line: SimulatedLine

    init(_ line: SimulatedLine) { self.line = line }

    func advance() -> ProgramEnd? {
      guard let bytes = try? line.receive(upTo: 9, patienceMilliseconds: 0) else { return nil }
      if bytes.contains(0) || bytes.isEmpty { return .exit(code: 3) }
      _ = try? line.offer(bytes[...])
      return nil
    }
  }
}
