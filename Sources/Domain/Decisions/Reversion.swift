/// The edits that set entities to the values that they have in another state of the records.
package struct Reversion {
  private let now: Records
  private let before: Records

  package init(of now: Records, to before: Records) {
    (self.now, self.before) = (now, before)
  }

  /// The edit of an entity; nil if it already has the values.
  ///
  /// The entity is read on its own, without the other members of its document.
  package func edit(of key: EventKey) -> Draft? {
    guard let kind = now.entity(of: key)?.kind else { return nil }
    let (shown, wanted) = (Self.values(of: key, in: now), Self.values(of: key, in: before))
    let fields = Set(shown.keys).union(wanted.keys).sorted()
    let writes = fields.compactMap { field -> Write? in
      guard let schema = Schema.field(field, of: kind), !schema.isFixed else { return nil }
      let value = wanted[field] ?? .null
      let meaning = schema.meaning(of: shown[field] ?? .null)
      return meaning.isIdentical(to: schema.meaning(of: value)) ? nil : Write(field, value)
    }
    return writes.isEmpty ? nil : Draft(.edit, .entity(key), writes)
  }

  /// The values that an entity would show if it were a separate document.
  private static func values(of key: EventKey, in records: Records) -> [Field: Value] {
    guard let entity = records.entity(of: key) else { return [:] }
    let registers = Register.all(of: [entity], by: records.causality) {
      $0.kind == .todo ? $0.runsWithDerived : $0.runs
    }
    return registers.reduce(into: [:]) { values, register in
      values[register.field] = records.joined.distinctValues(register.survivors).first?.value
    }
  }
}

extension Body {
  /// Removes the values of an add of an occurrence, except the values that identify the occurrence.
  package mutating func keepOnlyIdentityOfOccurrence() {
    writes.removeAll { ![.source, .owner, Field.Todo.slot].contains($0.field) }
  }
}
