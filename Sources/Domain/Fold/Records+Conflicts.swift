internal import Bytes

extension Records {
  /// The writes behind the shown values of a field, grouped by value.
  ///
  /// A document has one write per value; the groups also have the other surviving writes of the same value. The shown
  /// value comes first, and in each group the write with the highest stamp. References name the members under which
  /// documents are shown.
  package func writers(of field: Field, in document: Document) -> [[Stored]] {
    guard let shown = document.shown(field) else { return [] }
    let writes = document.members.flatMap { member in
      survivors(joined.entities[member]?.competing(in: field) ?? [])
    }
    var groups = shown.survivors.map { [$0] }
    var places: [[UInt8]: Int] = [:]
    for (place, write) in shown.survivors.enumerated() { places[encoded(write.value)] = place }
    for write in joined.causality.highestFirst(writes) {
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
