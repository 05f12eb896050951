import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Lost events, some of which other devices hold.
@Suite struct PartlyHealedTests: TabledLogTests {
  let log: TabledLog

  init() throws { log = try TabledLog() }

  private func receive(_ frames: [[UInt8]]) throws -> [ClosedRange<UInt64>] {
    var journal = try bench.journal()
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    return try bench.journal().holes(in: bench.log)
  }

  @Test(arguments: [3, 4])
  func `Partial filling: the first of several lost events of a tail is restored before the rest`(
    last: Int
  ) throws {
    let copy = bench.machine.disk.copy()
    try log.lose(1...last)
    #expect(try receive(first) == [2...UInt64(last)])
    bench.machine.disk.crash()
    var found = try bench.journal().contents(of: bench.log)
    #expect(found.events == [whole[0]] + whole[last...])
    // The other events are restored once a device sends them.
    let holder = try Bench.journal(on: bench.copy(of: copy))
    let left = try receive(try holder.exported(bench.log, after: 1, keys: bench.keys))
    #expect(left == [])
    found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
  }

  @Test func `Filling of a tail: after a crash at any call, readable events give the whole table`()
    throws
  {
    let end = try bench.journal().end(of: bench.log, on: .logs)
    try log.lose(2...5)
    let calls = try bench.crash { journal in
      for frame in second { try journal.receive(frame, of: bench.log, on: .logs) }
    } then: { disk, isThrough in
      let left = try Bench.journal(on: bench.copy(of: disk))
      if try left.contents(of: bench.log).events == whole {
        #expect(left.end(of: bench.log, on: .logs) == end)
      } else {
        #expect(!isThrough)
        #expect(left.holes(in: bench.log) == [2...5])
      }
    }
    #expect(calls > 5)
  }

