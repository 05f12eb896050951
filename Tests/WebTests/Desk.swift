import Bytes
import Daybook
import Domain
import HTTP
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

/// A book in memory with its web site, and a browser that never blocks.
final class Desk {
  static let port: UInt16 = 7777
  static let key = "AAAAAAAAAAAAAAAAAAAAAA"

  let machine: SimulatedMachine
  let book: Book
  let site: PageSite
  let server: WebServer
  private let listener: any Listener

  /// Creates a desk whose clock shows nine in the morning on Friday, 2026-11-20.
  convenience init(seed: UInt64 = 1) throws {
    let machine = SimulatedMachine(seed: seed)
    machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000))
    let book = try BookFactory.create(
      at: Self.folder, on: machine.machine, deviceName: "laptop", view: .memory)
    try self.init(book, on: machine)
  }

  static let folder = Path("/home/ada/book")

  init(_ book: Book, on machine: SimulatedMachine) throws {
    (self.book, self.machine) = (book, machine)
    site = try PageSite(book, rule: .february28, key: Self.key)
    listener = try machine.network.listen(host: "127.0.0.1", port: Self.port)
    server = try WebServer(
      on: machine.machine, listener: listener,
      gate: Gatekeeper(key: Self.key, port: listener.port), host: PageHost(site: site))
    site.server = server
  }

  /// Runs a command one minute after the previous one.
  @discardableResult
  func perform(_ request: Request) throws -> UniqueID {
    machine.timekeeper.advance(milliseconds: 60_000)
    let changes = try book.commands.perform(request).changes
    return try #require(changes.last).document.id
  }

  func addTodo(
    _ title: String, list: UniqueID? = nil, priority: Priority? = nil, due: CivilDate? = nil
  ) throws -> UniqueID {
    try perform(
      .addTodo(
        title: title, list: list.map { .existing($0) } ?? .none, priority: priority?.rawValue,
        due: due))
  }

  // MARK: Requests without a connection

  func answer(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8] = []
  ) throws -> HTTPResponse {
    let request = HTTPRequest(
      method: method, target: path,
      fields: fields.map { HeaderField(name: $0.key, value: $0.value) }, body: body)
    switch Router(site: site).answer(request, try #require(Target(path)), on: 1) {
    case .whole(let response): return response
    case .stream: throw Surprise.stream
    }
  }

  enum Surprise: Error { case stream }

  func get(_ path: String) throws -> JSON {
    let response = try answer("GET", "/api/\(path)")
    #expect(response.status == 200)
    return try JSON(parsing: response.body)
  }

  /// Returns the status and the answer of a POST request.
  func post(_ path: String, _ json: JSON) throws -> (status: Int, json: JSON) {
    machine.timekeeper.advance(milliseconds: 60_000)
    let response = try answer(
      "POST", "/api/\(path)", ["content-type": "application/json"], body: Array(json.text().utf8))
    return (response.status, try JSON(parsing: response.body))
  }

  private var asked = 0

  /// Posts a change that must succeed.
  @discardableResult
  func wish(_ command: String, _ members: (String, JSON)...) throws -> JSON {
    let (status, answer) = try send(command, members.map { JSON.Member($0.0, $0.1) })
    #expect(status == 200, "\(answer.text())")
    return answer
  }

  /// Posts a change, and returns the status and the answer.
  func send(_ command: String, _ members: [JSON.Member]) throws -> (status: Int, json: JSON) {
    asked += 1
    let name = [
      JSON.Member("request", .string("r\(asked)")), JSON.Member("command", .string(command)),
    ]
    return try post("do", .object(name + members))
  }

  /// Returns the words of the actions that a record offers.
  func actions(_ id: String) throws -> [String?] {
    (try get("item/\(id)")["actions"]?.array ?? []).map { $0["words"]?.string }
  }

  // MARK: Requests over a connection

  /// Sends bytes over a new connection, and returns the answer.
  func send(_ text: String) throws -> String {
    let line = try dial()
    try line.send(Array(text.utf8), patienceMilliseconds: 0)
    return try hear(line)
  }

  func dial() throws -> any Line {
    try machine.network.dial(host: "127.0.0.1", port: Self.port, patienceMilliseconds: 0)
  }

  /// Runs the server for several turns, and returns the bytes received.
  func hear(_ line: any Line) throws -> String {
    var heard: [UInt8] = []
    for _ in 0..<4 {
      try server.turn(patienceMilliseconds: 0)
      while let bytes = try? line.receive(upTo: 1 << 16, patienceMilliseconds: 0), !bytes.isEmpty {
        heard += bytes
      }
    }
    return String(decoding: heard, as: UTF8.self)
  }
}

extension JSON {
  /// The rows of all sections.
  var rows: [JSON] {
    (self["sections"]?.array ?? []).flatMap { $0["rows"]?.array ?? [] }
  }

  var titles: [String] { rows.compactMap { $0["title"]?.string } }
}
