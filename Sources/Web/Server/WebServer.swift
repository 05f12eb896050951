import Bytes
import Platform

/// Answers browsers on one thread, waiting for all connections at once.
///
/// A slow, silent or demanding client does not delay the others. Each turn reads one portion from every connection that
/// is ready, answers at most one request from each, sends as many bytes as each accepts, and drops connections that
/// have timed out.
final class WebServer {
  private let machine: Machine
  private let poller: any Poller
  private let listener: any Listener
  private let gate: Gatekeeper
  private let host: any WebHost
  private var connections: [UInt64: Connection] = [:]
  private var lastNumber = Token.firstConnection
  /// Connections with bytes left after an answered request.
  ///
  /// The next turn continues with these bytes, and does not read any more from the connections.
  private var crowding: Set<UInt64> = []
  /// Whether each turn must check for commits, because the poller cannot wait for the watch.
  private var mustCheck = false

  private enum Token {
    static let listener: UInt64 = 1
    static let watch: UInt64 = 2
    static let firstConnection: UInt64 = 15
  }

  init(
    on machine: Machine, listener: any Listener, gate: Gatekeeper, host: any WebHost
  ) throws(NetworkError) {
    (self.machine, self.listener, self.gate, self.host) = (machine, listener, gate, host)
    poller = try machine.network.poller()
    try poller.add(listener, as: Token.listener, for: .reading)
  }

  /// Checks for commits whenever a watch reports something.
  func attend(to watch: any Watch) throws(NetworkError) {
    guard poller.canWait(for: watch) else {
      mustCheck = true
      return
    }
    try poller.add(watch, as: Token.watch, for: .reading)
  }

  /// Returns a closure with which work on other threads ends the wait of the current turn.
  var waker: @Sendable () -> Void { { [poller] in poller.wake() } }

  private var now: Int64 { machine.timekeeper.monotonicMilliseconds() }

  var streamCount: Int { connections.values.count { $0.isStream } }

  /// Waits until something happens, and handles it.
  func turn(patienceMilliseconds: Int) throws(NetworkError) {
    let next = connections.values.map(\.deadline).min() ?? .max
    let crowd = crowding
    crowding = []
    let patience = crowd.isEmpty ? min(Int64(patienceMilliseconds), max(0, next - now)) : 0
    let ready = try poller.wait(patienceMilliseconds: Int(patience))
    if mustCheck { host.checkForCommits() }
    for each in ready {
      switch each.token {
      case Token.listener: answerDoor()
      case Token.watch: host.checkForCommits()
      default:
        guard let connection = connections[each.token], !crowd.contains(each.token) else { break }
        serve(connection, each.interest)
      }
    }
    for number in crowd { if let connection = connections[number] { look(after: connection) } }
    for connection in connections.values where connection.deadline <= now { ring(connection) }
  }

  /// Sends events to the client of a stream.
  func send(_ events: [StreamEvent], to number: UInt64) {
    guard let connection = connections[number], !events.isEmpty else { return }
    for event in events { connection.send(event.bytes) }
    look(after: connection)
  }

  /// Closes all connections, after sending `bye` to streams.
  func stop() {
    for connection in connections.values {
      if connection.isStream { connection.send(StreamEvent("bye", .object([])).bytes) }
      connection.flush(now: now)
      connection.close()
    }
    connections = [:]
    poller.remove(Token.listener)
  }

  private func answerDoor() {
    // If one connection is already closed or cannot be added, the others must still be accepted.
    while let line = try? listener.accept(patienceMilliseconds: 0) {
      lastNumber += 1
      let connection = Connection(lastNumber, over: line, now: now)
      do throws(NetworkError) {
        try poller.add(line, as: connection.number, for: .reading)
      } catch {
        line.close()
        continue
      }
      connections[connection.number] = connection
      look(after: connection)
      makeRoom(for: connection)
    }
  }

  /// Closes a connection if there are too many.
  ///
  /// The connection that has waited longest among those that have not shown the key is closed or, if all have shown it,
  /// the new connection. Clients without the key therefore cannot lock out a client that has it.
  private func makeRoom(for newcomer: Connection) {
    guard connections.count > HTTPLimit.connections else { return }
    let strangers = connections.values.filter { !$0.isKnown && !$0.isLeaving }
    let leaver = strangers.min { ($0.since, $0.number) < ($1.since, $1.number) } ?? newcomer
    refuse(leaver, .unavailable)
    leaver.lingers = false
    look(after: leaver)
  }

  private func serve(_ connection: Connection, _ interest: Interest) {
    if interest.contains(.reading) { connection.receive(now: now) }
    look(after: connection)
  }

  /// Sends waiting bytes, and answers the first complete request.
  ///
  /// The next request is answered in the next turn.
  private func look(after connection: Connection) {
    connection.flush(now: now)
    if !connection.isOver, !connection.isLeaving, !connection.isStream,
      connection.unsentBytes == 0
    {
      do throws(HTTPFault) {
        if let request = try connection.parser.next() {
          answer(request, on: connection)
          if connection.parser.isUnderWay { crowding.insert(connection.number) }
        }
      } catch {
        refuse(connection, error)
      }
      connection.flush(now: now)
    }
    let isTooSlow = connection.isStream && connection.unsentBytes > HTTPLimit.unsentBytes
    if connection.isOver || isTooSlow { return drop(connection) }
    guard connection.wanted != connection.interest else { return }
    connection.interest = connection.wanted
    // If this fails, the line is broken, and the poller reports that.
    try? poller.change(connection.number, to: connection.wanted)
  }

  private func answer(_ request: HTTPRequest, on connection: Connection) {
    let isLast = request.wantsClose
    do throws(HTTPFault) {
      let target = try gate.admit(request)
      connection.isKnown = true
      switch host.answer(request, target, on: connection.number) {
      case .whole(let response):
        connection.send(response.head(length: response.body.count, isLast: isLast))
        if request.method != "HEAD" { connection.send(response.body) }
        connection.isLeaving = isLast
      case .stream(let events): begin(events, on: connection)
      }
    } catch {
      refuse(connection, error, isLast: isLast)
    }
  }

  private func begin(_ events: [StreamEvent], on connection: Connection) {
    let response = HTTPResponse(
      200, "OK",
      fields: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")])
    connection.isStream = true
    connection.send(response.head(length: nil, isLast: true))
    for event in events { connection.send(event.bytes) }
  }

  /// Sends an error response.
  ///
  /// If it is the last response, the connection closes after it.
  private func refuse(_ connection: Connection, _ fault: HTTPFault, isLast: Bool = true) {
    let response = HTTPResponse(fault)
    connection.send(response.head(length: response.body.count, isLast: isLast))
    connection.send(response.body)
    (connection.isLeaving, connection.lingers) = (isLast, isLast)
  }

  /// Handles the timeout of a connection.
  private func ring(_ connection: Connection) {
    if connection.isStream {
      connection.send(StreamEvent.heartbeat)
      connection.flush(now: now)
      // If a client has accepted no bytes since the last heartbeat, it is considered disconnected.
      if connection.deadline <= now { return drop(connection) }
      return look(after: connection)
    }
    if connection.parser.isUnderWay, !connection.isLeaving {
      refuse(connection, .requestTimeout)
      connection.flush(now: now)
    }
    drop(connection)
  }

  private func drop(_ connection: Connection) {
    connections[connection.number] = nil
    crowding.remove(connection.number)
    poller.remove(connection.number)
    connection.close()
    if connection.isStream { host.ended(stream: connection.number) }
  }
}
