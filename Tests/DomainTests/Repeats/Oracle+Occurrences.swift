import Domain

extension Oracle {
  /// The members that an occurrence is read from; nil if the document is not an occurrence.
  func membersOfOccurrence(_ members: [EventKey]) -> [EventKey]? {
    let living = members.filter(isAlive)
    let read = living.isEmpty ? members : living
    let isNaming = read.contains { member in
      writes(member).contains { $0.field == .owner && $0.value.reference != nil }
    }
    return kind(members[0]) == .todo && isNaming ? read : nil
  }

  /// The rules of closing an occurrence: a completion that survives counts, and nothing about it is in conflict.
  func withClosing(_ entries: [View.Entry]) -> [View.Entry] {
    entries.map { entry in
      switch entry.field.rawValue {
      case 7, 20: putting(entry) { $0 == .boolean(true) }
      case 8, 19: putting(entry) { $0 != .null }
      default: entry
      }
    }
  }

  private func putting(_ entry: View.Entry, first isFirst: (Value) -> Bool) -> View.Entry {
    let pairs = Array(zip(entry.values, entry.writers))
    let sorted = pairs.filter { isFirst($0.0) } + pairs.filter { !isFirst($0.0) }
    return View.Entry(
      field: entry.field, values: sorted.map(\.0), writers: sorted.map(\.1), isConflict: false)
  }
}

extension View {
  /// The shown reference in a field.
  func reference(_ field: Field) -> EventKey? {
    entries.first { $0.field == field }?.values.first?.reference
  }
}
