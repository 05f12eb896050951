import Bytes
import Domain

extension Oracle {
  /// The rules of tags: a text of a tag wins over false, and either decides for its tag in place of the list of tags.
  func withTags(_ entries: [View.Entry]) -> [View.Entry] {
    var entries = entries
    for place in entries.indices where entries[place].field.isTag || entries[place].field == .tags {
      entries[place].isConflict = false
      if entries[place].field.isTag { putStandingFirst(&entries[place]) }
    }
    let registers = entries.filter(\.field.isTag)
    let list = entries.firstIndex { $0.field == .tags }
    let listed = list.map { zip(entries[$0].values, entries[$0].writers) }.map(Array.init) ?? []
    let lists = listed.compactMap { value, writer in Self.texts(value).map { ($0, writer) } }
    guard !registers.isEmpty || !lists.isEmpty else { return entries }
    let writers = lists.map(\.1) + registers.compactMap(\.writers.first)
    let tags = shown(lists.flatMap(\.0), registers)
    let entry = View.Entry(
      field: .tags, values: [tags.isEmpty ? .null : .texts(tags)],
      writers: writers.max(by: precedes).map { [$0] } ?? [], isConflict: false)
    if let list { entries[list] = entry } else { entries.append(entry) }
    return entries.sorted { $0.field < $1.field }
  }

  private func putStandingFirst(_ entry: inout View.Entry) {
    let place =
      entry.values.firstIndex { Self.text($0) != nil } ?? entry.values.firstIndex(
        of: .boolean(false))
      ?? 0
    entry.values.insert(entry.values.remove(at: place), at: 0)
    entry.writers.insert(entry.writers.remove(at: place), at: 0)
  }

  private func shown(_ listed: [String], _ registers: [View.Entry]) -> [String] {
    var shown: [String: String] = [:]
    for register in registers {
      guard let text = register.values.first.flatMap(Self.text) else { continue }
      let key = text.lowercased()
      if shown[key] == nil || register.field == Field(tag: text) { shown[key] = text }
    }
    for text in listed {
      let register = registers.first { $0.field == Field(tag: text) }?.values.first
      let isSettled = register.map { Self.text($0) != nil || $0 == .boolean(false) } ?? false
      if !isSettled, shown[text.lowercased()] == nil { shown[text.lowercased()] = text }
    }
    return shown.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  private static func text(_ value: Value) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  private static func texts(_ value: Value) -> [String]? {
    if case .texts(let texts) = value { texts } else { nil }
  }
}

extension RandomHistory {
  /// A write of a tag, sometimes to a register that another program chose, or in a form that is not a tag.
  static func tagWrite(_ dice: inout some RandomNumberGenerator) -> Write {
    let text = ["a", "A", "b", "é", "É", "x"].randomElement(using: &dice) ?? ""
    let isForeign = Int.random(in: 0..<8, using: &dice) == 0
    let field =
      isForeign ? Field(rawValue: 65_536 + .random(in: 0...1, using: &dice)) : Field(tag: text)
    let value: Value =
      switch Int.random(in: 0..<12, using: &dice) {
      case ..<6: .text(text)
      case ..<10: .boolean(false)
      case 10: .null
      default: .integer(1)
      }
    return Write(field, value)
  }
}
