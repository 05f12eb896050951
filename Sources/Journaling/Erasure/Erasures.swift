package import Bytes

/// The erased entities, identified by the events that added them, each with the `erase` event that erased it.
///
/// Entities that an erased entity owns are erased by the same event.
package struct Erasures: Hashable, Sendable {
  package private(set) var entities: [EventName: Landmark] = [:]
  /// The first 16 bytes of the expected chain hash of each `add` event that the device does not have.
  ///
  /// If an event with that name arrives with a different hash, it belongs to a different branch and is not erased.
  package private(set) var supposed: [EventName: UniqueID] = [:]

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
      supposed[entity] = add
      return true
    }
    if erase.precedes(known) { entities[entity] = erase }
    // If two different hashes are expected, or the device has the event, there is no hash left to check.
    if supposed[entity] != add { supposed[entity] = nil }
    return false
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
    writer.arrayHeader(entities.count * 7)
    for (entity, erase) in entities.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(entity.log)
      writer.unsigned(entity.sequence)
      writer.landmark(erase)
      // Every hash value can occur in an event, so none of them can represent a missing hash.
      writer.boolean(supposed[entity] != nil)
      writer.uniqueID(supposed[entity] ?? UniqueID.none)
    }
  }

  package init(decoding reader: inout CBORReader) throws(CBORError) {
    for _ in 0..<(try reader.arrayHeader() / 7) {
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      entities[entity] = try reader.landmark()
      let isSupposed = try reader.boolean()
      let add = try reader.uniqueID()
      if isSupposed { supposed[entity] = add }
    }
  }
}

extension Landmark {
  /// Orders landmarks arbitrarily, but in the same way on all devices.
  fileprivate func precedes(_ other: Landmark) -> Bool {
    (log, sequence, hash) < (other.log, other.sequence, other.hash)
  }
}
