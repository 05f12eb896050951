// The writes behind the values that a document shows.

extension Document {
  /// The writes behind the shown values of a field, grouped by value.
  ///
  /// A document contains one write per value; the groups also contain the other surviving writes of that value. The
  /// shown value comes first, and each group begins with the write that has the highest stamp. References refer to the
  /// shown members of documents.
  func writers(of field: Field, in joined: JoinedEntities) -> [[Stored]] {
    guard let shown = shown(field) else { return [] }
    let writes = members.flatMap { member in
      Register.survivors(
        of: joined.entities[member]?.competing(in: field) ?? [], by: joined.causality)
    }
    var groups = shown.survivors.map { [$0] }
    var places: [[UInt8]: Int] = [:]
    for (place, write) in shown.survivors.enumerated() {
      places[joined.encoded(write.value)] = place
    }
    for write in joined.causality.highestFirst(writes) {
      let write = joined.shown(write)
      guard let place = places[joined.encoded(write.value)], groups[place][0].key != write.key
      else { continue }
      groups[place].append(write)
    }
    return groups
  }

  /// The document's fields that have references, with the references as written.
  ///
  /// A ``Document`` shows the document that a reference refers to, which can change without a write to this document.
  func writtenReferences(in joined: JoinedEntities) -> [Register] {
    let members = members.compactMap { joined.entities[$0] }
    let fields = Set(
      members.flatMap { member in
        member.writes.compactMap { $0.value.reference == nil ? nil : $0.field.base }
      })
    return fields.isEmpty
      ? []
      : Register.all(of: members, by: joined.causality) { member in
        member.runs.filter { fields.contains($0.field) }
      }
  }
}
