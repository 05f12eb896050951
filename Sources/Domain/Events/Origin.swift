package import Bytes

/// The event that a birth, a write or a mark comes from.
package struct Origin: Hashable, Sendable {
  package var key: EventKey
  package var time: Int64
  package var effectiveTime: Int64
  package var hash: UniqueID

  package init(key: EventKey, time: Int64, effectiveTime: Int64, hash: UniqueID) {
    self.key = key
    self.time = time
    self.effectiveTime = effectiveTime
    self.hash = hash
  }

  package init(of write: Stored) {
    self.init(
      key: write.key, time: write.time, effectiveTime: write.effectiveTime, hash: write.hash)
  }

  package init(of birth: Entity.Birth, adding key: EventKey) {
    self.init(
      key: key, time: birth.time, effectiveTime: birth.effectiveTime, hash: birth.hash)
  }

  /// A write to a field by this event.
  package func write(of field: Field, _ value: Value) -> Stored {
    Stored(
      field: field, key: key, time: time, effectiveTime: effectiveTime, hash: hash, value: value)
  }

  var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}

extension Fact {
  var origin: Origin { Origin(key: key, time: time, effectiveTime: effectiveTime, hash: hash) }
}
