import Bytes
import Domain
import Phrasing
import Platform

/// A view, and the time for which it is shown.
struct ViewAddress: Hashable, Sendable {
  enum Name: Hashable, Sendable {
    case today
    case lists
    /// A list; nil means the to-dos on no list.
    case list(UniqueID?)
    case todo(UniqueID)
    case birthdays
    case questions
    case question(UniqueID)
    case history
    case conflicts
    case devices
    case settings
  }

  var name: Name
  /// The time that is shown, in milliseconds; nil means now.
  var moment: Int64?
  /// The text to search for on a list.
  var finding = ""
  /// Whether a list also shows to-dos that are hidden or closed.
  var showsAll = false
  var birthdaySort = BirthdaysView.Sort.next

  init(_ name: Name) { self.name = name }

  /// Parses a query, and the components of a path that names a view as in the API or in the URL of a document.
  init(path: [String], query: Pairs) throws(PageFault) {
    guard let name = Name(path) else { throw .noSuchView }
    self.name = name
    if let words = query["at"] {
      guard let moment = Instant.parse(words) else { throw .badMember("at") }
      self.moment = moment.milliseconds
    }
    finding = query["find"] ?? ""
    if let words = query["show"] {
      guard words == "all" else { throw .badMember("show") }
      showsAll = true
    }
    if let words = query["sort"] {
      guard let sort = BirthdaysView.Sort(rawValue: words) else { throw .badMember("sort") }
      birthdaySort = sort
    }
  }
}

extension ViewAddress.Name {
  init?(_ path: [String]) {
    switch (path.first ?? "", path.dropFirst().first, path.count) {
    case ("", nil, _), ("", "", 2), ("today", nil, _): self = .today
    case ("lists", nil, _): self = .lists
    case ("list", let id?, 2), ("lists", let id?, 2):
      if id == "none" {
        self = .list(nil)
      } else {
        guard let id = UniqueID(uuid: id) else { return nil }
        self = .list(id)
      }
    case ("todo", let id?, 2), ("todos", let id?, 2):
      guard let id = UniqueID(uuid: id) else { return nil }
      self = .todo(id)
    case ("birthdays", nil, _): self = .birthdays
    case ("questions", nil, _), ("choose", nil, _): self = .questions
    case ("question", let id?, 2), ("choose", let id?, 2):
      guard let id = UniqueID(uuid: id) else { return nil }
      self = .question(id)
    case ("history", nil, _): self = .history
    case ("conflicts", nil, _): self = .conflicts
    case ("devices", nil, _): self = .devices
    case ("settings", nil, _): self = .settings
    default: return nil
    }
  }

  /// The name of the view in the API.
  var text: String {
    switch self {
    case .today: "today"
    case .lists: "lists"
    case .list(let id): "list/\(id?.uuid ?? "none")"
    case .todo(let id): "todo/\(id.uuid)"
    case .birthdays: "birthdays"
    case .questions: "questions"
    case .question(let id): "question/\(id.uuid)"
    case .history: "history"
    case .conflicts: "conflicts"
    case .devices: "devices"
    case .settings: "settings"
    }
  }

  /// The document's path below the key.
  var path: String {
    switch self {
    case .today: ""
    case .list(let id): "lists/\(id?.uuid ?? "none")"
    case .todo(let id): "todos/\(id.uuid)"
    case .questions: "choose"
    case .question(let id): "choose/\(id.uuid)"
    default: text
    }
  }
}
