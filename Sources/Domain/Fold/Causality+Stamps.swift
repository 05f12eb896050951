internal import Bytes

// Stamps order events wherever causality leaves them unordered.

extension Causality {
  func stamp(of write: Stored) -> Stamp {
    stamp(of: write.key, time: write.time, hash: write.hash)
  }

  /// The stamp of the event that adds an entity.
  func stamp(of birth: Entity.Birth, adding key: EventKey) -> Stamp {
    stamp(of: key, time: birth.time, hash: birth.hash)
  }

  private func stamp(of key: EventKey, time: Int64, hash: UniqueID) -> Stamp {
    let replica = identity(of: key.log)?.replica ?? UniqueID.none
    return Stamp(time: time, replica: replica, sequence: key.sequence, hash: hash)
  }

  /// A stamp for comparing marks.
  ///
  /// A mark needs no hash, because the log distinguishes branches.
  func stamp(of mark: Mark) -> Stamp {
    let identity = identity(of: mark.key.log)
    let none = UniqueID.none
    return Stamp(
      time: mark.time, replica: identity?.replica ?? none, sequence: mark.key.sequence,
      hash: identity?.id ?? none)
  }

  /// Sorts writes as they are shown: highest stamp first, and the values of one event in their order.
  ///
  /// Two branches can begin with the same event, whose writes have the same stamp. In that case, the ids of the logs
  /// decide, because the numbers of logs differ between devices.
  package func highestFirst(_ writes: [Stored]) -> [Stored] {
    let ranked = writes.map { write in
      (write: write, stamp: stamp(of: write), log: identity(of: write.key.log)?.id ?? .none)
    }
    return ranked.sorted { one, other in
      if one.stamp != other.stamp { return one.stamp > other.stamp }
      return (one.write.field, one.log) < (other.write.field, other.log)
    }.map(\.write)
  }

  /// The last mark of each log, latest first, limited to the `count` latest marks.
  func latest(_ marks: [Mark], count: Int) -> [Mark] {
    guard marks.count > 1 else { return marks }
    var last: [UInt32: Mark] = [:]
    for mark in marks where mark.key.sequence >= last[mark.key.log]?.key.sequence ?? 0 {
      last[mark.key.log] = mark
    }
    let sorted = last.values.map { ($0, stamp(of: $0)) }.sorted { $0.1 > $1.1 }
    return sorted.prefix(count).map(\.0)
  }

  /// The latest of the given events, limited to the number that can settle disputes.
  func latestSettlers(_ marks: [Mark]) -> [Mark] { latest(marks, count: Schema.Limit.settlers) }
}
