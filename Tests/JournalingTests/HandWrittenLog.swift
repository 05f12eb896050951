import Bytes
import Crypto
import Gzip
import Journaling

/// Writes frames as `protocol.md` defines them, and lets tests change every part.
///
/// The writer shares no code with the journal, so the two implementations check each other.
struct HandWrittenLog {
  /// The hashed parts of an event.
  ///
  /// The body of a stripped event contains its salted digest.
  struct Event {
    var header: [UInt8]
    var body: [UInt8]
    var delta: UInt64 = 0
    var when: Int64 = 0
    var introduced: [UniqueID] = []
    var isStripped = false
  }

  /// The parts of a frame.
  struct Parts {
    var version: UInt8 = 1
    /// The first 8 bytes of the id of the replica.
    var replica: [UInt8]
    var first: UInt64
    var count: Int
    var time: UInt64
    var when: Int64
    var hash: [UInt8]
    /// The encoded secrets, one item for each block.
    var blocks: [[UInt8]]
    var tableCount: UInt64
    var table: [UniqueID]?
    var events: [[UInt8]]
    var signature: [UInt8]?
    var trailing: [UInt8] = []
  }

  let keys: DeviceKeys
  let incarnation = UniqueID(high: 5, low: 6)
  let id: UniqueID
  private(set) var sequence: UInt64 = 0
  private(set) var time: UInt64 = 0
  private(set) var when: Int64 = 0
  private(set) var hash: Digest
  private(set) var table: [UniqueID] = []

  init() throws {
    keys = try DeviceKeys(
      signingSeed: [UInt8](repeating: 1, count: 32), agreementSeed: [UInt8](repeating: 2, count: 32)
    )
    id =
      SHA256.digest(
        of: Array("daybook replica v1".utf8) + keys.signing.publicKey.bytes + incarnation.bytes
      ).prefix16
    hash = SHA256.digest(of: Array("daybook log v1".utf8) + id.bytes)
  }

  // MARK: Events

  var opening: Event {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.unsigned(8)
    writer.byteString(keys.signing.publicKey.bytes)
    writer.byteString(keys.agreement.publicKey)
    writer.uniqueID(incarnation)
    writer.text("desk")
    return Event(header: [0x1a, 0x10, 0, 0, 0], body: writer.bytes, delta: 0x1000_0000)
  }

  /// An event without special properties, five milliseconds after the previous event.
  static func plain(_ text: String = "x") -> Event {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(3)
    writer.unsigned(5)
    writer.text(text)
    return Event(header: [5], body: writer.bytes, delta: 5)
  }

  /// An event whose header has extras, which are given as encoded pairs in order.
  static func extra(_ pairs: [[UInt8]], when: Int64 = 0, introduced: [UniqueID] = []) -> Event {
    var event = plain()
    event.header = [0x82, 5, 0xa0 + UInt8(pairs.count)] + pairs.flatMap { $0 }
    event.when = when
    event.introduced = introduced
    return event
  }

  /// An event that adds a log to the table.
  static func introduction(of id: UniqueID = UniqueID(high: 3, low: 4)) -> Event {
    let seen: [UInt8] = [1, 0x81, 0x83, 0x50] + id.bytes + [9, 0x50] + id.bytes
    return extra([seen], introduced: [id])
  }

  static func stripped(
    by log: UniqueID = UniqueID(high: 1, low: 1), _ sequence: UInt64 = 4,
    _ hash: UniqueID = UniqueID(high: 1, low: 2)
  ) -> Event {
    var writer = CBORWriter()
    writer.mapHeader(2)
    writer.unsigned(0)
    writer.digest(SHA256.digest(of: [1]))
    writer.unsigned(1)
    writer.arrayHeader(3)
    writer.uniqueID(log)
    writer.unsigned(sequence)
    writer.uniqueID(hash)
    return Event(header: [5], body: writer.bytes, delta: 5, isStripped: true)
  }

  static func command(_ count: Int) -> [Event] {
    [extra([[2, UInt8(count - 1)]])] + [Event](repeating: plain(), count: count - 1)
  }

  // MARK: Frames

  static func seed(of block: UInt64) -> UniqueID { UniqueID(high: 9, low: block) }

