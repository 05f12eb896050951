import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

@Suite struct VerificationTests {
  private static let sealed = "000000000001-000000000003.gz"
  private static let tail = "000000000001.gz"

  /// Writes files into the folder of a log and verifies the book.
  private static func verify(
    _ log: HandWrittenLog, _ files: [(name: String, bytes: [UInt8])], folder: String? = nil
  ) throws -> VerificationReport {
    let disk = SimulatedMachine(seed: 1).disk
    let place = Path("/book/logs") / (folder ?? log.id.hex)
    try disk.makeDirectories(place)
    for file in files { try disk.replace(place / file.name, with: file.bytes) }
    return try Verification.run(on: Path("/book"), disk: disk)
  }

  private static func fault(
    _ log: HandWrittenLog, _ file: String, at offset: Int = 0, _ what: Fault.Kind,
    sequence: UInt64? = nil
  ) -> Fault {
    Fault(file: "logs/\(log.id.hex)/\(file)", offset: offset, sequence: sequence, kind: what)
  }

  @Test func `Verification: a book without logs is clean`() throws {
    #expect(
      try Verification.run(on: Path("/none"), disk: SimulatedMachine(seed: 1).disk)
        == VerificationReport())
  }

  @Test func `Verification: a sound log has no fault and is counted`() throws {
    var log = try HandWrittenLog()
    let other = UniqueID(high: 3, low: 4)
    let seen: [UInt8] =
      [1, 0x81, 0x84, 0x50] + other.bytes + [9, 0x50] + other.bytes + [0x84, 2, 3, 6, 4]
    let again: [UInt8] = [1, 0x81, 0x83, 0, 12, 0x50] + other.bytes
    let body = [Event](repeating: HandWrittenLog.plain(), count: 100)
    let first = try log.frame(
      [log.opening, HandWrittenLog.extra([[0, 0x18, 99]], when: 99)] + HandWrittenLog.command(4))
    let second = try log.frame(body + [HandWrittenLog.extra([seen], introduced: [other])])
    let third = try log.frame(
      [HandWrittenLog.extra([again, [3, 7]]), HandWrittenLog.extra([[3, 0x82, 0, 7]])]
        + [Event](repeating: HandWrittenLog.plain(), count: 19))
    let end = log.sequence
    let fourth = try log.frame([HandWrittenLog.stripped()], hasHead: false)
    let fifth = try log.frame([HandWrittenLog.plain()], hasTable: false, hasHead: false) {
      // The block has salts instead of a seed because of the stripped event.
      $0.blocks = [[0x81, 0x50] + HandWrittenLog.salt(of: $0.first)]
    }
    let sealed = first + second + third
    let report = try Self.verify(
      log,
      [
        ("000000000001-000000000\(end).gz", sealed + [0, 0, 0]),
        ("000000000\(end + 1).gz", fourth + fifth),
      ])
    var counted = VerifiedLog(id: log.id, isAside: false)
    counted.firstHash = report.logs.first?.firstHash
    (counted.last, counted.hash) = (log.sequence, log.hash)
    (counted.files, counted.bytes) = (2, sealed.count + fourth.count + fifth.count + 3)
    (counted.frames, counted.events, counted.stripped) = (5, 130, 1)
    counted.bodiless = [129...129]
    counted.heads = 3
    #expect(report.logs == [counted])
    #expect(report.faults == [])
  }

  /// Invalid variants of the second of two frames, each with the only fault that it causes.
  private static let spoilt: [(String, Fault.Kind, UInt64?, @Sendable (inout Parts) -> Void)] = [
    (
      "time", .unjoined(.time), nil,
      {
        $0.time += 1; $0.signature = nil
      }
    ),
    ("when", .unjoined(.when), nil, { $0.when = -1 }),
    (
      "chain", .unjoined(.chain), nil,
      {
        $0.hash[31] ^= 1; $0.signature = nil
      }
    ),
    (
      "table", .unjoined(.table), nil,
      {
        $0.tableCount = 1
        $0.table = [UniqueID(high: 1, low: 1)]
      }
    ),
    ("table without its count", .information, nil, { $0.table = [] }),
    ("head", .head, 3, { $0.signature?[5] ^= 1 }),
    (
      "seed", .seedDiffers, nil,
      {
        $0.blocks = [[0x50] + UniqueID(high: 0, low: 0).bytes]
        $0.signature = nil
      }
    ),
    (
      "stripped under a seed", .salts, 3,
      {
        $0.events[1] = [5] + HandWrittenLog.stripped().body
        $0.signature = nil
      }
    ),
    ("empty extras", .header, 2, { $0.events[0] = [0x82, 5, 0xa0] + $0.events[0].dropFirst() }),
    (
      "zero further events", .header, 2,
      { $0.events[0] = [0x82, 5, 0xa1, 2, 0] + $0.events[0].dropFirst() }
    ),
    (
      "time without end", .overflow, 2,
      {
        $0.events[0] = [0x1b] + [UInt8](repeating: 0xff, count: 8) + $0.events[0].dropFirst()
      }
    ),
    (
      "unknown log", .reference, 3,
      {
        $0.events[1] =
          [0x82, 5, 0xa1, 1, 0x81, 0x83, 0, 1, 0x50] + [UInt8](repeating: 1, count: 16)
          + $0.events[1].dropFirst()
      }
    ),
    (
      "link to itself", .reference, 3,
      {
        $0.events[1] = [0x82, 5, 0xa1, 3, 3] + $0.events[1].dropFirst()
      }
    ),
    (
      "cut command", .command, 3,
      {
        $0.events[1] = [0x82, 5, 0xa1, 2, 1] + $0.events[1].dropFirst()
      }
    ),
    (
      "nested command", .command, 3,
      {
        $0.events[0] = [0x82, 5, 0xa1, 2, 1] + $0.events[0].dropFirst()
        $0.events[1] = [0x82, 5, 0xa1, 2, 1] + $0.events[1].dropFirst()
      }
    ),
    ("body", .body, 3, { $0.events[1] = [5, 0x61, 0x61] }),
    ("empty body", .body, 3, { $0.events[1] = [5, 0x80] }),
    ("second open", .opening, 3, { $0.events[1] = [5, 0x81, 8] }),
  ]

  @Test(arguments: spoilt.indices)
  func `Verification: each kind of invalid part is reported as its own fault`(index: Int) throws {
    let (_, what, sequence, spoil) = Self.spoilt[index]
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening], hasHead: false)
    let second = try log.frame(
      [HandWrittenLog.plain(), HandWrittenLog.plain()], hasHead: what == .head, spoil: spoil)
    let report = try Self.verify(log, [(Self.tail, first + second)])
    #expect(
      report.faults == [Self.fault(log, Self.tail, at: first.count, what, sequence: sequence)])
  }

  /// Contents that are not deterministic CBOR of the right structure; events begin at offset 61.
  private static let broken: [(CBORError, @Sendable (inout Parts) -> Void)] = [
    (.notShortest(at: 61), { $0.events[0] = [0x18, 5] + $0.events[0].dropFirst() }),
    (.wrongType(expected: .unsigned, at: 68), { $0.count += 1 }),
    (.wrongLength(expected: 1, at: 43), { $0.blocks += $0.blocks }),
    (.trailing(at: 136), { $0.trailing = [0] }),
    (
      .unsortedKeys(at: 66),
      { $0.events[0] = [0x82, 5, 0xa2, 3, 1, 0, 1] + $0.events[0].dropFirst() }
    ),
  ]

  @Test(arguments: broken.indices)
  func `Verification: content that is not deterministic CBOR is an encoding fault`(
    index: Int
  ) throws {
    let (error, spoil) = Self.broken[index]
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening], hasHead: false)
    let second = try log.frame([HandWrittenLog.plain()], spoil: spoil)
    #expect(
      try Self.verify(log, [(Self.tail, first + second)]).faults
        == [Self.fault(log, Self.tail, at: first.count, .encoding(error))])
  }

  @Test func `Verification: zeros, noise, missing and repeated frames are reported by kind`() throws
  {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let second = try log.frame([HandWrittenLog.plain()])
    let third = try log.frame([HandWrittenLog.plain()])
    let noise: [UInt8] = [1, 2, 3]
    let zeros: [UInt8] = [0, 0]
    let at = first.count
    func faults(_ name: String, _ bytes: [UInt8]) throws -> [Fault] {
      try Self.verify(log, [(name, bytes)]).faults
    }
    #expect(try faults(Self.sealed, first + second + third + zeros) == [])
    #expect(
      try faults(Self.tail, first + zeros)
        == [Self.fault(log, Self.tail, at: at, .tornTail(count: 2))])
    #expect(
      try faults(Self.sealed, first + zeros + second + third)
        == [Self.fault(log, Self.sealed, at: at, .hole(count: 2))])
    #expect(
      try faults(Self.tail, first + noise + second)
        == [Self.fault(log, Self.tail, at: at, .damage(count: 3))])
    #expect(
      try faults(Self.tail, first + second.dropLast())
        == [Self.fault(log, Self.tail, at: at, .tornTail(count: second.count - 1))])
    #expect(
      try faults(Self.sealed, first + second.dropLast() + third)
        == [
          Self.fault(log, Self.sealed, at: at, .damage(count: second.count - 1)),
          Self.fault(log, Self.sealed, at: at + second.count - 1, .missing(2...2)),
        ])
    #expect(
      try faults(Self.sealed, first + second)
        == [Self.fault(log, Self.sealed, .missing(3...3))])
    #expect(
      try faults(Self.tail, first + second + second)
        == [Self.fault(log, Self.tail, at: at + second.count, .repeated(2...2))])
  }

  @Test func `Verification: frames of a newer version are distinguished from damage`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let newer = try log.frame([HandWrittenLog.plain()]) { $0.version = 2 }
    let at = first.count
    func faults(_ bytes: [UInt8]) throws -> [Fault] {
      try Self.verify(log, [(Self.tail, bytes)]).faults
    }
    let told = Self.fault(log, Self.tail, at: at, .newer(version: 2, count: newer.count))
    #expect(try faults(first + newer) == [told])
    // Verification distinguishes it from a truncated frame before it.
    let cut = Array(newer.prefix(20))
    var behind = told
    behind.offset += cut.count
    #expect(
      try faults(first + cut + newer)
        == [Self.fault(log, Self.tail, at: at, .damage(count: cut.count)), behind])
    var damaged = newer
    damaged[20] ^= 1
    #expect(
      try faults(first + damaged)
        == [Self.fault(log, Self.tail, at: at, .tornTail(count: damaged.count))])
  }

  @Test func `Verification: a first frame with a wrong version, event or replica is reported`()
    throws
  {
    var log = try HandWrittenLog()
    let newer = try log.frame([log.opening]) { $0.version = 2 }
    #expect(
      try Self.verify(log, [(Self.tail, newer)]).faults
        == [Self.fault(log, Self.tail, .newer(version: 2, count: newer.count))])
    log = try HandWrittenLog()
    let closed = try log.frame([HandWrittenLog.plain()], hasHead: false)
    #expect(
      try Self.verify(log, [(Self.tail, closed)]).faults
        == [Self.fault(log, Self.tail, .opening, sequence: 1)])
    log = try HandWrittenLog()
    let other = UniqueID(high: 0, low: 1)
    let borrowed = try log.frame([log.opening], hasHead: false) {
      $0.replica = Array(other.bytes[..<8])
    }
    let faults = try Self.verify(log, [(Self.tail, borrowed)], folder: other.hex).faults
    #expect(faults.map(\.kind) == [.unjoined(.chain), .replica])
  }

  @Test(arguments: [0, 204])
  func `Verification: a file that is empty or all zeros is reported as damage`(count: Int) throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening, HandWrittenLog.plain()])
    let (sealed, tail) = ("000000000001-000000000002.gz", "000000000003.gz")
    let zeros = [UInt8](repeating: 0, count: count)
    let report = try Self.verify(log, [(sealed, first), (tail, zeros)])
    #expect(report.faults == [Self.fault(log, tail, .damage(count: count))])
  }

  @Test func `Verification: a file above the size limit is reported without being read`() throws {
    let log = try HandWrittenLog()
    let place = Path("/book/logs") / log.id.hex
    let disk = SimulatedMachine(seed: 1).disk
    try disk.makeDirectories(place)
    try disk.replace(place / Self.tail, with: [])
    try disk.replace(Path("/book/holes"), with: Array("{}".utf8))
    let large = InterruptedDisk(disk, claiming: Verification.fileLimit + 1)
    #expect(
      try Verification.run(on: Path("/book"), disk: large).faults == [
        Fault(file: "holes", offset: 0, kind: .knownHoles),
        Self.fault(log, Self.tail, .tooLarge),
      ])
  }

  @Test func `Verification: sealed frames without head or table are reported`() throws {
    var log = try HandWrittenLog()
    let other = UniqueID(high: 3, low: 4)
    let seen: [UInt8] = [1, 0x81, 0x83, 0x50] + other.bytes + [9, 0x50] + other.bytes
    let first = try log.frame([log.opening, HandWrittenLog.extra([seen], introduced: [other])])
    let second = try log.frame([HandWrittenLog.plain()], hasTable: false, hasHead: false)
    #expect(
      try Self.verify(log, [(Self.sealed, first + second)]).faults
        == [
          Self.fault(log, Self.sealed, at: first.count, .information),
          Self.fault(log, Self.sealed, at: first.count, .headMissing),
        ])
    #expect(try Self.verify(log, [(Self.tail, first + second)]).faults == [])
  }

  @Test func `Verification: files are compared with their names and with each other`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening, HandWrittenLog.plain()])
    let second = try log.frame([HandWrittenLog.plain()])
    #expect(
      try Self.verify(log, [("x.gz", first), (Self.sealed, first + second)]).faults
        == [Self.fault(log, "x.gz", .strangeName)])
    let short = "000000000001-000000000002.gz"
    #expect(
      try Self.verify(log, [(short, first + second)]).faults
        == [Self.fault(log, short, at: first.count, .misnamed)])
    // The tail has been sealed but not removed.
    #expect(
      try Self.verify(log, [(Self.tail, first), (Self.sealed, first + second)]).faults == [])
    var twin = try HandWrittenLog()
    let deviant = try twin.frame([log.opening, HandWrittenLog.plain("y")])
    #expect(
      try Self.verify(log, [(Self.tail, deviant), (Self.sealed, first + second)]).faults
        == [Self.fault(log, Self.tail, .disagreement(sequence: 2))])
    #expect(
      try Self.verify(log, [(short, first), ("000000000002-000000000003.gz", second)]).faults
        == [Self.fault(log, "000000000002-000000000003.gz", .overlap)])
  }

  @Test func `Verification: a changed byte is reported at any offset`() throws {
    var log = try HandWrittenLog()
    let bytes =
      try log.frame([log.opening] + HandWrittenLog.command(3))
      + (try log.frame([HandWrittenLog.plain()])) + [0]
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0xff
      for name in [Self.tail, "000000000001-000000000005.gz"] {
        let report = try Self.verify(log, [(name, changed)])
        #expect(!report.isClean, "byte \(place)")
      }
    }
    #expect(try Self.verify(log, [("000000000001-000000000005.gz", bytes)]).isClean)
  }
}
