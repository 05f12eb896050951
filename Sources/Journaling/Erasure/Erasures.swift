package import Bytes

/// The entities that are erased, by the events that added them, each with an `erase` that did it.
///
/// An entity that an erased one owns is erased with it, by the same event.
package struct Erasures: Hashable, Sendable {
  package private(set) var entities: [EventName: Landmark] = [:]
  /// The first 16 bytes of the chain hashes of those adds that are not held.
  ///
  /// What comes to lie in such a place and has another hash is of another branch, and not meant.
  package private(set) var supposed: [EventName: UniqueID] = [:]

  package init() {}

  package var isEmpty: Bool { entities.isEmpty }

  /// The event that erased an entity.
  package subscript(entity: EventName) -> Landmark? { entities[entity] }

  /// Takes an entity in; of several events that erased it the least is kept.
  ///
  /// - Parameters:
  ///   - entity: The add of it.
  ///   - erase: The event that erased it.
  ///   - add: The chain hash that the add has to have, where it is not held.
  /// - Returns: Whether it was not erased before.
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
    // Where two are meant, or the one that is held, nothing else can come.
    if supposed[entity] != add { supposed[entity] = nil }
    return false
  }

  /// Takes in all that the entities own, and what that owns in turn, each by the least event that erased any of those
  /// that it hangs on.
  package mutating func spread(along owned: [EventName: [EventName]]) {
    var known: Set<EventName> = []
    for (root, erase) in entities.sorted(by: { $0.value.precedes($1.value) }) {
      var next = [root]
      while let owner = next.popLast() {
        guard known.insert(owner).inserted else { continue }
        for entity in owned[owner] ?? [] {
          insert(entity, by: erase)
          next.append(entity)
        }
      }
    }
  }

  /// Takes entities out of which it has shown that others are meant.
  package mutating func spare(_ entities: Set<EventName>) {
    for entity in entities {
      self.entities[entity] = nil
      supposed[entity] = nil
    }
  }

  /// Takes in what others have found.
  package mutating func merge(_ others: [EventName: Landmark]) {
    for (entity, erase) in others { insert(entity, by: erase) }
  }
}

extension Erasures {
  /// Writes them one behind the other, in order.
  package func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(entities.count * 6)
    for (entity, erase) in entities.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(entity.log)
      writer.unsigned(entity.sequence)
      writer.landmark(erase)
      writer.uniqueID(supposed[entity] ?? UniqueID.none)
    }
  }

  package init(decoding reader: inout CBORReader) throws(CBORError) {
    for _ in 0..<(try reader.arrayHeader() / 6) {
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      entities[entity] = try reader.landmark()
      let add = try reader.uniqueID()
      if add != .none { supposed[entity] = add }
    }
  }
}

extension Landmark {
  /// An order of no meaning that is the same everywhere.
  fileprivate func precedes(_ other: Landmark) -> Bool {
    (log, sequence, hash) < (other.log, other.sequence, other.hash)
  }
}
