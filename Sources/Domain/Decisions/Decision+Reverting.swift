extension Records {
  /// The edit that gives an entity the values that it has in another state of the records; nil if it has them already.
  ///
  /// The entity is read by itself, without the other members of its document.
  package func reverting(_ key: EventKey, to before: Records) -> Draft? {
    guard let kind = entity(of: key)?.kind else { return nil }
    let (now, wanted) = (shownValues(of: key), before.shownValues(of: key))
    let writes = Set(now.keys).union(wanted.keys).sorted().compactMap { field -> Write? in
      guard let schema = Schema.field(field, of: kind), !schema.isFixed else { return nil }
      let value = wanted[field] ?? .null
      let shown = schema.meaning(of: now[field] ?? .null)
      return shown.isIdentical(to: schema.meaning(of: value)) ? nil : Write(field, value)
    }
    return writes.isEmpty ? nil : Draft(.edit, .entity(key), writes)
  }

  /// The values that an entity would show if it were a document of its own.
  private func shownValues(of key: EventKey) -> [Field: Value] {
    guard let entity = entity(of: key) else { return [:] }
    let registers = Register.all(of: [entity], by: causality) {
      $0.kind == .todo ? $0.runsWithDerived : $0.runs
    }
    return registers.reduce(into: [:]) { values, register in
      values[register.field] = joined.distinctValues(register.survivors).first?.value
    }
  }
}
