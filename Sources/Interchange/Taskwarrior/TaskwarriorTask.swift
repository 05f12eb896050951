internal import Bytes

/// A task in the JSON of Taskwarrior.
struct TaskwarriorTask {
  static let statuses: Set<String> = ["pending", "completed", "deleted", "waiting", "recurring"]

  /// The properties that a field represents, or that are derived from others.
  static let ownNames: Set<String> = [
    "uuid", "description", "status", "entry", "modified", "end", "project", "tags", "priority",
    "id", "urgency", mark, exactName(of: "entry"), exactName(of: "end"),
  ]

  /// The digests of the task when a book wrote it, and the book; Taskwarrior keeps unknown attributes.
  static let mark = "daybook"

  /// The attribute with the exact time of another attribute, which Taskwarrior stores only to the second.
  static func exactName(of name: String) -> String { mark + name }

  let members: [JSON.Member]

  init(_ members: [JSON.Member]) { self.members = members }

  subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

  func text(_ name: String) throws(ForeignFault) -> String? {
    guard let value = self[name], value != .null else { return nil }
    guard let text = value.string else { throw .unreadable(field: name, value.text()) }
    return text.isEmpty ? nil : text
  }

  func instant(_ name: String) throws(ForeignFault) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let instant = TaskwarriorTime.parse(text) else {
      throw .unreadable(field: name, text)
    }
    return Instant.exact(self[Self.exactName(of: name)]?.string, inSecond: instant)
  }

  /// Returns several strings: an array, or in older versions one text with commas.
  func texts(_ name: String) throws(ForeignFault) -> [String]? {
    guard let value = self[name], value != .null else { return nil }
    if let text = value.string { return text.split(separator: ",").map(String.init) }
    guard let items = value.array else { throw .unreadable(field: name, value.text()) }
    let texts = items.compactMap(\.string)
    guard texts.count == items.count else { throw .unreadable(field: name, value.text()) }
    return texts
  }

  /// Returns the strings of the annotations.
  func annotations() throws(ForeignFault) -> [String]? {
    guard let value = self["annotations"], value != .null else { return nil }
    let texts = value.array?.compactMap { $0["description"]?.string }
    guard let texts, texts.count == value.array?.count else {
      throw .unreadable(field: "annotations", value.text())
    }
    return texts
  }
}
