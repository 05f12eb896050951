package import Bytes

/// The erased entities, identified by the events that added them, each with the `erase` event that erased it.
///
/// Entities that an erased entity owns are erased by the same event.
package struct Erasures: Hashable, Sendable {
  package private(set) var entities: [EventName: Landmark] = [:]
  /// The first 16 bytes of the chain hashes that `erase` events expect of each `add` event that the device does not
  /// have, each with the `erase` event that expects it.
  ///
  /// If an event with that name arrives with a different hash, it belongs to a different branch and is not erased.
  package private(set) var supposed: [EventName: [UniqueID: Landmark]] = [:]

  package init() {}

  package var isEmpty: Bool { entities.isEmpty }

  /// The event that erased an entity.
  package subscript(entity: EventName) -> Landmark? { entities[entity] }

  /// Adds an entity.
  ///
  /// If several events erased the entity, the first of them in the order of log, sequence and hash is kept.
  ///
  /// - Parameters:
  ///   - entity: The event that added the entity.
  ///   - erase: The event that erased it.
  ///   - add: The first 16 bytes of the chain hash that the `add` event must have, if the device does not have the
  ///     event.
  /// - Returns: Whether the entity was not already erased.
  @discardableResult
  package mutating func insert(
    _ entity: EventName, by erase: Landmark, supposing add: UniqueID? = nil
  ) -> Bool {
    guard let known = entities[entity] else {
      entities[entity] = erase
      if let add { supposed[entity] = [add: erase] }
      return true
    }
    if erase.precedes(known) { entities[entity] = erase }
    guard let add else {
      // The device has the event, or any event with that name is erased.
      supposed[entity] = nil
      return false
    }
    supposed[entity]?.merge([add: erase]) { $0.precedes($1) ? $0 : $1 }
    return false
  }

  /// Decides whether an arriving `add` event is erased, if the device did not have it until now.
  ///
  /// - Parameters:
  ///   - entity: The name of the event.
  ///   - hash: The first 16 bytes of the chain hash of the event.
  /// - Returns: Whether the event belongs to a different branch than all events that are erased under its name. The
  ///   entity is then no longer erased.
  package mutating func spares(_ entity: EventName, hash: UniqueID) -> Bool {
    guard let adds = supposed[entity] else { return false }
    entities[entity] = adds[hash]
    supposed[entity] = nil
    return entities[entity] == nil
  }

  /// Adds everything that the erased entities own, directly or through other entities.
  ///
  /// Each added entity gets the `erase` event of one of the owners through which it is erased: the first of these
  /// events in the order of log, sequence and hash.
  package mutating func spread(along owned: [EventName: [EventName]]) {
    var known: Set<EventName> = []
    for (root, erase) in entities.sorted(by: { $0.value.precedes($1.value) }) {
      owned.forEachReached(from: root, known: &known) { insert($0, by: erase) }
    }
  }

  /// Removes entities that have turned out to belong to a different branch than the erased entities.
  package mutating func spare(_ entities: Set<EventName>) {
    for entity in entities {
      self.entities[entity] = nil
      supposed[entity] = nil
    }
  }

  /// Adds the entities that a frame has shown to be erased.
  package mutating func merge(_ others: [EventName: Landmark]) {
    for (entity, erase) in others { insert(entity, by: erase) }
  }
}

extension Erasures {
  /// Encodes the erased entities as one array, ordered by name.
  package func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(entities.count * 6)
    for (entity, erase) in entities.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(entity.log)
      writer.unsigned(entity.sequence)
      writer.landmark(erase)
      let adds = (supposed[entity] ?? [:]).sorted { $0.key < $1.key }
      writer.arrayHeader(adds.count * 4)
      for (add, erase) in adds {
        writer.uniqueID(add)
        writer.landmark(erase)
      }
    }
  }

  package init(decoding reader: inout CBORReader) throws(CBORError) {
    for _ in 0..<(try reader.arrayHeader() / 6) {
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      entities[entity] = try reader.landmark()
      for _ in 0..<(try reader.arrayHeader() / 4) {
        let add = try reader.uniqueID()
        supposed[entity, default: [:]][add] = try reader.landmark()
      }
    }
  }
}

extension Landmark {
  /// Orders landmarks arbitrarily, but in the same way on all devices.
  fileprivate func precedes(_ other: Landmark) -> Bool {
    (log, sequence, hash) < (other.log, other.sequence, other.hash)
  }
}
