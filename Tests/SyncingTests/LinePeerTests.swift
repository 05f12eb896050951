import Bytes
import Dispatch
import Foundation
import Journaling
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

/// Syncs over lines, all of which are simulated except one.
struct LinePeerTests {
  /// Two ends of a line in memory, and a clock that does not advance.
  struct Wire {
    let machine = SimulatedMachine(seed: 1)
    let dialler: any Line
    let listener: any Line

    init() throws {
      let door = try machine.network.listen(host: "here", port: 7)
      dialler = try machine.network.dial(host: "here", port: 7, patienceMilliseconds: 0)
      listener = try #require(try door.accept(patienceMilliseconds: 0))
    }

    func peers(
      _ left: any Holder, _ right: any Holder
    ) -> (dialler: LinePeer, listener: LinePeer) {
      let clock = machine.timekeeper
      return (
        LinePeer(.dialler, over: dialler, holder: left, timekeeper: clock),
        LinePeer(.listener, over: listener, holder: right, timekeeper: clock)
      )
    }
  }

  static func run(_ dialler: inout LinePeer, _ listener: inout LinePeer) throws(SyncError) {
    var isOver = false
    while !isOver {
      let progress = (
        try dialler.advance(patienceMilliseconds: 0), try listener.advance(patienceMilliseconds: 0)
      )
      isOver = progress == (.finished, .finished)
    }
  }

  @Test func `Line peer: a sync gives both sides the same events, and both report the transfer`()
    throws
  {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    var (dialler, listener) = try Wire().peers(anna, bert)
    try Self.run(&dialler, &listener)
    let united = anna.frontier
    #expect(bert.frontier == united)
    #expect(
      dialler.report
        == SessionReport(
          sent: [.anna: 2, .cleo: 1], received: [.bert: 3],
          peerHello: SessionTests.bert().hello, peerFrontier: dialler.report.peerFrontier,
          frontier: united, problems: [], traffic: dialler.report.traffic))
    #expect(
      listener.report
        == SessionReport(
          sent: [.bert: 3], received: [.anna: 2, .cleo: 1],
          peerHello: SessionTests.anna().hello, peerFrontier: united, frontier: united,
          problems: [], traffic: listener.report.traffic))
    let (there, back) = (dialler.report.traffic, listener.report.traffic)
    #expect(there.bytesSent == back.bytesReceived && there.bytesReceived == back.bytesSent)
    #expect(there.bytesSent > 500 && there.bytesReceived > 300)
    #expect(there.roundTrips == 2)
  }

  @Test func `Line peer: a line cut after any step is recovered by the next sync`() throws {
    for steps in 1...8 {
      let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
      let wire = try Wire()
      var (dialler, listener) = wire.peers(anna, bert)
      do {
        for step in 0..<steps {
          if step.isMultiple(of: 2) {
            _ = try dialler.advance(patienceMilliseconds: 0)
          } else {
            _ = try listener.advance(patienceMilliseconds: 0)
          }
        }
        wire.machine.network.cutLines()
        try Self.run(&dialler, &listener)
      } catch {
        #expect(error == .network(.cut))
      }
      var (again, answering) = try Wire().peers(anna, bert)
      try Self.run(&again, &answering)
      #expect(SessionTests.contents(anna) == SessionTests.united)
      #expect(SessionTests.contents(bert) == SessionTests.united)
    }
  }

  @Test func `Line peer: a refused dialler receives the reason`() throws {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    bert.failure = .poisoned
    var (dialler, listener) = try Wire().peers(anna, bert)
    #expect(throws: SyncError.journal(.poisoned)) { try Self.run(&dialler, &listener) }
    #expect(throws: SyncError.refused(Refusal(.busy, "my disk cannot store the events"))) {
      while try dialler.advance(patienceMilliseconds: 0) == .waiting {}
    }
  }

  @Test func `Line peer: a silent peer times out and its line is closed`() throws {
    let wire = try Wire()
    var (_, listener) = wire.peers(SessionTests.anna(), SessionTests.bert())
    #expect(try listener.advance(patienceMilliseconds: 0) == .waiting)
    wire.machine.timekeeper.advance(milliseconds: 10_001)
    #expect(throws: SyncError.tooSlow) { try listener.advance(patienceMilliseconds: 0) }
    // The line is closed as well.
    #expect(throws: NetworkError.cut) {
      try wire.listener.receive(upTo: 1, patienceMilliseconds: 0)
    }
  }

  @Test func `Line peer: a peer that sends single bytes times out`() throws {
    let wire = try Wire()
    var (_, listener) = wire.peers(SessionTests.anna(), SessionTests.bert())
    let hello = Message.hello(SessionTests.anna().hello).encoded
    try wire.dialler.send(hello + [0, 15], patienceMilliseconds: 0)
    #expect(try listener.advance(patienceMilliseconds: 0) == .waiting)
    var progress = LinePeer.Progress.waiting
    var minutes = 0
    #expect(throws: SyncError.tooSlow) {
      while progress == .waiting {
        wire.machine.timekeeper.advance(milliseconds: 20_000)
        minutes += 1
        try wire.dialler.send([0], patienceMilliseconds: 0)
        progress = try listener.advance(patienceMilliseconds: 0)
      }
    }
    #expect(minutes == 4)
  }

  @Test func `Line peer: more data than any buffer holds passes both ways over a real socket`()
    throws
  {
    let machine = Machine.system
    let door = try machine.network.listen(host: "127.0.0.1", port: 0)
    defer { door.close() }
    let text = String(repeating: "x", count: 200)
    let many = (0..<20_000).map { "\($0) \(text)" }
    let clock = machine.timekeeper
    let outcome = Mutex<Result<SessionReport, any Error>?>(nil)
    let (isReady, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let anna = MemoryHolder(.anna).write(many, to: .anna)
    anna.eventsPerFrame = 500
    // The sync needs a separate thread, because other tests may occupy all threads of the pool.
    Thread.detachNewThread {
      let bert = MemoryHolder(.bert).write(many, to: .bert)
      bert.eventsPerFrame = 500
      isReady.signal()
      let result = Result {
        let line = try #require(try door.accept(patienceMilliseconds: 10_000))
        var peer = LinePeer(.listener, over: line, holder: bert, timekeeper: clock)
        return try peer.run()
      }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    isReady.wait()
    let line = try machine.network.dial(
      host: "127.0.0.1", port: door.port, patienceMilliseconds: 10_000)
    var peer = LinePeer(.dialler, over: line, holder: anna, timekeeper: clock)
    let report = try peer.run()
    isDone.wait()
    let other = try #require(outcome.withLock { $0 }).get()
    #expect(report.received == [.bert: 20_000])
    #expect(other.received == [.anna: 20_000])
    #expect(report.frontier == other.frontier)
  }
}
