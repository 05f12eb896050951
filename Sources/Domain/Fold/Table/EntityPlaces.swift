/// Where entities stand in a table, by the events that added them.
///
/// The events of a log are numbered without gaps, so an entity is found by looking into an array at its number, which
/// is quicker than hashing. A number far beyond that of the entities met so far, as a strange event may name, has its
/// place elsewhere: no large array can be had by naming large numbers.
struct EntityPlaces: Sendable {
  /// Those of one log.
  private struct Log: Sendable {
    /// By the sequence: the place, counted from 1; 0 for none.
    var places: [UInt32] = []
    /// How many of them are given.
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

  /// Says where an entity stands that had no place.
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

  // So long an array may be: some numbers at first, and so many for each entity, as where most events are edits.
  private static let first = 4_096
  private static let share = 16
  /// Logs are numbered as they are met, so a larger number is that of none.
  private static let mostLogs = 1 << 16
}
