/// The entities of a fold, by the events that added them.
///
/// The events of a log are numbered without gaps, so an entity is found by looking into an array at its number, which
/// is quicker than hashing. A number far beyond those met so far, as a strange event may name, has its place
/// elsewhere: no large array can be had by naming a large number.
package struct EntityTable: Sendable {
  /// In the order in which they were first named.
  package private(set) var values: [Entity] = []
  /// By the number of a log and the sequence in it: the place among the values, counted from 1; 0 for none.
  private var places: [[UInt32]] = []
  private var strays: [EventKey: UInt32] = [:]

  package init() {}

  mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

  package var keys: [EventKey] { values.map(\.key) }

  package subscript(key: EventKey) -> Entity? { place(of: key).map { values[$0] } }

  /// Changes an entity, which is there from now on.
  mutating func change<Result>(_ key: EventKey, _ body: (inout Entity) -> Result) -> Result {
    if let place = place(of: key) { return body(&values[place]) }
    values.append(Entity(key: key))
    setPlace(of: key)
    return body(&values[values.count - 1])
  }

  /// Puts an entity in the place of what was known of it.
  mutating func insert(_ entity: Entity) { change(entity.key) { $0 = entity } }

  /// Where an entity stands among the values.
  package func place(of key: EventKey) -> Int? {
    if key.log < places.count, key.sequence < places[Int(key.log)].count {
      let place = places[Int(key.log)][Int(key.sequence)]
      if place > 0 { return Int(place) - 1 }
    }
    guard !strays.isEmpty else { return nil }
    return strays[key].map { Int($0) - 1 }
  }

  /// Says that an entity stands behind all others.
  private mutating func setPlace(of key: EventKey) {
    let place = UInt32(values.count)
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

extension EntityTable: Equatable {
  /// Whether the same is known of the same entities, in whatever order they were named.
  package static func == (left: EntityTable, right: EntityTable) -> Bool {
    left.values.count == right.values.count
      && left.values.allSatisfy { right[$0.key] == $0 }
  }
}
