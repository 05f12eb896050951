import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

struct BundleTests {
  static let path = Path("/stick/all.daybook")

  /// A machine with a bundle that Anna has written, and the bytes of the bundle.
  static func bundle(
    since other: Frontier = .nothing
  ) throws -> (machine: SimulatedMachine, bytes: [UInt8]) {
    let machine = SimulatedMachine(seed: 3)
    try machine.disk.makeDirectories(path.parent)
    _ = try Bundle.write(
      to: path, from: SessionTests.anna(), since: other, on: machine.machine)
    return (machine, try #require(machine.disk.files[path]))
  }

  static func put(_ bytes: [UInt8], on machine: SimulatedMachine) throws {
    try machine.disk.replace(path, with: bytes)
  }

  @Test func `Bundle: reading it stores all events in an empty holder`() throws {
    let (machine, bytes) = try Self.bundle()
    let newcomer = MemoryHolder(.bert)
    let report = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
    let anna = SessionTests.anna()
    #expect(
      report
        == Bundle.Report(
          hello: anna.hello, received: [.anna: 4, .cleo: 2], frontier: anna.frontier,
          problems: []))
    #expect(SHA256.digest(of: bytes.dropLast(32)).bytes == bytes.suffix(32))
    #expect(machine.disk.files.keys.sorted() == [Self.path])
    #expect(try Bundle.hello(of: Self.path, on: machine.machine) == anna.hello)
  }

  @Test func `Bundle: reading it a second time adds nothing`() throws {
    let (machine, _) = try Self.bundle()
    let bert = SessionTests.bert()
    for expected: [UniqueID: UInt64] in [[.anna: 2, .cleo: 1], [:]] {
      let report = try Bundle.read(Self.path, into: bert, on: machine.machine)
      #expect(report.received == expected)
      #expect(report.problems == [])
    }
  }

