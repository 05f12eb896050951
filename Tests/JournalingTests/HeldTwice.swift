import Journaling
import Platform
import SimulatedPlatform

/// A log that two devices hold.
///
/// Tests damage the copy on the device that writes the log.
struct HeldTwice {
  let bench: Bench
  let whole: [Found]
  let other: Bench

  /// Writes a log with two sealed files and a tail, and sends the log to the other device.
  init() throws {
    bench = try Bench()
    other = try Bench(keySeed: 40)
    var journal = try bench.begun()
    for number: UInt64 in 1...9 {
      _ = try journal.append([Bench.command(number, events: 3)], to: bench.log, keys: bench.keys)
      if number == 3 || number == 6 { try journal.seal(bench.log, keys: bench.keys) }
    }
    whole = try journal.contents(of: bench.log).events
    var holder = try other.begun()
    var export = try journal.export(of: bench.log, lackedBy: [], keys: bench.keys)
    while let frame = try export.next() { try holder.receive(frame, of: bench.log, on: .logs) }
    _ = try holder.commit()
  }

  var files: [Path] {
    bench.machine.disk.files.keys.filter { $0.parent == bench.logFolder }.sorted()
  }

  /// Changes a byte of a file, and records as holes the events that a reader then lacks.
  func lose(byteAt offset: Int, of file: Path) throws {
    bench.machine.disk.rot(file, at: offset, flipping: 4)
    var journal = try bench.journal()
    let damage = try journal.contents(of: bench.log).damage
    let missing = damage.compactMap { damage in
      if case .missing(let range) = damage.kind { range } else { nil }
    }
    try journal.note(holes: [bench.log: missing])
  }

  func heal() throws {
    let holder = try other.journal()
    var journal = try bench.journal()
    var export = try holder.export(of: bench.log, lackedBy: try journal.places(), keys: nil)
    while let frame = try export.next() { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
  }
}
