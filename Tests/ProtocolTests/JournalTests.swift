import Bytes
import Crypto
import Gzip
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Dice that always return the seed of the vectors.
private struct LoadedDice: Dice {
  let seed: UniqueID
  func bytes(_ count: Int) -> [UInt8] { Array(seed.bytes.prefix(count)) }
  func number() -> UInt64 { 0 }
}

/// The journal writes and reads files exactly as in the vectors.
@Suite struct JournalTests {
  private static let folder = Path("/book")

  private static func machine(_ simulated: SimulatedMachine, seed: UniqueID) -> Machine {
    Machine(
      disk: simulated.disk, timekeeper: simulated.timekeeper, dice: LoadedDice(seed: seed),
      network: simulated.network)
  }

  @Test func `Journal: it writes the frames of the vectors`() throws {
    let log = try LogVector("log of desk")
    let keys = try LogVector.deskKeys()
    let simulated = SimulatedMachine(seed: 1)
    var journal = try Journal(at: Self.folder, on: Self.machine(simulated, seed: log.seed))
    let incarnation = try ProtocolText.vector("replica").id("incarnation")
    let id = try journal.begin(
      keys, incarnation: incarnation, name: "desk", at: log.events[0].time)
    #expect(id == log.id)
    for range in [2...5, 6...7] { try Self.append(range, of: log, to: &journal, keys) }
    let path = Self.folder / "logs" / id.hex
    try Self.expect(
      ["frame of the first event", "frame of events 2 to 5", "frame of a command"],
      in: try simulated.disk.contents(of: path / "000000000001.gz", limit: 1 << 20))

    try journal.seal(id, keys: keys)
    #expect(try simulated.disk.list(path) == ["000000000001-000000000007.gz"])
    try Self.expect(
      ["sealed frame"],
      in: try simulated.disk.contents(of: path / "000000000001-000000000007.gz", limit: 1 << 20))

    for range in [8...8, 9...9] { try Self.append(range, of: log, to: &journal, keys) }
    try Self.expect(
      ["frame with the table", "frame with the table's length"],
      in: try simulated.disk.contents(of: path / "000000000008.gz", limit: 1 << 20))
    #expect(journal.logs[id]?.hash == log.events[8].hash)
  }

  /// Appends events of the vector, grouped into commands by their headers.
  private static func append(
    _ range: ClosedRange<Int>, of log: LogVector, to journal: inout Journal, _ keys: DeviceKeys
  ) throws {
    var commands: [Command] = []
    var left: UInt64 = 0
    var when = journal.logs[log.id]?.when ?? 0
    for event in log.events[range.lowerBound - 1...range.upperBound - 1] {
      var reader = CBORReader(event.header.span)
      let header = try Header.decode(&reader)
      if let delta = header.whenDelta { when += delta }
      let new = NewEvent(
        when: header.whenDelta == nil ? nil : when, seen: header.seen, link: header.link,
        body: event.body)
      if left > 0 {
        commands[commands.count - 1].events.append(new)
        left -= 1
      } else {
        commands.append(Command(time: event.time, events: [new]))
        left = header.more
      }
    }
    _ = try journal.append(commands, to: log.id, keys: keys)
  }

  /// Compares the contents, and also the whole members if their deflate data is one stored block.
  private static func expect(_ names: [String], in file: [UInt8]) throws {
    var offset = 0
    for name in names {
      let vector = try ProtocolText.vector(name)
      let member = try GzipMember.decompress(file.span, at: offset, outputLimit: 1 << 20)
      #expect(member.content == (try vector.bytes("content")), "\(name)")
      let expected = try vector.bytes("member")
      if expected[43] == 1 {
        #expect(Array(file[offset..<offset + member.length]) == expected, "\(name)")
      }
      offset += member.length
    }
    #expect(offset == file.count)
  }

  @Test(arguments: [
    ("log of desk", "sealed frame"), ("log of desk", "stripped frame"),
    ("log of desk", "stripped frame by a newer version"), ("log of phone", "frame of the phone"),
  ])
  func `Journal: sealing keeps the content of a frame`(log: String, name: String) throws {
    let log = try LogVector(log)
    let simulated = SimulatedMachine(seed: 1)
    let path = Self.folder / "logs" / log.id.hex
    try simulated.disk.makeDirectories(path)
    let vector = try ProtocolText.vector(name)
    try simulated.disk.replace(path / "000000000001.gz", with: vector.bytes("member"))
    var journal = try Journal(at: Self.folder, on: simulated.machine)
    try journal.seal(log.id, keys: nil)
    let sealed = try simulated.disk.list(path)
    #expect(sealed.count == 1 && sealed != ["000000000001.gz"])
    for file in sealed {
      try Self.expect([name], in: simulated.disk.contents(of: path / file, limit: 1 << 20))
    }
  }

  @Test(arguments: [("sealed frame", []), ("stripped frame", [Fault.Kind.seedDiffers])])
  func `Verification: a block whose seed is missing in one frame is a fault`(
    name: String, faults: [Fault.Kind]
  ) throws {
    let log = try LogVector("log of desk")
    let simulated = SimulatedMachine(seed: 1)
    let path = Self.folder / "logs" / log.id.hex
    try simulated.disk.makeDirectories(path)
    let sealed = try ProtocolText.vector(name).bytes("member")
    try simulated.disk.replace(path / "000000000001-000000000007.gz", with: sealed)
    let tail = try ["frame with the table", "frame with the table's length"]
      .flatMap { try ProtocolText.vector($0).bytes("member") }
    try simulated.disk.replace(path / "000000000008.gz", with: tail)
    let report = try Verification.run(on: Self.folder, disk: simulated.disk)
    #expect(report.faults.map(\.kind) == faults)
  }

  @Test(arguments: try FrameTests.bad())
  func `Verification: each bad frame of the vectors is reported`(vector: TestVector) throws {
    // The small frame does not continue the log. This is its only fault.
    let sound = try Self.faults(behindFirst: ProtocolText.vector("small frame"))
    let found = try Self.faults(behindFirst: vector)
    #expect(found != sound)
  }

  /// The faults of a tail that contains the first event and another frame.
  private static func faults(behindFirst vector: TestVector) throws -> [Fault.Kind] {
    let log = try LogVector("log of desk")
    let simulated = SimulatedMachine(seed: 1)
    let path = folder / "logs" / log.id.hex
    try simulated.disk.makeDirectories(path)
    let first = try ProtocolText.vector("frame of the first event").bytes("member")
    try simulated.disk.replace(
      path / "000000000001.gz", with: first + vector.bytes("member"))
    return try Verification.run(on: folder, disk: simulated.disk).faults.map(\.kind)
  }

  static func files() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("file: ") }
  }

  @Test(arguments: try files()) func `Reader: each file of the vectors yields its damage`(
    vector: TestVector
  ) throws {
    let log = try LogVector("log of desk")
    let simulated = SimulatedMachine(seed: 1)
    let path = Self.folder / "logs" / log.id.hex
    try simulated.disk.makeDirectories(path)
    try simulated.disk.replace(path / "000000000001.gz", with: vector.bytes("file"))
    let journal = try Journal(at: Self.folder, on: simulated.machine)
    var reader = try journal.reader(of: log.id)
    while try reader.read() != nil {}
    let found = reader.damage.map { withoutModules("\($0.kind) at \($0.offset)") }
    let damage = try vector.text("damage")
    #expect(found == (damage == "none" ? [] : [damage]))
    let end = try #require(TailCase(rawValue: vector.text("end")))
    #expect(try journal.endsInDamage(log.id) == end.isDamage)
  }
}
