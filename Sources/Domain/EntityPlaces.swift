/// Where entities stand in a table, by the events that added them.
///
/// The events of a log are numbered without gaps, so an entity is found by looking into an array at its number, which
/// is quicker than hashing. A number far beyond those met so far, as a strange event may name, has its place
/// elsewhere: no large array can be had by naming a large number.
struct EntityPlaces: Sendable {
  /// By the number of a log and the sequence in it: the place, counted from 1; 0 for none.
  private var places: [[UInt32]] = []
  private var strays: [EventKey: UInt32] = [:]

  init() {}

  subscript(key: EventKey) -> Int? {
    if key.log < places.count, key.sequence < places[Int(key.log)].count {
      let place = places[Int(key.log)][Int(key.sequence)]
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
    while places.count <= log { places.append([]) }
    let known = places[log].count
    guard key.sequence < UInt64(2 * known + Self.stride) else { return strays[key] = place }
    let sequence = Int(key.sequence)
    if sequence >= known {
      places[log].append(contentsOf: repeatElement(0, count: sequence + 1 - known))
    }
    places[log][sequence] = place
  }

  /// How far beyond twice what is known a number may lie.
  private static let stride = 4_096
  /// Logs are numbered as they are met, so a larger number is that of none.
  private static let mostLogs = 1 << 16
}
