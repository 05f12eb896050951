package import Bytes

/// The action of a domain event.
package enum Verb: UInt64, Sendable {
  case add = 0
  case edit = 1
  case delete = 2
  case restore = 3
  case alias = 4
}

/// A field and the value written to it.
package struct Write: Hashable, Sendable {
  package var field: Field
  package var value: Value

  package init(_ field: Field, _ value: Value) {
    self.field = field
    self.value = value
  }
}

/// The body of a domain event: a verb, its target, and the fields that it writes.
package struct Body: Hashable, Sendable {
  /// The target of an event, which is the kind of the new entity for an add, and an entity for any other verb.
  package enum Target: Hashable, Sendable {
    case kind(Kind)
    case entity(EventKey)
  }

  package var verb: Verb
  package var target: Target
  package var writes: [Write]

  /// The writes to fields of a record; empty for an alias, whose write refers to another record.
  package var fieldWrites: [Write] { verb == .alias ? [] : writes }

  package init(_ verb: Verb, _ target: Target, _ writes: [Write] = []) {
    self.verb = verb
    self.target = target
    self.writes = writes
  }

  /// The values that the body writes to a field, with the shown value first; empty if it does not write to the field.
  package func values(of field: Field) -> [Value] {
    guard let first = writes.last(where: { $0.field == field }) else { return [] }
    let others = Dictionary(
      writes.filter { $0.field.isAlternative && $0.field.base == field }.map {
        ($0.field, $0.value)
      },
      uniquingKeysWith: { _, last in last })
    return [first.value] + others.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The number of bytes that quotas charge for the fields in addition to their encoding.
  package var fieldBytes: Int { writes.reduce(0) { $0 + $1.field.chargedBytes } }

  /// The number of bytes charged for the fields and values when events are folded in portions.
  package var heldBytes: Int {
    writes.reduce(0) { $0 + $1.field.chargedBytes + $1.value.heldBytes }
  }
}

/// A domain event as the fold sees it: its key, its times and its body.
package struct Fact: Sendable {
  package var key: EventKey
  /// The time at which the event was written, in milliseconds.
  package var time: Int64
  /// The time at which the fact happened according to its source, if it was imported.
  package var when: Int64?
  /// The first 16 bytes of the chain hash at the event.
  package var hash: UniqueID
  package var body: Body

  package init(key: EventKey, time: Int64, when: Int64?, hash: UniqueID, body: Body) {
    self.key = key
    self.time = time
    self.when = when
    self.hash = hash
    self.body = body
  }

  /// The time that users see and that `at` uses.
  package var effectiveTime: Int64 { when ?? time }
}
