package import Crypto

/// How much waits in memory for each device, over all its calls together.
///
/// One session of a device may hold a message and what is not stored yet; it may have many sessions. All who have not
/// shown who they are count as one.
package struct MemoryQuota {
  private struct Load {
    var owner: PublicKey?
    var bytes: Int
  }

  private let limit: Int
  private var loads: [UInt64: Load] = [:]
  private var sums: [PublicKey?: Int] = [:]

  package init(limit: Int = Limit.deviceBytes) { self.limit = limit }

  /// Notes what waits for a call, and whose that is.
  ///
  /// - Returns: Whether it is too much together with what waits for the other calls of the same device.
  package mutating func weigh(_ call: UInt64, of owner: PublicKey?, bytes: Int) -> Bool {
    take(call)
    guard bytes > 0 else { return false }
    loads[call] = Load(owner: owner, bytes: bytes)
    sums[owner, default: 0] += bytes
    return sums[owner, default: 0] > limit
  }

  /// Notes that nothing waits for a call any more.
  package mutating func take(_ call: UInt64) {
    guard let load = loads.removeValue(forKey: call) else { return }
    let rest = sums[load.owner, default: 0] - load.bytes
    sums[load.owner] = rest > 0 ? rest : nil
  }
}
