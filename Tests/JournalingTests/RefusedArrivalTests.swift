import Bytes
import Journaling
import SimulatedPlatform
import Testing

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

/// Invalid frames from faulty or malicious senders.
@Suite struct RefusedArrivalTests {
  /// The error for the last of the given frames, after the others have been received.
  private static func refusal(_ frames: [[UInt8]], of log: UniqueID) throws -> JournalError? {
    var journal = try Bench(keySeed: 40).begun()
    for frame in frames.dropLast() { try journal.receive(frame, of: log, on: .logs) }
    do throws(JournalError) {
      try journal.receive(frames[frames.count - 1], of: log, on: .logs)
    } catch {
      return error
    }
    return nil
  }

  /// The error for a frame that repeats the stored events with changed parts, and adds one event.
  private static func refusal(spoil: (inout Parts) -> Void) throws -> JournalError? {
    var (held, other) = (try HandWrittenLog(), try HandWrittenLog())
    let beginning = [held.opening, HandWrittenLog.plain()]
    let frame = try held.frame(beginning)
    let longer = try other.frame(beginning + [HandWrittenLog.plain()], spoil: spoil)
    return try refusal([frame, longer], of: held.id)
  }

  @Test func `Reception: bytes after a frame are refused`() throws {
    var log = try HandWrittenLog()
    let frame = try log.frame([log.opening])
    #expect(try Self.refusal([frame], of: log.id) == nil)
    #expect(try Self.refusal([frame + [0]], of: log.id) == .refused(log.id, .trailing))
  }

  @Test func `Reception: a first event without a name is refused`() throws {
    var log = try HandWrittenLog()
    var opening = log.opening
    // This removes the name.
    opening.body[0] -= 1
    opening.body.removeLast(5)
    let frame = try log.frame([opening])
    #expect(Frame.openingKey(in: frame) == nil)
    #expect(Frame.openingKey(in: Array(frame.dropLast())) == nil)
    #expect(try Self.refusal([frame], of: log.id) == .refused(log.id, .body(sequence: 1)))
  }

  @Test func `Reception: more unproven events than fit into one frame are refused`() throws {
    var log = try HandWrittenLog()
    var frames = [try log.frame([log.opening], hasHead: false)]
    for number: UInt64 in 1...4 {
      let event = Event(header: [5], body: Bench.body(number, byteCount: 250 << 10), delta: 5)
      frames.append(try log.frame([event], hasHead: false))
    }
    #expect(try Self.refusal(frames.dropLast(), of: log.id) == nil)
    #expect(try Self.refusal(frames, of: log.id) == .unproved(log.id, sequence: 4))
  }

  @Test func `Reception: an overlapping frame with a different time or table is refused`() throws {
    let id = try HandWrittenLog().id
    let other = UniqueID(high: 3, low: 4)
    #expect(try Self.refusal { _ in } == nil)
    #expect(try Self.refusal { $0.time = 7 } == .unjoined(id, sequence: 1))
    #expect(
      try Self.refusal { ($0.tableCount, $0.table) = (1, [other]) } == .unjoined(id, sequence: 1))
    #expect(try Self.refusal { $0.tableCount = 5 } == .unjoined(id, sequence: 1))
  }

  @Test func `Journal: admitting or writing an unknown log fails`() throws {
    let bench = try Bench()
    let nobody = UniqueID(high: 1, low: 1)
    var journal = try bench.begun()
    #expect(throws: JournalError.unknownLog(nobody)) { try journal.admit(nobody) }
    #expect(throws: JournalError.unknownLog(nobody)) {
      _ = try journal.append([Bench.command(1)], to: nobody, keys: bench.keys)
    }
  }

  @Test func `Command size: event headers count towards the limit`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let body: [UInt8] = [0x84, 0, 2, 5, 0x58, 33] + [UInt8](repeating: 1, count: 33)
    let events = [NewEvent](repeating: NewEvent(body: body), count: 16_384)
    let before = bench.machine.disk.files
    // The first header states the number of events that follow.
    #expect(
      throws: JournalError.commandTooLarge(eventCount: 16_384, byteCount: (640 << 10) + 6)
    ) {
      _ = try journal.append(
        [Command(time: Bench.start, events: events)], to: bench.log, keys: bench.keys)
    }
    #expect(bench.machine.disk.files == before)
  }
}
