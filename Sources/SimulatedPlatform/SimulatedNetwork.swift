package import Platform
import Synchronization

/// A network in memory in which no call waits.
///
/// A call that would have to wait reports a timeout instead.
///
/// A network connects machines by their host names. A listener at an empty host, `0.0.0.0` or `::` accepts calls to
/// every name, and every listener accepts calls to these three names.
package final class SimulatedNetwork: Network {
  fileprivate struct Exchange {
    var listeners: [UInt16: [SimulatedListener]] = [:]
    var unreachable: Set<String> = []
    var lines: [Cable] = []
    var lastPort: UInt16 = 49151
  }

  /// Starts a program with its end of a line; returns nil if there is no such program.
  package typealias Launch =
    @Sendable (_ command: [String], _ line: SimulatedLine) -> (any SimulatedProgram)?

  private let exchange = Mutex(Exchange())
  private let launch = Mutex<Launch?>(nil)

  private let room: Int

  /// Creates a network whose lines hold at most `room` offered bytes that have not yet been received.
  package init(room: Int = .max) { self.room = room }

  package func poller() throws(NetworkError) -> any Poller { SimulatedPoller() }

  package func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    try exchange.withLock { (exchange) throws(NetworkError) in
      exchange.listeners = exchange.listeners.compactMapValues { listeners in
        let open = listeners.filter { !$0.isClosed }
        return open.isEmpty ? nil : open
      }
      let chosen = port == 0 ? exchange.freePort() : port
      let taken = exchange.listeners[chosen] ?? []
      guard !taken.contains(where: { $0.answers(to: host) }) else { throw .portInUse }
      let listener = SimulatedListener(host: host, port: chosen)
      exchange.listeners[chosen] = taken + [listener]
      return listener
    }
  }

  package func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    try exchange.withLock { (exchange) throws(NetworkError) in
      guard !exchange.unreachable.contains(host) else { throw .unreachable }
      let address = "\(host):\(port)"
      let listener = exchange.listeners[port]?.first { $0.answers(to: host) && !$0.isClosed }
      guard let listener else { throw .refused(address) }
      let cable = Cable(host: host, room: room)
      guard listener.ring(SimulatedLine(cable, .listener, peer: "caller of \(address)")) else {
        throw .refused(address)
      }
      exchange.lines.removeAll { $0.isDone }
      exchange.lines.append(cable)
      return SimulatedLine(cable, .dialler, peer: address)
    }
  }

  /// Sets the function that starts programs.
  ///
  /// Without it, there are no programs.
  package func install(_ launch: @escaping Launch) { self.launch.withLock { $0 = launch } }

  package func run(
    _ command: [String], to peer: String
  ) throws(NetworkError) -> any ProgramLine {
    let cable = Cable(host: peer, room: room)
    let far = SimulatedLine(cable, .listener, peer: "standard input")
    let launch = launch.withLock { $0 }
    guard let program = launch?(command, far) else { throw .noProgram(command[0]) }
    exchange.withLock { $0.lines.append(cable) }
    return SimulatedProgramLine(SimulatedLine(cable, .dialler, peer: peer), far, program)
  }

  /// Cuts every line that was dialled to a host, and makes the host unreachable until ``restore(_:)`` is called.
  package func isolate(_ host: String) {
    exchange.withLock { exchange in
      exchange.unreachable.insert(host)
      for cable in exchange.lines where cable.host == host { cable.cut() }
    }
  }

  /// Makes a host reachable again.
  ///
  /// Lines that have been cut remain cut.
  package func restore(_ host: String) {
    exchange.withLock { _ = $0.unreachable.remove(host) }
  }

  /// Cuts every line in the network.
  package func cutLines() {
    exchange.withLock { exchange in
      for cable in exchange.lines { cable.cut() }
    }
  }
}

extension SimulatedNetwork.Exchange {
  fileprivate mutating func freePort() -> UInt16 {
    repeat {
      lastPort = lastPort == .max ? 49152 : lastPort + 1
    } while listeners[lastPort] != nil
    return lastPort
  }
}

private final class SimulatedListener: Listener, Ready {
  private struct Door {
    var isClosed = false
    var callers: [SimulatedLine] = []
  }

  let host: String
  let port: UInt16
  private let door = Mutex(Door())

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  var isClosed: Bool { door.withLock { $0.isClosed } }

  var readiness: Interest {
    door.withLock { $0.isClosed || !$0.callers.isEmpty ? .reading : [] }
  }

  func answers(to name: String) -> Bool {
    let everywhere = ["", "0.0.0.0", "::"]
    return host == name || everywhere.contains(host) || everywhere.contains(name)
  }

  /// Queues the given caller until it is accepted; returns false if the listener is closed.
  func ring(_ caller: SimulatedLine) -> Bool {
    door.withLock { door in
      if door.isClosed { return false }
      door.callers.append(caller)
      return true
    }
  }

  func accept(patienceMilliseconds: Int) throws(NetworkError) -> (any Line)? {
    try door.withLock { (door) throws(NetworkError) in
      guard !door.isClosed else { throw .cut }
      return door.callers.isEmpty ? nil : door.callers.removeFirst()
    }
  }

  func close() {
    let callers = door.withLock { door in
      door.isClosed = true
      defer { door.callers = [] }
      return door.callers
    }
    for caller in callers { caller.close() }
  }
}
