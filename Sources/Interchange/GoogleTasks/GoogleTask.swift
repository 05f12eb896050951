internal import Bytes
internal import Domain

/// A task in the JSON of Google Tasks.
struct GoogleTask {
  /// The properties that fields represent, or that are not about the task itself.
  static let ownNames: Set<String> = [
    "kind", "id", "etag", "selfLink", "updated", "title", "notes", "status", "due", "completed",
    "created", "deleted",
  ]

  let members: [JSON.Member]

  init(_ members: [JSON.Member]) { self.members = members }

  subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

  var isDeleted: Bool { self["deleted"]?.boolean ?? false }

  /// Whether the task has no content from the user.
  var isBlank: Bool {
    let texts = ["title", "notes"].compactMap { self[$0]?.string }
    return texts.allSatisfy { $0.trimmed.isEmpty } && self["title"]?.string != nil
  }

  func text(_ name: String) throws(ForeignFault) -> String? {
    guard let value = self[name], value != .null else { return nil }
    guard let text = value.string else { throw .unreadable(field: name, value.text()) }
    return text.trimmed.isEmpty ? nil : text
  }

  func moment(_ name: String) throws(ForeignFault) -> ForeignMoment? {
    guard let text = try text(name) else { return nil }
    return try ForeignMoment(text, field: name, order: nil)
  }

  /// Returns whether the status, which has two values, is "completed".
  func isDone() throws(ForeignFault) -> Bool {
    switch try text("status") {
    case "completed": true
    case "needsAction", nil: false
    case let other?: throw .unreadable(field: "status", other)
    }
  }
}
