import Bytes
import Crypto

/// Verifies the heads of a log with the log's key.
///
/// Heads that are read before the key is known are verified later.
struct HeadCheck {
  private struct Head {
    /// The fault to report if the signature does not verify.
    var fault: Fault
    var message: [UInt8]
    var signature: [UInt8]
  }

  /// The log's key, once it is known.
  var key: PublicKey?
  /// The number of heads with a valid signature.
  private(set) var verified = 0
  private var waiting: [Head] = []

  init(with key: PublicKey?) { self.key = key }

  /// Reads and checks the head that ends a frame.
  mutating func check(
    _ reader: inout CBORReader, at chain: ChainState, of replica: UniqueID,
    _ hasher: inout SHA256, _ faults: inout FaultCollector
  ) throws(CBORError) {
    guard let signature = try Self.signature(&reader) else {
      return faults.report(.head, sequence: chain.sequence)
    }
    hasher.update(Array("daybook head v1".utf8))
    hasher.update(replica.bytes)
    hasher.update(chain.sequence.bigEndianBytes)
    hasher.update(chain.time.bigEndianBytes)
    hasher.update(chain.hash.bytes)
    let head = Head(
      fault: faults.fault(.head, sequence: chain.sequence), message: hasher.finish().bytes,
      signature: signature)
    if let key { settle(head, with: key, &faults) } else { waiting.append(head) }
  }

  /// Verifies the waiting heads, if the key is known by now.
  mutating func finish(_ faults: inout FaultCollector) {
    guard let key else { return }
    for head in waiting { settle(head, with: key, &faults) }
    waiting = []
  }

  private mutating func settle(
    _ head: Head, with key: PublicKey, _ faults: inout FaultCollector
  ) {
    if key.verifies(head.signature, of: head.message) {
      verified += 1
    } else {
      faults.report(head.fault)
    }
  }

  /// Reads a head, and returns its signature if it has one.
  private static func signature(_ reader: inout CBORReader) throws(CBORError) -> [UInt8]? {
    let start = reader.offset
    // Skipping the map also checks its encoding, including the order of keys.
    var ahead = reader
    guard try ahead.skip().count <= 1_024 else { throw .tooMany(at: start) }
    var signature: [UInt8]?
    if try reader.mapHeader() > 0, try reader.peek() == .unsigned, try reader.unsigned() == 0 {
      signature = try reader.byteString(count: 64)
    }
    reader = ahead
    return signature
  }
}
