/// A field of a document, with the writes to it that survive in any member.
package struct Register: Sendable {
  package let field: Field
  package let survivors: [Stored]

  /// Finds the writes that survive in the members of a document.
  ///
  /// - Parameters:
  ///   - members: The members of a document.
  ///   - causality: The events that the authors of their writes had seen.
  ///   - runs: Returns the competing writes of one member, sorted by field.
  /// - Returns: The fields that were written, sorted.
  static func all(
    of members: [Entity], by causality: Causality, _ runs: (Entity) -> [Entity.Run]
  ) -> [Register] {
    if members.count == 1 {
      return runs(members[0]).map { run in
        Register(field: run.field, survivors: survivors(of: run.writes, by: causality))
      }
    }
    var registers: [Field: [Stored]] = [:]
    for member in members {
      for run in runs(member) {
        registers[run.field, default: []] += survivors(of: run.writes, by: causality)
      }
    }
    return registers.sorted { $0.key < $1.key }
      .map { Register(field: $0.key, survivors: $0.value) }
  }

  /// The writes to one field of an entity that no other of these writes has seen.
  static func survivors(of writes: ArraySlice<Stored>, by causality: Causality) -> [Stored] {
    guard writes.count > 1 else { return Array(writes) }
    let keys = writes.map(\.key)
    return zip(writes, causality.areSeen(keys, by: keys)).compactMap { $1 ? nil : $0 }
  }
}
