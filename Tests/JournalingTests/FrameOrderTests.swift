import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Files with the frames of a log in every order, as a faulty disk may leave them.
struct FrameOrderTests {
  /// The first frames of a log, with one event in each.
  private static func frames(_ count: UInt64, of bench: Bench) throws -> [[UInt8]] {
    var journal = try bench.begun()
    for number in 1..<count {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    let file = try bench.machine.disk.contents(
      of: bench.logFolder / ReplicaFiles.tail, limit: 1 << 20)
    var reader = try journal.reader(of: bench.log)
    var frames: [[UInt8]] = []
    while let read = try reader.read() {
      frames.append(Array(file[read.offset..<read.offset + read.frame.length]))
    }
    return frames
  }

  /// All orders of the numbers 0 to `count - 1`.
  private static func orders(of count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return orders(of: count - 1).flatMap { order in
      (0..<count).map { place in order[..<place] + [count - 1] + order[place...] }
    }
  }

  /// The events that count in a file, as each part of the program finds them.
  private struct Readings: Equatable {
    /// The events that a reader finds from each event on.
    var read: [[UInt64]]
    var verified: [UInt64]
    /// The events of a tail, which are found when the journal is opened.
    var held: [UInt64]?

    /// The result if each part of the program finds the given events.
    init(all events: [UInt64], of count: UInt64, isTail: Bool) {
      read = (1...count).map { first in events.filter { $0 >= first } }
      (verified, held) = (events, isTail ? events : nil)
    }

    init(of file: String, with frames: [[UInt8]], in bench: Bench) throws {
      let files = ReplicaFiles(id: bench.log, files: [(file, Array(frames.joined()))])
      let disk = try files.disk()
      let journal = try Bench.journal(on: bench.copy(of: disk))
      let all = 1...UInt64(frames.count)
      read = try all.map { first in
        try journal.contents(of: bench.log, from: first).events.map(\.sequence)
      }
      let log = try #require(try files.verify().logs.first)
      verified = (log.events == 0 ? [] : [1...log.last]).without(log.missing).flatMap { Array($0) }
      guard file == ReplicaFiles.tail else { return }
      let end = journal.logs[bench.log]?.sequence ?? 0
      let holes = journal.holes(in: bench.log)
      held = (end == 0 ? [] : [1...end]).without(holes).flatMap { Array($0) }
    }
  }

  @Test(arguments: [ReplicaFiles.tail, "000000000001-000000000006.gz"])
  func `Frames in any order: opening, reading and verifying agree on the events that count`(
    file: String
  ) throws {
    let bench = try Bench()
    let frames = try Self.frames(6, of: bench)
    for order in Self.orders(of: 6) {
      let readings = try Readings(of: file, with: order.map { frames[$0] }, in: bench)
      let isTail = file == ReplicaFiles.tail
      #expect(
        readings == Readings(all: readings.read[0], of: 6, isTail: isTail),
        "\(order.map { $0 + 1 })")
    }
  }

  @Test func `Two swapped frames: the frames between and after them count`() throws {
    let bench = try Bench()
    let frames = try Self.frames(8, of: bench)
    let file = [0, 1, 6, 3, 4, 5, 2, 7].map { frames[$0] }
    #expect(
      try Readings(of: ReplicaFiles.tail, with: file, in: bench)
        == Readings(all: [1, 2, 4, 5, 6, 8], of: 8, isTail: true))
  }
}
