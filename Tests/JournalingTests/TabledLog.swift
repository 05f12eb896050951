import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// A log in one tail, as this device holds it.
struct TabledLog {
  let bench: Bench
  var tail: Path { bench.logFolder / "000000000001.gz" }
  /// The frames with the first event, as other devices hold them.
  let first: [[UInt8]]
  /// Events 2 to 5, with a head at the end.
  let second: [[UInt8]]
  let whole: [Found]

  /// Makes a log whose fourth event introduces a log, so the table of later events depends on it.
  init() throws {
    bench = try Bench()
    var journal = try bench.begun()
    first = try journal.exported(bench.log, keys: bench.keys)
    var second: [[UInt8]] = []
    for number: UInt64 in 2...6 {
      if number == 6 { second = try journal.exported(bench.log, after: 1, keys: bench.keys) }
      var event = NewEvent(body: Bench.body(number))
      if number == 4 {
        let (other, hash) = (UniqueID(high: 3, low: 4), UniqueID(high: 1, low: 1))
        event.seen = [Seen(log: .introduced(other), sequence: 1, hash: hash)]
      }
      let command = Command(time: Bench.start, events: [event])
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    self.second = second
    whole = try journal.contents(of: bench.log).events
  }

  /// Damages the frames of the given events.
  func lose(_ events: ClosedRange<Int>) throws {
    let bytes = try bench.machine.disk.contents(of: tail, limit: 1 << 20)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    try #require(starts.count >= 6)
    for event in events { bench.machine.disk.rot(tail, at: starts[event - 1] + 60, flipping: 1) }
  }
}

/// Tests of one such log.
protocol TabledLogTests {
  var log: TabledLog { get }
}

extension TabledLogTests {
  var bench: Bench { log.bench }
  var tail: Path { log.tail }
  var first: [[UInt8]] { log.first }
  var second: [[UInt8]] { log.second }
  var whole: [Found] { log.whole }
}
