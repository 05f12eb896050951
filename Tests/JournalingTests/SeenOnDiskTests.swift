import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Events that a killed process has received and that another process refers to.
struct SeenOnDiskTests {
  /// Receives a log in a process that is killed at one of its disk calls.
  private func receive(
    _ frames: [[UInt8]], of guest: Bench, on bench: Bench, until call: Int
  ) throws {
    var journal = try bench.journal()
    bench.machine.disk.failCall(call, with: .closed, .fromThenOn)
    do {
      for frame in frames { try journal.receive(frame, of: guest.log, on: .logs) }
      _ = try journal.commit()
    } catch {
      // Whichever call the kill has interrupted, another process starts.
    }
    bench.machine.disk.clearWeather()
    bench.machine.disk.kill()
  }

  @Test(arguments: 1...16)
  func `Seen events: they survive a power cut after a new event refers to them`(call: Int) throws {
    let bench = try Bench()
    let guest = try Bench(keySeed: 40)
    _ = try bench.begun()
    let frames = try guest.begun().exported(guest.log, keys: guest.keys)
    try receive(frames, of: guest, on: bench, until: call)
    var journal = try bench.journal()
    guard let end = journal.logs[guest.log] else { return }
    var event = NewEvent(body: Bench.body(1))
    event.seen = [
      Seen(log: .introduced(guest.log), sequence: end.sequence, hash: end.hash.prefix16)
    ]
    _ = try journal.append(
      [Command(time: Bench.start, events: [event])], to: bench.log, keys: bench.keys)
    bench.machine.disk.crash()
    let held = try bench.journal().logs[guest.log]?.sequence
    #expect(held == end.sequence)
  }
}
