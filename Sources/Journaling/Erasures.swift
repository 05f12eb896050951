package import Bytes

/// The entities that are erased, by the events that added them, each with an `erase` that did it.
///
/// An entity that an erased one owns is erased with it, by the same event.
package struct Erasures: Hashable, Sendable {
  package private(set) var entities: [EventName: Landmark] = [:]

  package init() {}

  package var isEmpty: Bool { entities.isEmpty }

  /// The event that erased an entity.
  package subscript(entity: EventName) -> Landmark? { entities[entity] }

  /// Takes an entity in; of several events that erased it the least is kept.
  ///
  /// - Returns: Whether it was not erased before.
  @discardableResult
  package mutating func insert(_ entity: EventName, by erase: Landmark) -> Bool {
    guard let known = entities[entity] else {
      entities[entity] = erase
      return true
    }
    if erase.precedes(known) { entities[entity] = erase }
    return false
  }

  /// Takes in what others have found.
  package mutating func merge(_ others: [EventName: Landmark]) {
    for (entity, erase) in others { insert(entity, by: erase) }
  }
}

extension Erasures {
  /// Writes them one behind the other, in order.
  package func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(entities.count * 5)
    for (entity, erase) in entities.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(entity.log)
      writer.unsigned(entity.sequence)
      writer.uniqueID(erase.log)
      writer.unsigned(erase.sequence)
      writer.uniqueID(erase.hash)
    }
  }

  package init(decoding reader: inout CBORReader) throws(CBORError) {
    for _ in 0..<(try reader.arrayHeader() / 5) {
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      let other = try reader.uniqueID()
      let sequence = try reader.unsigned()
      entities[entity] = Landmark(log: other, sequence: sequence, hash: try reader.uniqueID())
    }
  }
}

extension Landmark {
  /// An order of no meaning that is the same everywhere.
  fileprivate func precedes(_ other: Landmark) -> Bool {
    (log, sequence, hash) < (other.log, other.sequence, other.hash)
  }
}
