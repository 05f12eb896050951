import Domain

/// The merge rules for to-dos, applied to the stored writes in the simplest way.
struct TodoRules {
  let records: Records
  private var causality: Causality { records.causality }

  init(_ records: Records) { self.records = records }

  /// The writes to a to-do's field that no later write to the field has seen, with the highest stamp first.
  func survivors(_ field: Field, of key: EventKey) -> [Stored] {
    let members = records.document(of: key)?.members ?? []
    return causality.highestFirst(
      members.flatMap { member in
        let writes = (records.entity(of: member)?.writes ?? []).filter { $0.field.base == field }
        return writes.filter { write in
          !writes.contains { causality.past(of: $0.key, includes: write.key) }
        }
      })
  }

  // MARK: Tags

  /// A to-do's tags: each tag that a surviving write adds, and each listed tag that its own register does not remove.
  func tags(of key: EventKey) -> Set<Field> {
    let members = records.document(of: key)?.members.compactMap(records.entity(of:)) ?? []
    let registers = Set(members.flatMap(\.writes).map(\.field).filter(\.isTag))
    var tags: Set<Field> = []
    var removed: Set<Field> = []
    for register in registers {
      let values = survivors(register, of: key).map(\.value)
      let texts = values.compactMap(\.tagText)
      if let text = texts.first { tags.insert(Field(tag: text)) }
      if texts.isEmpty, values.contains(.boolean(false)) { removed.insert(register) }
    }
    let listed = survivors(.tags, of: key).compactMap(\.value.texts).joined()
    return tags.union(listed.map { Field(tag: $0) }.filter { !removed.contains($0) })
  }

  // MARK: Closing

  /// How a to-do that does not repeat was closed: done takes precedence over cancelled, and the day is the written day.
  func closing(of key: EventKey) -> (isDone: Bool, isCancelled: Bool, day: CivilDate?) {
    let isDone = survivors(Field.Todo.done, of: key).first?.value == .boolean(true)
    let isCancelled = survivors(Field.Todo.cancelled, of: key).first?.value == .boolean(true)
    return (
      isDone, isCancelled && !isDone, survivors(Field.Todo.closedOn, of: key).first?.value.date
    )
  }

  // MARK: Parents

  /// The parent of each living to-do whose parent is alive, excluding in each cycle the parent that was written last.
  func parents() -> [EventKey: EventKey] {
    var writes: [EventKey: Stored] = [:]
    var parents: [EventKey: EventKey] = [:]
    for document in records.documents(.todo) where document.isAlive && !document.isOccurrence {
      guard let write = survivors(Field.Todo.parent, of: document.key).first,
        let parent = write.value.reference.flatMap(records.document(of:)), parent.isAlive,
        parent.kind == .todo
      else { continue }
      (writes[document.key], parents[document.key]) = (write, parent.key)
    }
    let written = parents
    for key in written.keys {
      let cycle = Self.cycle(from: key, written)
      let last = causality.highestFirst(cycle.compactMap { writes[$0] }).first
      if let last, let owner = cycle.first(where: { writes[$0] == last }) { parents[owner] = nil }
    }
    return parents
  }

  /// The to-dos in the cycle to which a to-do belongs; empty if it does not belong to any.
  private static func cycle(from key: EventKey, _ parents: [EventKey: EventKey]) -> [EventKey] {
    var path = [key]
    while let last = path.last, let parent = parents[last], parent != key {
      // The path leads into a cycle to which the to-do does not belong.
      if path.contains(parent) { return [] }
      path.append(parent)
    }
    return path.last.flatMap { parents[$0] } == key ? path : []
  }
}
