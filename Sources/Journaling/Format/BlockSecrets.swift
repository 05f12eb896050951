package import Bytes

/// The secrets of one block: the salts for the digests of its events, or the seed of these salts.
package enum BlockSecrets: Hashable, Sendable {
  /// The seed from which all salts of the block are derived.
  case seed(UniqueID)
  /// The salts of the block's events in the frame; nil for an event whose body was stripped.
  case salts([UniqueID?])

  func encode(to writer: inout CBORWriter) {
    switch self {
    case .seed(let seed): writer.uniqueID(seed)
    case .salts(let salts):
      writer.arrayHeader(salts.count)
      for salt in salts {
        if let salt { writer.uniqueID(salt) } else { writer.null() }
      }
    }
  }

  static func decode(_ reader: inout CBORReader) throws(CBORError) -> BlockSecrets {
    if try reader.peek() == .bytes { return .seed(try reader.uniqueID()) }
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count > 0, count <= Int(Limit.blockEvents) else { throw .tooMany(at: start) }
    var salts: [UniqueID?] = []
    for _ in 0..<count {
      if try reader.peek() == .null {
        try reader.null()
        salts.append(nil)
      } else {
        salts.append(try reader.uniqueID())
      }
    }
    return .salts(salts)
  }

  /// The salts of the given events of the block.
  func salts(of events: ClosedRange<UInt64>, _ chain: inout Chain) -> [UniqueID?] {
    switch self {
    case .seed(let seed): events.map { chain.salt(seed: seed, sequence: $0) }
    case .salts(let salts): salts
    }
  }
}
