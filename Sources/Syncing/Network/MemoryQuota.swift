package import Crypto

/// The number of bytes that are held in memory for each device, over all its calls.
///
/// A session of a device may hold one message and the frames that are not stored yet, and a device may have many
/// sessions. All peers that are not known yet count as one device, even if they have shown a key.
package struct MemoryQuota {
  private struct Load {
    var owner: PublicKey?
    var bytes: Int
  }

  private let limit: Int
  private var loads: [UInt64: Load] = [:]
  private var sums: [PublicKey?: Int] = [:]

  package init(limit: Int = Limit.deviceBytes) { self.limit = limit }

  /// Records the bytes that are held for a call.
  ///
  /// - Returns: Whether the calls of that device hold more than the limit together.
  package mutating func weigh(_ call: UInt64, of owner: PublicKey?, bytes: Int) -> Bool {
    take(call)
    guard bytes > 0 else { return false }
    loads[call] = Load(owner: owner, bytes: bytes)
    sums[owner, default: 0] += bytes
    return sums[owner, default: 0] > limit
  }

  /// Records that nothing is held for a call any more.
  package mutating func take(_ call: UInt64) {
    guard let load = loads.removeValue(forKey: call) else { return }
    let rest = sums[load.owner, default: 0] - load.bytes
    sums[load.owner] = rest > 0 ? rest : nil
  }
}
