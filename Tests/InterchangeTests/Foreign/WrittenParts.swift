import Bytes
import Domain
import Interchange

/// The records that a book exported, with the text of each field.
struct WrittenParts {
  /// One record: its text by field.
  struct Unit: Equatable, CustomStringConvertible {
    var id: String
    var parts: [String: String]

    var description: String { "\(id): \(parts.sorted { $0.key < $1.key })" }

    func without(_ names: Set<String>) -> Unit {
      // The time of the export and the base follow from the other parts.
      Unit(id: id, parts: parts.filter { !names.union(["base", "modified"]).contains($0.key) })
    }
  }

  private(set) var units: [Unit] = []

  init(_ text: String, _ form: DicedFile.Form) throws {
    switch form {
    case .todoTxt: units = text.split(separator: "\n").map(Self.line)
    case .markdown: units = Self.items(text)
    case .taskwarrior:
      // The children of recurring tasks follow from these.
      let tasks = try JSON(parsing: Array(text.utf8)).array ?? []
      units = tasks.filter { $0["parent"] == nil }.map(Self.task)
    default: units = Self.rows(text)
    }
  }

  /// A line of todo.txt; the writer puts keys and signs at its end.
  private static func line(_ text: Substring) -> Unit {
    var words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
      .map { String($0) }[...]
    var unit = Unit(id: "", parts: [:])
    func take(_ name: String, atMost count: Int = .max, while isOf: (String) -> Bool) {
      var left = count
      while left > 0, let last = words.last, words.count > 1, isOf(last) {
        left -= 1
        unit.parts[name] = words.removeLast() + (unit.parts[name].map { " " + $0 } ?? "")
      }
    }
    take("base") { $0.hasPrefix("base:") }
    take("id") { $0.hasPrefix("uuid:") && $0.count > 9 }
    take("cancelled", atMost: 1) { $0 == "status:cancelled" }
    take("remind", atMost: 1) { $0.hasPrefix("remind:") }
    for key in ["slots", "slot", "until", "first"] {
      take(key, atMost: 1) { $0.hasPrefix(key + ":") && $0.contains(/:\d{4}-/) }
    }
    // If there are two such words, the last one counts, and the other belongs to the title.
    take("start", atMost: 1) { $0.contains(/^t:\d{4}-\d\d-\d\d$/) }
    take("others") { $0.hasPrefix("rec:") }
    take("priority", atMost: 1) { $0.hasPrefix("pri:") }
    take("due", atMost: 1) { $0.contains(/^due:\d{4}-/) }
    take("tags") { $0.hasPrefix("@") && $0 != "@" }
    take("list") { $0.hasPrefix("list:") }
    take("list") { $0.hasPrefix("+") && $0 != "+" }
    unit.id = unit.parts["id"].map { String($0.dropFirst(5)) } ?? ""
    var state: [String] = []
    if words.first == "x" { state.append(words.removeFirst()) }
    if let first = words.first, first.count == 3, first.hasPrefix("("), first.hasSuffix(")") {
      unit.parts["priority"] = words.removeFirst()
    }
    // An open task has at most one date. Any other date is a word of the title.
    let most = state.isEmpty ? 1 : 3
    while state.count < most, let first = words.first, first.contains(/^\d{4}-\d\d-\d\d$/) {
      state.append(words.removeFirst())
    }
    unit.parts["state"] = state.joined(separator: " ")
    unit.parts["title"] = words.joined(separator: " ")
    return unit
  }

  private static func items(_ text: String) -> [Unit] {
    var heading = ""
    // Each evaluation of the literal compiles it.
    let form = /^(\ *)- \[(.)\] (.*) <!-- daybook (\S+) (\S+)((?:\ \w+:\S+)*) -->(.*)$/
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("# ") {
        heading = String(line.dropFirst(2))
        return nil
      }
      guard let item = line.firstMatch(of: form) else { return nil }
      var unit = Unit(
        id: String(item.4),
        parts: [
          "indent": String(item.1), "state": String(item.2), "title": String(item.3),
          "heading": heading, "base": String(item.5),
        ])
      for word in item.6.split(separator: " ") {
        let parts = word.split(separator: ":", maxSplits: 1)
        unit.parts[String(parts[0])] = String(parts[1])
      }
      addSigns(item.7, to: &unit)
      return unit
    }
  }

  /// Adds the text that follows the comment of an item.
  private static func addSigns(_ text: Substring, to unit: inout Unit) {
    let names = [
      "🆔": "id", "⛔": "dependsOn", "🔁": "repeat", "➕": "created", "🛫": "start", "⏳": "scheduled",
      "📅": "due", "❌": "cancelled", "✅": "done",
    ]
    var name = ""
    for word in text.split(separator: " ").map(String.init) {
      if word.hasPrefix("#") {
        unit.parts["tags", default: ""] += (unit.parts["tags"] == nil ? "" : " ") + word
      } else if word.hasPrefix("^") {
        unit.parts["anchor"] = word
      } else if let sign = names[word] {
        name = sign
      } else if ["🔺", "⏫", "🔼", "🔽", "⏬"].contains(word) {
        unit.parts["priority"] = word
      } else {
        unit.parts[name] = (unit.parts[name].map { $0 + " " } ?? "") + word
      }
    }
  }

  private static func task(_ json: JSON) -> Unit {
    let members = json.members ?? []
    return Unit(
      id: json["uuid"]?.string ?? "",
      parts: Dictionary(members.map { ($0.name, $0.value.text()) }) { $1 })
  }

  private static func rows(_ text: String) -> [Unit] {
    let rows = table(text)
    guard let header = rows.first else { return [] }
    return rows.dropFirst().map { row in
      let cells = Dictionary(zip(header, row)) { first, _ in first }
      return Unit(id: cells["Id"] ?? "", parts: cells.filter { $0.value != "" })
    }.filter { $0.parts["Kind"] != "list" }
  }

  /// The rows of a table in the form of RFC 4180.
  static func table(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var (row, cell, isQuoted): ([String], String, Bool) = ([], "", false)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"": cell.unicodeScalars.append(rest.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: (row, cell) = (row + [cell], "")
      case "\r" where !isQuoted: continue
      case "\n" where !isQuoted:
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  /// Whether each of the given records has its own exported record, which contains its parts.
  func holds(_ came: [[String: String]]) -> Bool {
    var units = units
    for parts in came where !parts.isEmpty {
      let place = units.firstIndex { unit in parts.allSatisfy { unit.parts[$0.key] == $0.value } }
      guard let place else { return false }
      units.remove(at: place)
    }
    return true
  }
}