  /// Appends two events, and returns all events.
  private func addTwo() throws -> [Found] {
    var journal = try bench.journal()
    for number: UInt64 in 7...8 {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    return try journal.contents(of: bench.log).events
  }

  @Test func `Partial filling: a frame that leaves the log later restores the events before that`()
    throws
  {
    var other = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy(), seed: 5))
    _ = try other.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let theirs = try other.exported(bench.log, keys: bench.keys)
    #expect(theirs.count == 1)
    let whole = try addTwo()
    try log.lose(1...4)
    #expect(try receive(theirs) == [])
    bench.machine.disk.crash()
    #expect(try bench.journal().contents(of: bench.log).events == whole)
    // It is now known which event the branch follows.
    _ = try receive(theirs)
    let forks = try bench.journal().forks.values.map(\.lastShared)
    #expect(Set(forks) == [6])
  }

  @Test func `Partial filling: a hole is filled although no head precedes the next hole`()
    throws
  {
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    let whole = try addTwo()
    try log.lose(1...1)
    try log.lose(5...6)
    #expect(try receive(first) == [5...6])
    bench.machine.disk.crash()
    var found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole.filter { !(5...6).contains($0.sequence) })
    #expect(try receive(try holder.exported(bench.log, after: 4, keys: bench.keys)) == [])
    found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Partial filling: a lost file's first event is restored without a head after it`()
    throws
  {
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let whole = try addTwo()
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    let sealed = bench.logFolder / "000000000001-000000000006.gz"
    bench.machine.disk.rot(sealed, at: 60, flipping: 1)
    #expect(try receive(first) == [2...6])
    bench.machine.disk.crash()
    var found = try bench.journal().contents(of: bench.log)
    #expect(found.events == [whole[0]] + whole[6...])
    #expect(try receive(try holder.exported(bench.log, after: 1, keys: bench.keys)) == [])
    found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
  }

  @Test func `Partial filling: the table stays known although the disk fills up`() throws {
    let end = try #require(try bench.journal().logs[bench.log])
    try log.lose(1...5)
    #expect(try receive(first) == [2...5])
    var (call, isFailing) = (0, true)
    while isFailing {
      call += 1
      let disk = bench.machine.disk.copy()
      disk.failCall(call, of: .mutating, with: .full)
      var journal = try Bench.journal(on: bench.copy(of: disk))
      for frame in second { try journal.receive(frame, of: bench.log, on: .logs) }
      isFailing = (try? journal.commit()) == nil
      disk.clearWeather()
      let left = try Bench.journal(on: bench.copy(of: disk))
      if left.holes(in: bench.log).isEmpty { #expect(left.logs[bench.log] == end) }
    }
    #expect(call > 3)
  }

  @Test func `Partial filling: the first event is restored to a leftover tail`() throws {
    let left = try bench.machine.disk.contents(of: tail, limit: 1 << 20)
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let sealed = bench.logFolder / "000000000001-000000000006.gz"
    for place in [60, 200, 400] { bench.machine.disk.rot(sealed, at: place, flipping: 1) }
    // The leftover tail was not removed before the power failed.
    try bench.machine.disk.replace(tail, with: left)
    try log.lose(1...1)
    try log.lose(3...6)
    #expect(try bench.journal().contents(of: bench.log).events == [])
    _ = try receive(first)
    bench.machine.disk.crash()
    #expect(try bench.journal().contents(of: bench.log).events == Array(whole[..<2]))
  }

  @Test func `Partial filling: a sealed file is restored as a tail if no head ends it`()
    throws
  {
    // A copied device continues differently, and sends its events followed by a head that proves only these events.
    var copied = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    _ = try copied.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let whole = try addTwo()
    let sealed = bench.logFolder / "000000000001-000000000006.gz"
    bench.machine.disk.rot(sealed, at: 60, flipping: 1)
    #expect(try receive(try copied.exported(bench.log, keys: bench.keys)) == [])
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
    let names = bench.machine.disk.files.keys.filter { $0.parent == bench.logFolder }
    #expect(names.map(\.name) == ["000000000001.gz"])
  }

  @Test func `Partial filling: a different history is accepted, and our events become a branch`()
    throws
  {
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    // A copied device continued differently after the first event.
    let copied = SimulatedMachine(seed: 12)
    try copied.disk.makeDirectories(bench.logFolder)
    let bytes = try bench.machine.disk.contents(of: tail, limit: 1 << 20)
    let second = bytes.indices.dropFirst().first { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    try copied.disk.replace(tail, with: Array(bytes[..<(try #require(second))]))
    var other = try Bench.journal(on: copied.machine)
    for number: UInt64 in 31...32 {
      _ = try other.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    try log.lose(2...2)
    try log.lose(4...4)
    // Only this device writes this log, so even events that no head proves are its own.
    let keys = Bench.folder / "keys"
    try bench.machine.disk.makeDirectories(keys)
    try bench.machine.disk.replace(keys / "\(bench.log.hex).pem", with: [])

    #expect(try receive(try other.exported(bench.log, keys: bench.keys)) == [])
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(try found.events == other.contents(of: bench.log).events)
    var report = try Verification.run(on: Bench.folder, disk: bench.machine.disk)
    #expect(report.logs.map(\.events).sorted() == [3, 3])

    _ = try receive(try holder.exported(bench.log, keys: bench.keys))
    report = try Verification.run(on: Bench.folder, disk: bench.machine.disk)
    #expect(report.faults == [])
    #expect(report.logs.map(\.events).sorted() == [3, 5])
  }

  @Test(arguments: [[8], [7, 9]])
  func `Partial filling: a sealed file is restored although the tail after it has holes`(
    lost: [Int]
  ) throws {
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let frames = try journal.exported(bench.log, keys: bench.keys)
    for number: UInt64 in 7...10 {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    let whole = try journal.contents(of: bench.log).events
    bench.machine.disk.rot(
      bench.logFolder / "000000000001-000000000006.gz", at: 60, flipping: 1)
    let tail = bench.logFolder / "000000000007.gz"
    let bytes = try bench.machine.disk.contents(of: tail, limit: 1 << 20)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    for event in lost { bench.machine.disk.rot(tail, at: starts[event - 7] + 60, flipping: 1) }
    journal = try bench.journal()
    try journal.note(holes: [bench.log: [1...6]])
    #expect(try receive(frames) == lost.map { UInt64($0)...UInt64($0) })
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole.filter { !lost.contains(Int($0.sequence)) })
  }

  @Test func `Partial filling: a sealed file is restored although the tail cannot join it yet`()
    throws
  {
    let bench = try Bench(seed: 2)
    var journal = try bench.begun()
    let first = try journal.exported(bench.log, keys: bench.keys)
    _ = try journal.compact(keys: [bench.log: bench.keys])
    for body in [whole[3], whole[1]].map(\.body) {
      var event = NewEvent(body: body)
      if body == whole[3].body {
        let seen = (UniqueID(high: 3, low: 4), UniqueID(high: 1, low: 1))
        event.seen = [Seen(log: .introduced(seen.0), sequence: 1, hash: seen.1)]
      }
      let command = Command(time: Bench.start, events: [event])
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    let events = try journal.contents(of: bench.log).events
    bench.machine.disk.rot(bench.logFolder / "000000000001-000000000001.gz", at: 60, flipping: 1)
    bench.machine.disk.rot(bench.logFolder / "000000000002.gz", at: 60, flipping: 1)
    var damaged = try bench.journal()
    try damaged.note(holes: [bench.log: [1...1]])
    let holes = damaged.holes(in: bench.log)
    #expect(holes == [1...2])
    for frame in first { try damaged.receive(frame, of: bench.log, on: .logs) }
    _ = try damaged.commit()
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log).events
    #expect(found == [events[0], events[2]])
  }

  @Test func `Partial filling: a hole is filled although a later one remains`() throws {
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    let whole = try addTwo()
    try log.lose(1...4)
    try log.lose(7...7)
    #expect(try receive(first) == [2...4, 7...7])
    #expect(
      try receive(try holder.exported(bench.log, after: 1, keys: bench.keys)) == [7...7])
    #expect(try bench.journal().contents(of: bench.log).events == whole.filter { $0.sequence != 7 })
  }

  @Test func `Partial filling: a hole is filled although the event before its file stays lost`()
    throws
  {
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    let whole = try addTwo()
    try log.lose(1...2)
    try log.lose(5...5)
    #expect(try receive(first) == [2...2, 5...5])
    #expect(try receive(try holder.exported(bench.log, after: 4, keys: bench.keys)) == [2...2])
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole.filter { $0.sequence != 2 })
    #expect(found.damage.map(\.kind) == [.missing(2...2)])
  }

  @Test func `Partial filling: a hole is filled although no head precedes a hole before it`()
    throws
  {
    let whole = try addTwo()
    let holder = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    try log.lose(2...5)
    #expect(try receive(try holder.exported(bench.log, after: 2, keys: bench.keys)) == [2...2])
    bench.machine.disk.crash()
    var found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole.filter { $0.sequence != 2 })
    #expect(found.damage.map(\.kind) == [.missing(2...2)])
    #expect(try receive(second) == [])
    found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
  }

  @Test func `Partial filling: new events wait until the lost ones before them are restored`()
    throws
  {
    let copy = bench.machine.disk.copy()
    try log.lose(1...1)
    try log.lose(4...4)
    // It is unknown which logs the fourth event has added to the table.
    let isSound = try bench.journal().isSound(bench.log)
    #expect(!isSound)
    var holder = try Bench.journal(on: bench.copy(of: copy))
    _ = try holder.append([Bench.command(7)], to: bench.log, keys: bench.keys)
    let whole = try holder.contents(of: bench.log).events
    for _ in 1...2 {
      let places = try bench.journal().places()
      var export = try holder.export(of: bench.log, lackedBy: places, keys: bench.keys)
      var frames: [[UInt8]] = []
      while let frame = try export.next() { frames.append(frame) }
      _ = try receive(frames)
    }
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }
}
