import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

/// The behaviour that every poller must provide, tested on each platform over loopback.
@Suite(.timeLimit(.minutes(1))) struct `The contract of pollers` {
  static let networks: [Way] = [
    Way(name: "posix", network: PosixNetwork(), patience: 5_000),
    // A line of this network accepts at most the given number of bytes.
    Way(name: "simulated", network: SimulatedNetwork(room: 100_000), patience: 0),
  ]

  struct Way: CustomTestStringConvertible, Sendable {
    let name: String
    let network: any Network
    /// The time within which a subject must become ready.
    let patience: Int

    var testDescription: String { name }

    func listen() throws -> any Listener { try network.listen(host: "127.0.0.1", port: 0) }

    func dial(_ listener: any Listener) throws -> any Line {
      try network.dial(host: "127.0.0.1", port: listener.port, patienceMilliseconds: 5_000)
    }

    func join() throws -> (near: any Line, far: any Line) {
      let listener = try listen()
      defer { listener.close() }
      let near = try dial(listener)
      return (near, try #require(try listener.accept(patienceMilliseconds: 5_000)))
    }
  }

  private func ready(_ token: UInt64, _ interest: Interest) -> [Readiness] {
    [Readiness(token: token, interest: interest)]
  }

  @Test(arguments: networks)
  func `Poller: a listener is ready while a caller waits`(way: Way) throws {
    let (poller, listener) = (try way.network.poller(), try way.listen())
    #expect(poller.canWait(for: listener))
    try poller.add(listener, as: 7, for: .reading)
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    let line = try way.dial(listener)
    for _ in 0..<2 {
      #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(7, .reading))
    }
    _ = try listener.accept(patienceMilliseconds: 0)
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    line.close()
    listener.close()
  }

  @Test(arguments: networks)
  func `Poller: a line is ready for reading until all its bytes are read`(way: Way) throws {
    let (near, far) = try way.join()
    let poller = try way.network.poller()
    try poller.add(far, as: 1, for: .reading)
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    try near.send([1, 2, 3], patienceMilliseconds: 0)
    #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(1, .reading))
    #expect(try far.receive(upTo: 2, patienceMilliseconds: 0) == [1, 2])
    #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(1, .reading))
    #expect(try far.receive(upTo: 2, patienceMilliseconds: 0) == [3])
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    near.close()
    #expect(try poller.wait(patienceMilliseconds: way.patience).map(\.token) == [1])
    #expect(try far.receive(upTo: 2, patienceMilliseconds: 0) == [])
  }

  @Test(arguments: networks)
  func `Poller: only the requested interests are reported`(way: Way) throws {
    let (near, far) = try way.join()
    let poller = try way.network.poller()
    try near.send([1], patienceMilliseconds: 0)
    try poller.add(far, as: 5, for: .writing)
    #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(5, .writing))
    try poller.change(5, to: .reading)
    #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(5, .reading))
    try poller.change(5, to: [.reading, .writing])
    #expect(try poller.wait(patienceMilliseconds: 0) == ready(5, [.reading, .writing]))
    try poller.change(5, to: [])
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    near.close()
  }

  @Test(arguments: networks)
  func `Poller: a removed subject is not reported, and its token is free`(way: Way) throws {
    let (near, far) = try way.join()
    let (other, closed) = try way.join()
    let poller = try way.network.poller()
    try poller.add(far, as: 1, for: .reading)
    try poller.add(closed, as: 2, for: .reading)
    try near.send([1], patienceMilliseconds: 0)
    try other.send([1], patienceMilliseconds: 0)
    poller.remove(1)
    closed.close()
    poller.remove(2)
    poller.remove(3)
    #expect(try poller.wait(patienceMilliseconds: 0) == [])
    try poller.add(far, as: 2, for: .reading)
    #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(2, .reading))
  }

  @Test(arguments: networks)
  func `Poller: a line accepts the bytes that fit and is ready when there is space`(way: Way) throws
  {
    let (near, far) = try way.join()
    let poller = try way.network.poller()
    try poller.add(near, as: 1, for: .writing)
    #expect(try near.offer([]) == 0)
    let bytes = (0..<16 << 20).map { UInt8(truncatingIfNeeded: $0 % 251) }
    var (sent, received) = (0, [UInt8]())
    while sent < bytes.count {
      let count = try near.offer(bytes[sent...].prefix(1 << 20))
      sent += count
      if count > 0 { continue }
      // The line is full, so nothing is reported until the other end has received enough.
      if try poller.wait(patienceMilliseconds: 0) == [] {
        received += try far.receive(upTo: 1 << 20, patienceMilliseconds: way.patience)
      }
    }
    while received.count < bytes.count {
      received += try far.receive(upTo: 1 << 20, patienceMilliseconds: way.patience)
    }
    #expect(received == bytes)
    far.close()
    // The first bytes may still be accepted. After that, the line is known to be broken.
    let failure = #expect(throws: NetworkError.self) {
      for _ in 0..<100 {
        _ = try near.offer([1])
        _ = try poller.wait(patienceMilliseconds: way.patience)
      }
    }
    #expect(failure == .cut)
  }

  @Test(arguments: networks)
  func `Poller: among 300 lines, every ready one is reported`(way: Way) throws {
    let poller = try way.network.poller()
    let pairs = try (0..<300).map { _ in try way.join() }
    for (number, pair) in pairs.enumerated() {
      try poller.add(pair.far, as: UInt64(number), for: .reading)
      if number % 3 > 0 { try pair.near.send([9], patienceMilliseconds: 0) }
    }
    var told: Set<UInt64> = []
    while told.count < 200 {
      let ready = try poller.wait(patienceMilliseconds: way.patience)
      try #require(!ready.isEmpty)
      for each in ready {
        #expect(told.insert(each.token).inserted)
        _ = try pairs[Int(each.token)].far.receive(upTo: 9, patienceMilliseconds: 0)
      }
    }
    #expect(told == Set((0..<300).filter { $0 % 3 > 0 }))
    for pair in pairs { pair.near.close() }
  }

  @Test(arguments: Make.allCases)
  func `Poller: a watch is ready when it has news`(make: Make) throws {
    try make.trying { disk, home in
      let way = Self.networks[make == .posix ? 0 : 1]
      let (poller, watch) = (try way.network.poller(), try disk.watch(home))
      #expect(poller.canWait(for: watch))
      try poller.add(watch, as: 3, for: .reading)
      #expect(try poller.wait(patienceMilliseconds: 0) == [])
      try disk.put(home / "a", [1])
      #expect(try poller.wait(patienceMilliseconds: way.patience) == ready(3, .reading))
      #expect(try watch.wait(patienceMilliseconds: 0) == .entries(["a"]))
      #expect(try poller.wait(patienceMilliseconds: 0) == [])
    }
  }

  @Test func `Poller: subjects of a different platform are not accepted`() throws {
    let (near, _) = try Self.networks[1].join()
    #expect(try !PosixNetwork().poller().canWait(for: near))
    let (far, _) = try Self.networks[0].join()
    #expect(try !SimulatedNetwork().poller().canWait(for: far))
  }

  @Test func `Poller: a wake ends the current or next wait`() throws {
    let poller = try PosixNetwork().poller()
    poller.wake()
    poller.wake()
    #expect(try poller.wait(patienceMilliseconds: nil) == [])
    #expect(try poller.wait(patienceMilliseconds: 10) == [])
    SystemThread.start { poller.wake() }
    #expect(try poller.wait(patienceMilliseconds: nil) == [])
  }
}
