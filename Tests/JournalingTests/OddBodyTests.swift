import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

private typealias Event = HandWrittenLog.Event

/// Reception, loading, judging and verification agree on valid and invalid bodies.
@Suite struct OddBodyTests {
  private static func event(_ body: [CBORValue]) -> Event {
    Event(header: [5], body: CBORValue.encode(.array(body)), delta: 5)
  }

  /// A log of all odd bodies except the bodies of `open`.
  private static func log() throws -> (id: UniqueID, frames: [[UInt8]], bodies: [[CBORValue]]) {
    var log = try HandWrittenLog()
    let bodies = OddBodies(log.keys).all.filter { $0[0] != .unsigned(8) }
    var frames = [try log.frame([log.opening])]
    for start in stride(from: 0, to: bodies.count, by: 1_000) {
      frames.append(try log.frame(bodies[start...].prefix(1_000).map(event)))
    }
    return (log.id, frames, bodies)
  }

  @Test func `Body: any combination of items is interpreted as the protocol defines`() throws {
    let bodies = OddBodies(try HandWrittenLog().keys).all
    var wrong: [[CBORValue]] = []
    var sense = 0
    for body in bodies {
      let judged = JournalBody(CBORValue.encode(.array(body)).span)
      guard case .unsigned(let verb) = body[0] else { continue }
      let isSense = OddSense.isSense(body)
      if isSense { sense += 1 }
      let expected = verb < 8 ? judged == .domain : (judged != .unread) == isSense
      if !expected { wrong.append(body) }
    }
    #expect(wrong.isEmpty)
    // There are enough valid and invalid bodies for the test to be meaningful.
    #expect(bodies.count > 12_000 && sense > 400)
  }

  @Test(arguments: [LogShelf.logs, .aside])
  func `Body: odd items are received, loaded and verified without a fault`(
    shelf: LogShelf
  ) throws {
    let (id, frames, bodies) = try Self.log()
    let bench = try Bench(keySeed: 40)
    var journal = try bench.begun()
    for frame in frames { try journal.receive(frame, of: id, on: shelf) }
    let grown = try journal.commit()
    #expect(grown == [id])
    let again = try bench.journal()
    let ends = shelf == .logs ? again.logs : again.aside
    #expect(ends[id]?.sequence == UInt64(bodies.count) + 1)
    let report = try Verification.run(on: Bench.folder, disk: bench.machine.disk)
    #expect(report.faults.isEmpty)
    #expect(report.logs.first { $0.id == id }?.last == UInt64(bodies.count) + 1)
    var reader = try again.reader(of: id)
    var read: [[UInt8]] = []
    while let next = try reader.read() {
      let frame = next.frame
      read += frame.events.map { Array(frame.content[$0.body]) }
    }
    #expect(Array(read.dropFirst()) == bodies.map { CBORValue.encode(.array($0)) })
  }

  /// Whether a log of one frame is received, and what verification reports about it on a disk.
  private static func judgement(
    of event: Event, first: Bool
  ) throws -> (isTaken: Bool, faults: [Fault.Kind]) {
    var log = try HandWrittenLog()
    let frame = try log.frame(first ? [event] : [log.opening, event])
    var journal = try Bench(keySeed: 40).begun()
    var isTaken = true
    do throws(JournalError) {
      try journal.receive(frame, of: log.id, on: .logs)
      _ = try journal.commit()
    } catch {
      isTaken = false
    }
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, frame)])
    return (isTaken, try replica.verify().faults.map(\.kind))
  }

  @Test func `First event: verification reports a fault exactly if reception refuses it`() throws {
    let log = try HandWrittenLog()
    // A different incarnation gives a different id, and both report the difference.
    let own: CBORValue = .bytes(log.incarnation.bytes)
    var taken = 0
    for body in OddBodies(log.keys).openings {
      let opening = body.count > 3 && body[3] == OddBodies.id ? body.replacing(3, with: own) : body
      let event = Event(
        header: [0x1a, 0x10, 0, 0, 0], body: CBORValue.encode(.array(opening)), delta: 0x1000_0000)
      let (isTaken, faults) = try Self.judgement(of: event, first: true)
      #expect(isTaken == faults.isEmpty, "\(opening)")
      // The key in the body must be the key of the log, which signed the head.
      let isOwn = opening.count > 3 && opening[3] == own
      #expect(isTaken == (OddSense.isSense(opening) && isOwn), "\(opening)")
      if isTaken { taken += 1 }
    }
    #expect(taken > 20)
  }

  @Test func `Body: an invalid shape is refused and reported by verification`() throws {
    let bodies: [CBORValue] = [
      .array([]), .array([.negative(0)]), .array([.text("add")]), .array([.null]), .unsigned(1),
      .text("add"), .null, .bytes([1]), .map([]), .array([.unsigned(8)]),
    ]
    for body in bodies {
      let event = Event(header: [5], body: CBORValue.encode(body), delta: 5)
      let (isTaken, faults) = try Self.judgement(of: event, first: false)
      #expect(!isTaken && !faults.isEmpty, "\(body)")
    }
  }

  private static func refusal(of frame: [UInt8], of log: UniqueID) throws -> JournalError? {
    var journal = try Bench(keySeed: 40).begun()
    do throws(JournalError) {
      try journal.receive(frame, of: log, on: .aside)
    } catch {
      return error
    }
    return nil
  }

  @Test func `Log key: a key of small order is refused and reported by verification`() throws {
    let weak: [[UInt8]] = [
      [1] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0, count: 32),
      [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    ]
    for key in weak {
      var log = try HandWrittenLog()
      let digest = SHA256.digest(of: Array("daybook replica v1".utf8) + key + log.incarnation.bytes)
      let id = digest.prefix16
      var event = log.opening
      event.body.replaceSubrange(4..<36, with: key)
      let zero = SHA256.digest(of: Array("daybook log v1".utf8) + id.bytes)
      let frame = try log.frame([event]) { parts in
        parts.replica = Array(id.bytes[..<8])
        parts.hash = zero.bytes
        parts.signature = [1] + [UInt8](repeating: 0, count: 63)
      }
      #expect(try Self.refusal(of: frame, of: id) == .refused(id, .body(sequence: 1)))
      let replica = ReplicaFiles(id: id, files: [(ReplicaFiles.tail, frame)])
      #expect(try replica.verify().faults.map(\.kind).contains(.opening))
    }
  }

  @Test func `Erase: an invalid target does not explain a stripped body`() throws {
    let cases: [(CBORValue, Bool)] = [
      (.unsigned(2), true), (.array([.unsigned(0), .unsigned(2)]), true), (.unsigned(0), false),
      (.array([.unsigned(2)]), false), (.unsigned(OddBodies.last + 1), false), (.null, false),
    ]
    for (target, isSense) in cases {
      var log = try HandWrittenLog()
      let first = try log.frame([log.opening, Self.event([.unsigned(12), target])])
      let stripped = HandWrittenLog.stripped(by: log.id, 2, log.hash.prefix16)
      // Salts begin at the start of a block, so the two events are in different blocks.
      let fill = [Event](repeating: HandWrittenLog.plain(), count: 62)
      let frames = [first, try log.frame(fill), try log.frame([stripped])]
      let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, frames.flatMap { $0 })])
      let report = try replica.verify()
      #expect(report.faults.isEmpty)
      #expect(report.logs.map(\.bodiless) == [isSense ? [] : [65...65]], "\(target)")
    }
  }
}

extension [CBORValue] {
  fileprivate func replacing(_ place: Int, with item: CBORValue) -> [CBORValue] {
    var changed = self
    changed[place] = item
    return changed
  }
}
