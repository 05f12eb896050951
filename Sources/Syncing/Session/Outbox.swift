/// Bytes to send, which are removed in portions.
struct Outbox {
  private var bytes: [UInt8] = []
  private var taken = 0

  var isEmpty: Bool { taken == bytes.count }

  var count: Int { bytes.count - taken }

  mutating func append(_ more: [UInt8]) {
    if isEmpty { (bytes, taken) = ([], 0) }
    bytes += more
  }

  mutating func take(upTo count: Int) -> [UInt8] {
    if taken == 0, count >= bytes.count {
      defer { bytes = [] }
      return bytes
    }
    let end = taken + min(count, self.count)
    defer { taken = end }
    return Array(bytes[taken..<end])
  }
}
