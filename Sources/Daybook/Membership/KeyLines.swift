import Crypto
import Journaling

/// The places of keys among the keys of their devices.
///
/// A key and its only successor belong to one device. All keys are visited once, because a hostile device can admit and
/// retire thousands of keys.
struct KeyLines {
  /// For keys that were replaced or have replaced others, the numbers of each key and of its device's earlier keys.
  ///
  /// Two ranges overlap only if one of the keys is an earlier key of the other.
  private var lines: [PublicKey: ClosedRange<Int>] = [:]
  private var count = 0

  init(_ trust: Trust) {
    let replaced = Set(trust.predecessors.values.joined())
    let keys = trust.predecessors.keys
    for key in keys where !replaced.contains(key) { number(key, trust.predecessors) }
    // Keys that claim to succeed each other have no last key.
    for key in keys where lines[key] == nil { number(key, trust.predecessors) }
  }

  private mutating func number(_ key: PublicKey, _ predecessors: [PublicKey: [PublicKey]]) {
    var entered: Set<PublicKey> = []
    var waiting: [(key: PublicKey, first: Int?)] = [(key, nil)]
    while let (key, first) = waiting.popLast() {
      if let first {
        lines[key] = first...count
      } else if entered.insert(key).inserted {
        count += 1
        waiting.append((key, count))
        for old in predecessors[key] ?? [] { waiting.append((old, nil)) }
      }
    }
  }

  /// The numbers of a key and of the earlier keys of its device; nil if the device has had no other key.
  func line(of key: PublicKey) -> ClosedRange<Int>? { lines[key] }

  /// Whether a key is the given key or an earlier key of its device.
  func isKey(_ old: PublicKey, of key: PublicKey) -> Bool {
    guard old != key else { return true }
    guard let line = lines[key], let own = lines[old] else { return false }
    return line.contains(own.lowerBound)
  }
}
