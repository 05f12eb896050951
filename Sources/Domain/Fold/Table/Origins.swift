internal import Bytes

/// The events that a table refers to or once referred to, by place.
///
/// An event stays here when another event replaces it, because a fold ends before the wasted space matters.
///
/// The keys are in a separate array, because folding compares only keys, and more of them then share a cache line.
struct Origins: Sendable {
  private struct Rest: Sendable {
    let time: Int64
    let effectiveTime: Int64
    let hash: UniqueID
  }

  private var keys: [EventKey] = []
  private var rests: [Rest] = []

  init() {}

  mutating func reserveCapacity(_ count: Int) {
    keys.reserveCapacity(count)
    rests.reserveCapacity(count)
  }

  /// - Returns: The place of the event.
  mutating func append(_ origin: Origin) -> UInt32 {
    keys.append(origin.key)
    rests.append(
      Rest(time: origin.time, effectiveTime: origin.effectiveTime, hash: origin.hash))
    return UInt32(keys.count - 1)
  }

  func key(at place: UInt32) -> EventKey { keys[Int(place)] }

  func hash(at place: UInt32) -> UniqueID { rests[Int(place)].hash }

  subscript(place: UInt32) -> Origin {
    let rest = rests[Int(place)]
    return Origin(
      key: keys[Int(place)], time: rest.time, effectiveTime: rest.effectiveTime, hash: rest.hash)
  }
}
