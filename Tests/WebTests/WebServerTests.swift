import Bytes
import Platform
import SimulatedPlatform
import Testing

@testable import Web

struct WebServerTests {
  private static let get =
    "GET /\(Desk.key)/api/view/settings HTTP/1.1\r\nHost: 127.0.0.1:\(Desk.port)\r\n"

  private func count(of part: String, in text: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  @Test func `Web server: pipelined requests are answered in order`() throws {
    let desk = try Desk()
    let missing = Self.get.replacing("settings", with: "nothing")
    let answer = try desk.send("\(Self.get)\r\n\(missing)\r\n\(Self.get)\r\n")
    let statuses = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    #expect(statuses == ["200", "404", "200"])
  }

  @Test func `Web server: a connection with many requests does not delay others`() throws {
    let desk = try Desk()
    let (greedy, modest) = (try desk.dial(), try desk.dial())
    try desk.server.turn(patienceMilliseconds: 0)
    try greedy.send(
      Array(String(repeating: "\(Self.get)\r\n", count: 50).utf8), patienceMilliseconds: 0)
    try modest.send(Array("\(Self.get)\r\n".utf8), patienceMilliseconds: 0)
    func turn(hearing line: any Line) throws -> Int {
      try desk.server.turn(patienceMilliseconds: 0)
      let bytes = try line.receive(upTo: 1 << 20, patienceMilliseconds: 0)
      return count(of: "HTTP/1.1 200", in: String(decoding: bytes, as: UTF8.self))
    }
    #expect(try turn(hearing: greedy) == 1)
    let answer = try modest.receive(upTo: 1 << 20, patienceMilliseconds: 0)
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200"))
    #expect(try (1..<50).map { _ in try turn(hearing: greedy) } == Array(repeating: 1, count: 49))
  }

  @Test func `Web server: HEAD gets the head without the body`() throws {
    let desk = try Desk()
    let head = try desk.send(Self.get.replacing("GET", with: "HEAD") + "\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.hasSuffix("\r\n\r\n"))
  }

  @Test func `Web server: HEAD on an event stream is refused`() throws {
    let desk = try Desk()
    let head = Self.get.replacing("GET", with: "HEAD")
    let answer = try desk.send(
      head.replacing("view/settings", with: "events?view=today") + "\r\n" + Self.get + "\r\n")
    #expect(
      answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["405", "200"], "\(answer)")
    #expect(desk.server.streamCount == 0)
  }

  @Test func `Web server: Connection close is answered and the connection is closed`() throws {
    let desk = try Desk()
    let line = try desk.dial()
    try line.send(Array("\(Self.get)Connection: close\r\n\r\n".utf8), patienceMilliseconds: 0)
    #expect(try desk.hear(line).hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try line.receive(upTo: 1, patienceMilliseconds: 0) == [])
  }

  @Test func `Web server: an incomplete request times out with 408`() throws {
    let desk = try Desk()
    let line = try desk.dial()
    try line.send(Array("GET / HT".utf8), patienceMilliseconds: 0)
    #expect(try desk.hear(line) == "")
    desk.machine.timekeeper.advance(milliseconds: HTTPLimit.requestMilliseconds)
    #expect(try desk.hear(line).hasPrefix("HTTP/1.1 408 "))
    #expect(try line.receive(upTo: 1, patienceMilliseconds: 0) == [])
  }

  @Test func `Web server: idle connections without the key make room for others`() throws {
    let desk = try Desk()
    let lines = try (0..<HTTPLimit.connections).map { _ in try desk.dial() }
    try lines[0].send(Array("\(Self.get)\r\n".utf8), patienceMilliseconds: 0)
    #expect(try desk.hear(lines[0]).hasPrefix("HTTP/1.1 200 OK\r\n"))
    for line in lines.dropFirst() { #expect(try desk.hear(line) == "") }
    // The oldest connection is closed, except for the connection that has shown the key.
    #expect(try desk.send("\(Self.get)\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try desk.hear(lines[1]).hasPrefix("HTTP/1.1 503 "))
    try lines[0].send(Array("\(Self.get)\r\n".utf8), patienceMilliseconds: 0)
    #expect(try desk.hear(lines[0]).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `Web server: a stream delivers changes and keep-alive signals`() throws {
    let desk = try Desk()
    let revision = try #require(try desk.get("view/today")["revision"]?.string)
    let line = try desk.dial()
    let ask = Self.get.replacing("view/settings", with: "events?view=today&since=\(revision)")
    try line.send(Array("\(ask)\r\n".utf8), patienceMilliseconds: 0)
    let start = try desk.hear(line)
    #expect(start.contains("Content-Type: text/event-stream\r\n"))
    #expect(start.contains("event: hello\ndata: {\"revision\":\"\(revision)\""))
    #expect(!start.contains("event: reload"))
    try desk.wish("add", ("kind", "todo"), ("text", "Sweep today"))
    let told = try desk.hear(line)
    #expect(count(of: "event: steps\n", in: told) == 1)
    #expect(told.contains("\"op\":\"insert\""))
    #expect(told.contains("\"title\":\"Sweep\""))
    #expect(count(of: "event: counts\n", in: told) == 1)
    desk.machine.timekeeper.advance(milliseconds: HTTPLimit.heartbeatMilliseconds)
    #expect(try desk.hear(line) == ":\n\n")
  }

  @Test func `Web server: streams beyond the limit are refused with 503`() throws {
    let desk = try Desk()
    let ask = Self.get.replacing("view/settings", with: "events?view=today") + "\r\n"
    var lines: [any Line] = []
    for _ in 0..<HTTPLimit.streams {
      lines.append(try desk.dial())
      try lines[lines.count - 1].send(Array(ask.utf8), patienceMilliseconds: 0)
      #expect(try desk.hear(lines[lines.count - 1]).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
    #expect(try desk.send(ask).hasPrefix("HTTP/1.1 503 "))
    lines[0].close()
    try desk.server.turn(patienceMilliseconds: 0)
    #expect(try desk.send(ask).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }
}
