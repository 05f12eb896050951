package import Crypto

/// The memory that is used for each device in all its calls, in bytes.
///
/// A session may keep one message and the frames that are not yet stored, and a device may have many sessions. A device
/// also pays for the calls of devices that take part only through it, because it can admit any number of keys. All
/// peers that are not yet known are treated as one device, even if they have authenticated with a key.
package struct MemoryQuota {
  private struct Load {
    var owner: PublicKey?
    var bytes: Int
  }

  private let limit: Int
  private var loads: [UInt64: Load] = [:]
  private var sums: [PublicKey?: Int] = [:]

  package init(limit: Int = Limit.deviceBytes) { self.limit = limit }

  /// Records the number of bytes that a call uses.
  ///
  /// - Returns: Whether all of the device's calls together use more than the limit.
  package mutating func weigh(_ call: UInt64, of owner: PublicKey?, bytes: Int) -> Bool {
    take(call)
    guard bytes > 0 else { return false }
    loads[call] = Load(owner: owner, bytes: bytes)
    sums[owner, default: 0] += bytes
    return sums[owner, default: 0] > limit
  }

  /// Records that a call no longer uses any memory.
  package mutating func take(_ call: UInt64) {
    guard let load = loads.removeValue(forKey: call) else { return }
    let rest = sums[load.owner, default: 0] - load.bytes
    sums[load.owner] = rest > 0 ? rest : nil
  }
}
