import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

/// The behaviour that every network must provide, tested on each network over loopback.
@Suite(.timeLimit(.minutes(1))) struct `The contract of networks` {
  static let networks: [Way] = [
    Way(name: "posix, IPv4", host: "127.0.0.1", network: PosixNetwork()),
    Way(name: "posix, by name", host: "localhost", network: PosixNetwork()),
    Way(name: "simulated", host: "127.0.0.1", network: SimulatedNetwork()),
  ]

  struct Way: CustomTestStringConvertible, Sendable {
    let name: String
    let host: String
    let network: any Network

    var testDescription: String { name }

    func join() throws -> (listener: any Listener, near: any Line, far: any Line) {
      let listener = try network.listen(host: host, port: 0)
      let near = try network.dial(host: host, port: listener.port, patienceMilliseconds: 5000)
      let far = try #require(try listener.accept(patienceMilliseconds: 5000))
      return (listener, near, far)
    }
  }

  @Test(arguments: networks)
  func `Network: bytes travel both ways in order`(way: Way) throws {
    let (listener, near, far) = try way.join()
    try near.send([1, 2, 3], patienceMilliseconds: 5000)
    #expect(try far.receive(upTo: 2, patienceMilliseconds: 5000) == [1, 2])
    #expect(try far.receive(upTo: 9, patienceMilliseconds: 5000) == [3])
    try far.send([4], patienceMilliseconds: 5000)
    #expect(try near.receive(upTo: 9, patienceMilliseconds: 5000) == [4])
    #expect(near.peer.hasSuffix(":\(listener.port)"))
    listener.close()
  }

  @Test(arguments: networks)
  func `Network: bytes sent before closing still arrive`(way: Way) throws {
    let (listener, near, far) = try way.join()
    try near.send([1], patienceMilliseconds: 5000)
    near.close()
    near.close()
    #expect(try far.receive(upTo: 9, patienceMilliseconds: 5000) == [1])
    #expect(try far.receive(upTo: 9, patienceMilliseconds: 5000) == [])
    #expect(throws: NetworkError.cut) { try near.receive(upTo: 1, patienceMilliseconds: 0) }
    #expect(throws: NetworkError.cut) { try near.send([1], patienceMilliseconds: 0) }
    listener.close()
  }

  @Test(arguments: networks)
  func `Network: a call without an answer times out`(way: Way) throws {
    let (listener, near, far) = try way.join()
    #expect(throws: NetworkError.timedOut) { try near.receive(upTo: 1, patienceMilliseconds: 10) }
    #expect(throws: NetworkError.timedOut) { try far.receive(upTo: 1, patienceMilliseconds: 0) }
    #expect(try listener.accept(patienceMilliseconds: 10) == nil)
    listener.close()
  }

  @Test(arguments: networks)
  func `Network: a used port and a dial without a listener are refused`(way: Way) throws {
    let listener = try way.network.listen(host: way.host, port: 0)
    let port = listener.port
    #expect(throws: NetworkError.portInUse) {
      try way.network.listen(host: way.host, port: port)
    }
    listener.close()
    let failure = #expect(throws: NetworkError.self) {
      try way.network.dial(host: way.host, port: port, patienceMilliseconds: 5000)
    }
    guard case .refused(let address) = failure else {
      Issue.record("refused, not \(String(describing: failure))")
      return
    }
    #expect(address.hasSuffix(":\(port)"))
    #expect(throws: NetworkError.cut) { try listener.accept(patienceMilliseconds: 0) }
  }

  @Test func `Network: a line that is not read fills up, and closing it is reported`() throws {
    let (listener, near, far) = try Self.networks[0].join()
    let much = [UInt8](repeating: 7, count: 1 << 24)
    #expect(throws: NetworkError.timedOut) { try near.send(much, patienceMilliseconds: 50) }
    far.close()
    #expect(throws: NetworkError.cut) { try near.send(much, patienceMilliseconds: 5000) }
    listener.close()
  }

  private static func wait(on line: any Line) -> NetworkError? {
    do throws(NetworkError) {
      try line.send([1], patienceMilliseconds: 5000)
      _ = try line.receive(upTo: 1, patienceMilliseconds: 30_000)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Network: closing a line ends a waiting call`() async throws {
    // This is repeated, because the scheduler decides whether the call is already waiting when the line is closed.
    for _ in 0..<50 {
      let (listener, near, far) = try Self.networks[0].join()
      let outcome = await withCheckedContinuation { continuation in
        SystemThread.start {
          continuation.resume(returning: Self.wait(on: near))
        }
        // The other end receives a byte when the call is about to wait.
        let heard = Result { try far.receive(upTo: 1, patienceMilliseconds: 5000) }
        near.close()
        if case .success([1]) = heard { return }
        Issue.record("the waiting end said nothing: \(heard)")
      }
      #expect(outcome == .cut)
      #expect(try far.receive(upTo: 1, patienceMilliseconds: 5000) == [])
      listener.close()
    }
  }

  @Test func `Network: an unknown host is reported as such`() {
    #expect(throws: NetworkError.unknownHost) {
      try PosixNetwork().dial(host: "a b", port: 1, patienceMilliseconds: 0)
    }
  }

  @Test func `Simulated network: an isolated host is unreachable until restored`() throws {
    let network = SimulatedNetwork()
    let way = Way(name: "simulated", host: "ada", network: network)
    let (listener, near, far) = try way.join()
    network.isolate("ada")
    #expect(throws: NetworkError.cut) { try near.send([1], patienceMilliseconds: 0) }
    #expect(throws: NetworkError.cut) { try far.receive(upTo: 1, patienceMilliseconds: 0) }
    #expect(throws: NetworkError.unreachable) {
      try network.dial(host: "ada", port: listener.port, patienceMilliseconds: 0)
    }
    network.restore("ada")
    _ = try network.dial(host: "ada", port: listener.port, patienceMilliseconds: 0)
    listener.close()
  }

  @Test func `Simulated network: an end that stops sending still receives until a cut`() throws {
    let way = Way(name: "simulated", host: "ada", network: SimulatedNetwork())
    let (listener, near, far) = try way.join()
    let ended = try #require(near as? SimulatedLine)
    try near.send([1], patienceMilliseconds: 0)
    ended.endSending()
    #expect(try far.receive(upTo: 9, patienceMilliseconds: 0) == [1])
    #expect(try far.receive(upTo: 9, patienceMilliseconds: 0) == [])
    #expect(throws: NetworkError.cut) { try near.send([1], patienceMilliseconds: 0) }
    try far.send([2, 3], patienceMilliseconds: 0)
    #expect(try near.receive(upTo: 1, patienceMilliseconds: 0) == [2])
    ended.cut()
    #expect(throws: NetworkError.cut) { try near.receive(upTo: 9, patienceMilliseconds: 0) }
    #expect(throws: NetworkError.cut) { try far.send([4], patienceMilliseconds: 0) }
    listener.close()
  }
}
