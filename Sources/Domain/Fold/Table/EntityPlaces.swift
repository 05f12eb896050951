/// The indices of entities in a table, by the events that added them.
///
/// The events of a log are numbered without gaps, so a lookup is an array access, which is faster than hashing. A
/// faulty event may refer to a number far above the numbers of all known entities. Such numbers are stored in a
/// dictionary, so that they cannot make an array large.
struct EntityPlaces: Sendable {
  /// The places of the entities of one log.
  private struct Log: Sendable {
    /// The index plus 1, by the sequence of the event; 0 if the event has no entity.
    var places: [UInt32] = []
    /// The number of entities in the array.
    var count = 0
  }

  private var logs: [Log] = []
  private var strays: [EventKey: UInt32] = [:]

  init() {}

  subscript(key: EventKey) -> Int? {
    if key.log < logs.count, key.sequence < logs[Int(key.log)].places.count {
      let place = logs[Int(key.log)].places[Int(key.sequence)]
      if place > 0 { return Int(place) - 1 }
    }
    guard !strays.isEmpty else { return nil }
    return strays[key].map { Int($0) - 1 }
  }

  /// Adds the index of an entity that does not have one yet.
  mutating func insert(_ place: Int, for key: EventKey) {
    let place = UInt32(place + 1)
    let log = Int(key.log)
    guard log < Self.mostLogs else { return strays[key] = place }
    while logs.count <= log { logs.append(Log()) }
    let limit = Self.first + Self.share * logs[log].count
    guard key.sequence < UInt64(limit) else { return strays[key] = place }
    let (sequence, known) = (Int(key.sequence), logs[log].places.count)
    if sequence >= known {
      logs[log].places.append(contentsOf: repeatElement(0, count: sequence + 1 - known))
    }
    logs[log].places[sequence] = place
    logs[log].count += 1
  }

  // The maximum length of an array: `first` elements, and `share` more for each entity, because most events may be
  // edits.
  private static let first = 4_096
  private static let share = 16
  /// Logs are numbered from 0 in the order in which they are found, so no higher number is expected.
  private static let mostLogs = 1 << 16
}
