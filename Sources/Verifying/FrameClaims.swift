import Bytes

/// The information at the start of a frame, as decoded for verification.
struct FrameClaims {
  enum Salting: Equatable {
    case seed(UniqueID)
    /// The salts of the frame's events in the block; nil for stripped events.
    case salts([UniqueID?])
  }

  static let eventsPerBlock: UInt64 = 64

  var time: UInt64 = 0
  var when: Int64 = 0
  var hash: Digest
  var blocks: [Salting] = []
  var tableCount: UInt64 = 0
  var table: [UniqueID]?
  /// Whether the information contains a default value, which must be omitted.
  var isWordy = false

  /// Reads the information of a frame with the given events.
  init(
    _ reader: inout CBORReader, bytes: Span<UInt8>, events: ClosedRange<UInt64>
  )
    throws(CBORError)
  {
    let start = reader.offset
    var ahead = CBORReader(bytes, at: start)
    _ = try ahead.skip()
    var hash: Digest?
    var given: Set<UInt64> = []
    for _ in 0..<(try reader.mapHeader()) {
      guard try reader.peek() == .unsigned else {
        _ = try reader.skip()
        _ = try reader.skip()
        continue
      }
      let key = try reader.unsigned()
      given.insert(key)
      switch key {
      case 0: time = try reader.unsigned()
      case 1: when = try reader.integer()
      case 2: hash = try reader.digest()
      case 3: blocks = try Self.blocks(&reader, events: events)
      case 4: tableCount = try reader.unsigned()
      case 5: table = try Self.table(&reader)
      default: _ = try reader.skip()
      }
    }
    guard let hash, given.isSuperset(of: [0, 2, 3]) else { throw .truncated(at: start) }
    self.hash = hash
    isWordy =
      given.contains(1) && when == 0 || given.contains(4) && tableCount == 0
      || table?.isEmpty == true
  }

  private static func table(_ reader: inout CBORReader) throws(CBORError) -> [UniqueID] {
    var table: [UniqueID] = []
    for _ in 0..<(try reader.arrayHeader()) { table.append(try reader.uniqueID()) }
    return table
  }

  private static func blocks(
    _ reader: inout CBORReader, events: ClosedRange<UInt64>
  ) throws(CBORError) -> [Salting] {
    let start = reader.offset
    let numbers = block(of: events.lowerBound)...block(of: events.upperBound)
    guard try reader.arrayHeader() == numbers.count else {
      throw .wrongLength(expected: numbers.count, at: start)
    }
    var blocks: [Salting] = []
    for number in numbers {
      guard try reader.peek() == .array else {
        blocks.append(.seed(try reader.uniqueID()))
        continue
      }
      let first = max(events.lowerBound, number * eventsPerBlock + 1)
      let last = min(events.upperBound, (number + 1) * eventsPerBlock)
      let count = Int(last - first + 1)
      let offset = reader.offset
      guard try reader.arrayHeader() == count else {
        throw .wrongLength(expected: count, at: offset)
      }
      var salts: [UniqueID?] = []
      for _ in 0..<count {
        if try reader.peek() == .null {
          try reader.null()
          salts.append(nil)
        } else {
          salts.append(try reader.uniqueID())
        }
      }
      blocks.append(.salts(salts))
    }
    return blocks
  }

  static func block(of sequence: UInt64) -> UInt64 { (sequence - 1) / eventsPerBlock }
}