  @Test func `Bundle: reading the author of a file in a different format is refused`() throws {
    let (machine, bytes) = try Self.bundle()
    let otherVersion = Array("daybook bundle 2\n".utf8) + bytes.dropFirst(17)
    for strange in [[], Array("daybook".utf8), otherVersion] {
      try Self.put(strange, on: machine)
      #expect(throws: SyncError.notABundle(Self.path)) {
        try Bundle.hello(of: Self.path, on: machine.machine)
      }
    }
  }

  @Test func `Bundle: a write that fails at any call leaves the old or the new file`() throws {
    let (machine, before) = try Self.bundle()
    let anna = SessionTests.anna().write(["more"], to: .anna)
    func write(on disk: SimulatedDisk) throws {
      _ = try Bundle.write(
        to: Self.path, from: anna,
        on: Machine(
          disk: disk, timekeeper: machine.timekeeper, dice: machine.dice, network: machine.network))
    }
    let sound = machine.disk.copy()
    try write(on: sound)
    let after = try #require(sound.files[Self.path])
    #expect(after != before)
    var reasons: [DiskFault] = []
    for number in 1... {
      let disk = machine.disk.copy()
      disk.failCall(number, of: .all, with: .io)
      do {
        try write(on: disk)
        #expect(disk.files == [Self.path: after])
        break
      } catch SyncError.disk(let error) {
        reasons.append(error.reason)
      }
      #expect(disk.files == [Self.path: before] || disk.files == [Self.path: after])
    }
    #expect(reasons.count > 6 && Set(reasons) == [.io])
  }

  @Test func `Bundle: a bundle since a frontier is smaller and leaves a gap for newcomers`()
    throws
  {
    let (machine, bytes) = try Self.bundle(since: SessionTests.bert().frontier)
    #expect(bytes.count < (try Self.bundle()).bytes.count)
    let bert = SessionTests.bert()
    #expect(
      try Bundle.read(Self.path, into: bert, on: machine.machine).received
        == [.anna: 2, .cleo: 1])
    let newcomer = MemoryHolder(.bert)
    let report = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
    #expect(
      report.problems == [
        .log(.gap(.anna, held: 0, received: 3)), .log(.gap(.cleo, held: 0, received: 2)),
      ])
    #expect(newcomer.logs == [:])
  }

  @Test
  func `Bundle: a truncated bundle yields its whole frames, and a full copy yields the rest`()
    throws
  {
    let (machine, bytes) = try Self.bundle()
    for cut in 17..<bytes.count {
      try Self.put(Array(bytes[..<cut]), on: machine)
      let newcomer = MemoryHolder(.bert)
      let report = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
      let place = try #require(
        report.problems.compactMap { (problem) -> Int? in
          guard case .truncated(Self.path, let place) = problem else { return nil }
          return place
        }.first)
      #expect(report.problems.count == 1 && place <= cut)
      for (log, texts) in SessionTests.contents(newcomer) {
        #expect(texts == Array(SessionTests.united[log, default: []].prefix(texts.count)))
      }
      try Self.put(bytes, on: machine)
      _ = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
      #expect(newcomer.frontier == SessionTests.anna().frontier)
    }
  }

  @Test func `Bundle: a file shorter than the first line is refused`() throws {
    let (machine, bytes) = try Self.bundle()
    for cut in 0..<17 {
      try Self.put(Array(bytes[..<cut]), on: machine)
      #expect(throws: SyncError.notABundle(Self.path)) {
        try Bundle.read(Self.path, into: MemoryHolder(.bert), on: machine.machine)
      }
    }
  }

  @Test func `Bundle: a wrong byte at any offset is detected`() throws {
    let (machine, bytes) = try Self.bundle()
    for place in bytes.indices {
      var wrong = bytes
      wrong[place] ^= 0x10
      try Self.put(wrong, on: machine)
      let newcomer = MemoryHolder(.bert)
      do {
        let report = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
        #expect(report.problems != [], "byte \(place)")
      } catch {
        // The error is detected, although it may concern the whole bundle.
      }
      for (log, texts) in SessionTests.contents(newcomer) {
        if let right = SessionTests.united[log] { #expect(right.starts(with: texts)) }
      }
    }
  }

  @Test func `Bundle: a damaged frame stops only its own log`() throws {
    let (machine, bytes) = try Self.bundle()
    var reader = MessageReader(at: 17)
    reader.append(Array(bytes.dropFirst(17)))
    var frames: [(log: UniqueID, last: Int)] = []
    while case .some(let message) = try reader.next() {
      if case .end = message { break }
      if case .frame(let log, _) = message { frames.append((log, reader.offset - 1)) }
    }
    #expect(Set(frames.map(\.log)) == [.anna, .cleo])
    for (log, last) in frames {
      var wrong = bytes
      wrong[last] ^= 0x10
      try Self.put(wrong, on: machine)
      let newcomer = MemoryHolder(.bert)
      let report = try Bundle.read(Self.path, into: newcomer, on: machine.machine)
      let whole = SessionTests.united.filter { $0.key != log && $0.key != .bert }
      let contents = SessionTests.contents(newcomer)
      #expect(contents.filter { $0.key != log } == whole, "\(log)")
      #expect(report.problems.count == 2, "the frame, and the digest of the file")
    }
  }

  @Test func `Bundle: bytes after the digest are reported`() throws {
    let (machine, bytes) = try Self.bundle()
    try Self.put(bytes + [0], on: machine)
    let report = try Bundle.read(Self.path, into: MemoryHolder(.bert), on: machine.machine)
    #expect(report.problems == [.wrongBundleDigest(Self.path)])
    #expect(report.received == [.anna: 4, .cleo: 2])
  }

  @Test func `Bundle: a bundle of a different book is refused`() throws {
    let (machine, _) = try Self.bundle()
    let stranger = MemoryHolder(.bert, book: .id(0xb1))
    #expect(throws: SyncError.wrongBook(.book)) {
      try Bundle.read(Self.path, into: stranger, on: machine.machine)
    }
    #expect(stranger.logs == [:])
  }

  @Test func `Bundle: a damaged beginning is not taken for a different book`() throws {
    let (machine, bytes) = try Self.bundle()
    let id = UniqueID.book.bytes
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: id) })
    var damaged = bytes
    damaged[place + 5] ^= 0x55
    try Self.put(damaged, on: machine)
    let reader = MemoryHolder(.bert)
    #expect(throws: SyncError.damagedBundle(Self.path)) {
      try Bundle.read(Self.path, into: reader, on: machine.machine)
    }
    #expect(reader.logs == [:])
  }

  @Test func `Bundle: a write to a full disk keeps the old file and leaves no draft`() throws {
    let (machine, bytes) = try Self.bundle()
    machine.disk.becomeFull(afterBytes: 100)
    let more = SessionTests.anna().write(["a5"], to: .anna)
    #expect(throws: SyncError.self) {
      try Bundle.write(to: Self.path, from: more, on: machine.machine)
    }
    #expect(machine.disk.files == [Self.path: bytes])
  }

  @Test func `Bundle: a written file survives a power cut`() throws {
    let (machine, bytes) = try Self.bundle()
    machine.disk.crash()
    #expect(machine.disk.files == [Self.path: bytes])
  }
}
