internal import Bytes

extension Records {
  /// All writes behind the values of a field in conflict, each value's together.
  ///
  /// A document shows one write for each value; here are also the others that have written the same. The value
  /// shown comes first, and of each value the highest stamp; references lead to documents.
  package func writers(of field: Field, in document: Document) -> [[Stored]] {
    guard let shown = document.shown(field) else { return [] }
    let writes = document.members.flatMap { member in
      survivors(entities[member]?.competing(in: field) ?? [])
    }
    var groups = shown.survivors.map { [$0] }
    var places: [[UInt8]: Int] = [:]
    for (place, write) in shown.survivors.enumerated() { places[encoded(write.value)] = place }
    for write in highestFirst(writes) {
      guard let value = distinctValues([write]).first?.value,
        let place = places[encoded(value)], groups[place][0].key != write.key
      else { continue }
      var write = write
      write.value = value
      groups[place].append(write)
    }
    return groups
  }
}
