import Bytes
import Journaling
import Testing

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

/// Complete frames with forbidden content.
///
/// Each of these frames is the second frame of its log.
@Suite struct RefusedFrameTests {
  private static func error(
    _ events: [Event], spoil: (inout Parts) -> Void = { _ in }
  ) throws -> FrameError? {
    var log = try HandWrittenLog()
    _ = try log.frame([log.opening])
    let bytes = try log.frame(events, spoil: spoil)
    var chain = Chain()
    do throws(FrameError) {
      _ = try Frame.decode(bytes.span, at: 0, &chain)
    } catch {
      return error
    }
    return nil
  }

  @Test func `Frame: an event that overfills the table is refused`() throws {
    let id = UniqueID(high: 3, low: 4).bytes
    let seen: [UInt8] = [1, 0x81, 0x83, 0x50] + id + [9, 0x50] + id
    let events = [HandWrittenLog.extra([seen])]
    let fitting = try Self.error(events) { $0.tableCount = 4_095 }
    #expect(fitting == nil)
    #expect(try Self.error(events) { $0.tableCount = 4_096 } == .header(sequence: 2))
  }

  @Test func `Frame: a table with too many entries is refused`() throws {
    let refusal = try Self.error([HandWrittenLog.plain()]) {
      $0.tableCount = 4_097
      $0.table = [UniqueID](repeating: UniqueID(high: 3, low: 4), count: 4_097)
    }
    #expect(refusal == .content(.tooMany(at: 66)))
  }

  @Test func `Frame: a time beyond the largest number is refused`() throws {
    let late = UInt64(Int64.max) - 5
    let early = try Self.error([HandWrittenLog.plain()]) { $0.time = late }
    #expect(early == nil)
    #expect(
      try Self.error([HandWrittenLog.plain()]) { $0.time = late + 1 } == .header(sequence: 2))
    let later = [HandWrittenLog.extra([[0, 1]])]
    #expect(try Self.error(later) { $0.when = .max - 1 } == nil)
    #expect(try Self.error(later) { $0.when = .max } == .header(sequence: 2))
  }

  @Test func `Frame: content beyond one mebibyte is refused unless it includes salts`() throws {
    let events = (1...2).map { (number: UInt64) in
      Event(header: [5], body: Bench.body(number, byteCount: 600 << 10), delta: 5)
    }
    #expect(try Self.error(events) == .envelope)
    let salts = [0x50] + HandWrittenLog.salt(of: 2) + [0x50] + HandWrittenLog.salt(of: 3)
    let salted = try Self.error(events) { $0.blocks = [[0x82] + salts] }
    #expect(salted == nil)
  }
}