  static func salt(of sequence: UInt64) -> [UInt8] {
    let seed = seed(of: (sequence - 1) / 64)
    let input = Array("daybook salt v1".utf8) + seed.bytes + bigEndian(sequence)
    return Array(SHA256.digest(of: input).bytes[..<16])
  }

  static func bigEndian(_ number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
  }

  /// Writes the next events as one frame and advances the log.
  ///
  /// `spoil` can change the parts before they are packed.
  mutating func frame(
    _ events: [Event], hasTable: Bool = true, hasHead: Bool = true,
    spoil: (inout Parts) -> Void = { _ in }
  ) throws -> [UInt8] {
    var parts = Parts(
      replica: Array(id.bytes[..<8]), first: sequence + 1, count: events.count, time: time,
      when: when, hash: hash.bytes,
      blocks: Self.blocks(events, from: sequence + 1), tableCount: UInt64(table.count),
      table: hasTable && !table.isEmpty ? table : nil,
      events: events.map { $0.header + $0.body })
    for event in events { advance(event) }
    if hasHead { parts.signature = try head() }
    spoil(&parts)
    return Self.pack(parts)
  }

  private mutating func advance(_ event: Event) {
    sequence += 1
    time += event.delta
    when += event.when
    table += event.introduced
    let salted =
      event.isStripped
      ? SHA256.digest(of: [1]) : SHA256.digest(of: Self.salt(of: sequence) + event.body)
    hash = SHA256.digest(of: hash.bytes + event.header + salted.bytes)
  }

  func head() throws -> [UInt8] {
    let message = Array("daybook head v1".utf8) + id.bytes + Self.bigEndian(sequence)
    return try keys.signing.sign(
      SHA256.digest(of: message + Self.bigEndian(time) + hash.bytes).bytes)
  }

  private static func blocks(_ events: [Event], from first: UInt64) -> [[UInt8]] {
    let numbered = events.enumerated().map { (first + UInt64($0), $1) }
    let last = first + UInt64(events.count) - 1
    return ((first - 1) / 64...(last - 1) / 64).map { block in
      let members = numbered.filter { ($0.0 - 1) / 64 == block }
      var writer = CBORWriter()
      guard members.contains(where: \.1.isStripped) else {
        writer.uniqueID(seed(of: block))
        return writer.bytes
      }
      writer.arrayHeader(members.count)
      for (sequence, event) in members {
        if event.isStripped { writer.null() } else { writer.byteString(salt(of: sequence)) }
      }
      return writer.bytes
    }
  }

  private static func pack(_ parts: Parts) -> [UInt8] {
    var pairs: [[UInt8]] = [[0] + encoded { $0.unsigned(parts.time) }]
    if parts.when != 0 { pairs.append([1] + encoded { $0.integer(parts.when) }) }
    pairs.append([2] + encoded { $0.byteString(parts.hash) })
    pairs.append([3] + encoded { $0.arrayHeader(parts.blocks.count) } + parts.blocks.flatMap { $0 })
    if parts.tableCount != 0 { pairs.append([4] + encoded { $0.unsigned(parts.tableCount) }) }
    if let table = parts.table {
      pairs.append(
        [5] + encoded { $0.arrayHeader(table.count) }
          + table.flatMap { id in encoded { $0.uniqueID(id) } })
    }
    var content = [0xa0 + UInt8(pairs.count)] + pairs.flatMap { $0 } + parts.events.flatMap { $0 }
    if let signature = parts.signature {
      content += [0xa1, 0] + encoded { $0.byteString(signature) }
    }
    content += parts.trailing
    return GzipMember.compress(content.span, level: 6, extraCount: 29) { length in
      [0x44, 0x42, 0x19, 0, parts.version] + littleEndian(UInt64(length), count: 4)
        + littleEndian(parts.first, count: 8) + littleEndian(UInt64(parts.count), count: 4)
        + parts.replica
    }
  }

  private static func encoded(_ write: (inout CBORWriter) -> Void) -> [UInt8] {
    var writer = CBORWriter()
    write(&writer)
    return writer.bytes
  }

  private static func littleEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}
