import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// The amount of data stored for devices that no member has admitted.
@Suite struct AsideTests {
  private static let book = Path("/book")
  private static let logLimit = 16 << 20

  /// The first frame that an unknown device sends.
  private static func opening(of number: UInt8) throws -> (log: UniqueID, frames: [[UInt8]]) {
    let bench = try Bench(keySeed: number)
    return (bench.log, try bench.begun().exported(bench.log, keys: bench.keys))
  }

  private func journal(on disk: any Disk) throws -> Journal {
    let machine = try Bench().machine.machine
    return try Bench.journal(
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: machine.dice, network: machine.network))
  }

  private func receive(_ lots: [[UInt8]]..., of log: UniqueID, on disk: any Disk) throws {
    var journal = try journal(on: disk)
    for frames in lots {
      for frame in frames { try journal.receive(frame, of: log, on: .aside) }
      _ = try journal.commit()
    }
  }

  private func aside(on disk: SimulatedDisk) throws -> [UniqueID: UInt64] {
    try journal(on: disk).aside.mapValues(\.sequence)
  }

  /// The total size of the files of a device's logs.
  private func size(of log: UniqueID, on disk: SimulatedDisk) -> Int {
    let folder = (Self.book / "aside" / log.hex).string + "/"
    return disk.files.filter { $0.key.string.hasPrefix(folder) }.values.reduce(0) { $0 + $1.count }
  }

  /// A new disk that reports the first file of a device's log as larger than it is.
  private func disk(adding bytes: Int, to log: UniqueID) throws -> (SimulatedDisk, any Disk) {
    let disk = SimulatedMachine(seed: 5).disk
    try disk.makeDirectories(Self.book)
    let path = Self.book / "aside" / log.hex / "000000000001.gz"
    return (disk, InterruptedDisk(disk, padding: [path: bytes]))
  }

  @Test func `Aside shelf: 64 unknown logs fit, and admitting one makes space for another`() throws
  {
    let disk = SimulatedMachine(seed: 1).disk
    try disk.makeDirectories(Self.book)
    var logs: Set<UniqueID> = []
    for number in 1...64 as ClosedRange<UInt8> {
      let (log, frames) = try Self.opening(of: number)
      try receive(frames, of: log, on: disk)
      logs.insert(log)
    }
    let (late, frames) = try Self.opening(of: 65)
    #expect(throws: JournalError.asideFull) { try receive(frames, of: late, on: disk) }
    #expect(try Set(aside(on: disk).keys) == logs)
    // Logs that have already been set aside can still grow.
    let (first, again) = try Self.opening(of: 1)
    try receive(again, of: first, on: disk)
    var journal = try journal(on: disk)
    try journal.admit(first)
    try receive(frames, of: late, on: disk)
    #expect(try Set(aside(on: disk).keys) == logs.subtracting([first]).union([late]))
  }

  /// Expects that two batches are kept if they just fit, and only the first batch if the file is one byte larger.
  private func expectBound(_ first: [[UInt8]], _ second: [[UInt8]], of log: UniqueID) throws {
    let (free, _) = try disk(adding: 0, to: log)
    try receive(first, second, of: log, on: free)
    let room = Self.logLimit - size(of: log, on: free)
    let (fitting, padded) = try disk(adding: room, to: log)
    try receive(first, second, of: log, on: padded)
    #expect(fitting.files == free.files)
    let (full, swollen) = try disk(adding: room + 1, to: log)
    #expect(throws: JournalError.asideFull) { try receive(first, second, of: log, on: swollen) }
    let (begun, _) = try disk(adding: 0, to: log)
    try receive(first, of: log, on: begun)
    #expect(try aside(on: full) == aside(on: begun))
    #expect(full.files == begun.files)
    #expect(try aside(on: begun) != aside(on: free))
  }

  @Test func `Aside shelf: a log is kept up to its size limit and refused one byte beyond`() throws
  {
    let bench = try Bench()
    var sender = try bench.begun()
    let opening = try sender.exported(bench.log, keys: bench.keys)
    _ = try sender.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    try expectBound(opening, try sender.exported(bench.log, keys: bench.keys), of: bench.log)
  }

  @Test func `Aside shelf: a log is admitted despite a draft that a crash left`() throws {
    let disk = SimulatedMachine(seed: 1).disk
    let (log, frames) = try Self.opening(of: 1)
    let place = Self.book / "logs" / log.hex
    try disk.makeDirectories(place)
    try disk.replace((place / "000000000001.gz").draft, with: [1, 2, 3])
    try receive(frames, of: log, on: disk)
    var journal = try journal(on: disk)
    try journal.admit(log)
    #expect(try aside(on: disk) == [:])
    #expect(try self.journal(on: disk).logs.mapValues(\.sequence) == [log: 1])
    #expect(try disk.list(place) == ["000000000001.gz"])
  }

  @Test func `Aside shelf: the branches of a log share one size limit`() throws {
    let bench = try Bench()
    var sender = try bench.begun()
    let clone = bench.machine.disk.copy()
    _ = try sender.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    var other = try Bench.journal(on: bench.copy(of: clone))
    _ = try other.append([Bench.command(2)], to: bench.log, keys: bench.keys)
    try expectBound(
      try sender.exported(bench.log, keys: bench.keys),
      try other.exported(bench.log, keys: bench.keys), of: bench.log)
  }
}
