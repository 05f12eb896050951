import Bytes
import Foundation
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Frames that are unpacked in advance, by another thread or by the reader.
struct FramesAheadTests {
  /// The other thread never runs, runs immediately, or runs concurrently with the reader.
  private static let besides: [Machine.Beside] = [
    { _ in }, { $0() }, { Thread.detachNewThread($0) },
  ]

  /// A log of several frames in a sealed file and four in a tail.
  private func bench() throws -> Bench {
    let bench = try Bench()
    var journal = try bench.begun()
    let batch = (1...12 as ClosedRange<UInt64>).map {
      Bench.command($0, events: 3, byteCount: 40_000)
    }
    _ = try journal.append(batch, to: bench.log, keys: bench.keys)
    for number in 13...16 as ClosedRange<UInt64> {
      let command = Bench.command(number, events: 3, byteCount: 4_000)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    return bench
  }

  private func journal(_ bench: Bench, _ beside: Machine.Beside?) throws -> Journal {
    let machine = bench.machine.machine
    return try Bench.journal(
      on: Machine(
        disk: machine.disk, timekeeper: machine.timekeeper, dice: machine.dice,
        network: machine.network, beside: beside))
  }

  /// Changes one byte in each file, at `part` of `parts` of its length.
  private func damage(_ bench: Bench, at part: Int, of parts: Int) throws {
    let disk = bench.machine.disk
    for name in try disk.list(bench.logFolder) {
      let path = bench.logFolder / name
      var bytes = try disk.contents(of: path, limit: 1 << 24)
      bytes[bytes.count * part / parts] ^= 0x10
      let file = try OpenFile(path, .write, on: disk)
      try file.write(bytes, at: 0)
      try file.flush()
    }
  }

  @Test(arguments: [nil, 0, 3, 7, 11, 19])
  func `Read-ahead: verification returns the same report as without it`(part: Int?) throws {
    let bench = try bench()
    if let part { try damage(bench, at: part, of: 20) }
    let plain = try Verification.run(on: Bench.folder, disk: bench.machine.disk)
    #expect(plain.faults.isEmpty == (part == nil))
    for beside in Self.besides {
      let ahead = try Verification.run(
        on: Bench.folder, disk: bench.machine.disk, beside: beside)
      #expect(ahead.faults == plain.faults)
      #expect(ahead.logs.map(\.events) == plain.logs.map(\.events))
      #expect(ahead.logs.map(\.hash) == plain.logs.map(\.hash))
    }
  }

  @Test(arguments: [nil, 0, 3, 7, 11, 19])
  func `Read-ahead: events and damage are the same as when reading frame by frame`(
    part: Int?
  ) throws {
    let bench = try bench()
    if let part { try damage(bench, at: part, of: 20) }
    let plain = try journal(bench, nil).contents(of: bench.log)
    #expect(plain.damage.isEmpty == (part == nil))
    for beside in Self.besides {
      let ahead = try journal(bench, beside).contents(of: bench.log, ahead: true)
      #expect(ahead.events == plain.events)
      #expect(ahead.damage == plain.damage)
    }
  }

  @Test func `Read-ahead: reading from the middle of a file starts there`() throws {
    let bench = try bench()
    let plain = try journal(bench, nil).contents(of: bench.log, from: 20)
    let ahead = try journal(bench) { Thread.detachNewThread($0) }
      .contents(of: bench.log, from: 20, ahead: true)
    #expect(ahead.events == plain.events && plain.events.first?.sequence == 20)
    #expect(ahead.damage.isEmpty)
  }
}
