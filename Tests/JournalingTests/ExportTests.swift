import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// The export of a log with unusual frames, or with events that no head proves.
struct ExportTests {
  @Test func `Export: a frame whose time contradicts the frame before it is still sent`() throws {
    var log = try HandWrittenLog()
    let frames = [
      try log.frame([log.opening], hasHead: false),
      try log.frame([HandWrittenLog.plain("early")], hasHead: false),
      // Its chain hash continues the frame before it, so a reader finds no damage.
      try log.frame([HandWrittenLog.plain("late")], hasHead: false) { $0.time += 1 },
      try log.frame([HandWrittenLog.plain("later")], hasHead: false),
    ]
    let replica = ReplicaFiles(
      id: log.id, files: [(ReplicaFiles.tail, frames.flatMap(\.self))])
    let folder = LogFolder(
      path: Path("/book/logs/\(log.id.hex)"), replica: log.id, disk: try replica.disk())
    var export = LogExport(
      LogReader(folder, from: 1), after: 0, signer: (log.id, log.keys))
    var chain = Chain()
    var sent: [ClosedRange<UInt64>] = []
    while let bytes = try export.next() {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      sent.append(frame.firstSequence...frame.lastSequence)
      #expect(frame.head != nil)
    }
    #expect(sent.flatMap { Array($0) } == [1, 2, 3, 4])
  }

  /// Exports a file for a device that holds no events, without the keys of the log.
  ///
  /// Returns the events of each sent frame, and the number of withheld events.
  private func sent(
    of log: HandWrittenLog, _ frames: [[UInt8]]
  ) throws -> (events: [ClosedRange<UInt64>], withheld: UInt64) {
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, frames.flatMap(\.self))])
    let folder = LogFolder(
      path: Path("/book/logs/\(log.id.hex)"), replica: log.id, disk: try replica.disk())
    var export = LogExport(LogReader(folder, from: 1), after: 0, signer: nil)
    var chain = Chain()
    var sent: [ClosedRange<UInt64>] = []
    while let bytes = try export.next() {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      sent.append(frame.firstSequence...frame.lastSequence)
    }
    return (sent, export.withheld)
  }

  private static func large(_ number: UInt64, byteCount: Int) -> HandWrittenLog.Event {
    .init(header: [5], body: Bench.body(number, byteCount: byteCount), delta: 5)
  }

  @Test(arguments: [1, 4, 5])
  func `Export: unproven events beyond one frame are withheld, and later ones are sent`(
    count: UInt64
  ) throws {
    var log = try HandWrittenLog()
    var frames = [try log.frame([log.opening])]
    for number in 1...count {
      frames.append(
        try log.frame([Self.large(number, byteCount: 250 << 10)], hasHead: false))
    }
    frames.append(try log.frame([HandWrittenLog.plain()]))
    let last = count + 2
    let (events, withheld) = try sent(of: log, frames)
    #expect(events == [1...1, count == 5 ? last...last : 2...last])
    #expect(withheld == (count == 5 ? 5 : 0))
  }

  @Test func `Export: unproven events beyond one frame are counted once without a later head`()
    throws
  {
    var log = try HandWrittenLog()
    var frames = [try log.frame([log.opening])]
    for number: UInt64 in 1...5 {
      frames.append(
        try log.frame([Self.large(number, byteCount: 250 << 10)], hasHead: false))
    }
    let (events, withheld) = try sent(of: log, frames)
    #expect(events == [1...1])
    #expect(withheld == 5)
  }

  @Test func `Export: a frame whose requested part would be too large is sent whole`() throws {
    var log = try HandWrittenLog()
    let events =
      [log.opening] + [HandWrittenLog.Event](repeating: HandWrittenLog.plain(), count: 63)
    var held = log
    let beginning = try held.frame(events)
    // The frame is larger than a mebibyte, which is allowed only because it contains the salts of its first 64 events.
    let large = (1...3).map { Self.large($0, byteCount: 450 << 10) }
    let frame = try log.frame(events + large) {
      var writer = CBORWriter()
      writer.arrayHeader(64)
      for sequence: UInt64 in 1...64 { writer.byteString(HandWrittenLog.salt(of: sequence)) }
      $0.blocks[0] = writer.bytes
    }
    let machine = SimulatedMachine(seed: 4).machine
    let sender = try Bench.journal(
      on: Bench().copy(
        of: ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, frame)]).disk()))
    // The other frame has only some of the salts, and may be just as large.
    let most = try sender.exported(log.id, after: 60, keys: nil)
    #expect(most.map { $0.count < frame.count } == [true])
    let isWhole = try sender.exported(log.id, after: 64, keys: nil) == [frame]
    #expect(isWhole)
    var receiver = try Bench.journal(on: machine)
    for bytes in [beginning, frame] {
      try receiver.receive(bytes, of: log.id, on: .logs)
      _ = try receiver.commit()
    }
    let found = try Bench.journal(on: machine).contents(of: log.id)
    #expect(found.events.last?.hash == log.hash)
    #expect(found.events.map(\.sequence) == Array(1...67))
  }

  @Test func `Export: signed frames are sent before a signing error stops the rest`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    try journal.seal(bench.log, keys: bench.keys)
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    let whole = try journal.exported(bench.log, keys: bench.keys)
    var export = try journal.export(
      of: bench.log, lackedBy: [], keys: SigningSourceTests.Unable())
    #expect(try export.next() == whole[0])
    #expect(throws: JournalError.signing(SigningSourceTests.Unable.error)) {
      try export.next()
    }
  }
}
