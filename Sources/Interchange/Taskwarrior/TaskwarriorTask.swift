internal import Bytes
internal import Domain

/// A task in Taskwarrior's JSON.
struct TaskwarriorTask {
  static let statuses: Set<String> = ["pending", "completed", "deleted", "waiting", "recurring"]

  /// The properties that a field represents, or that are derived from others.
  static let ownNames = Set(
    [
      "uuid", "description", "status", "entry", "modified", "end", "project", "tags", "priority",
      "id", "urgency", mark, exactName(of: "entry"), exactName(of: "end"),
    ] + Own.allCases.map(\.rawValue))

  /// The attributes for fields that Taskwarrior does not have.
  enum Own: String, CaseIterable {
    /// The due day, the time, and the time zone if there is one, after the due time of the task, as in
    /// `20261201T160000Z 2026-12-01 17:00 Europe/Berlin`.
    case due = "daybookdue"
    /// The word `cancelled`, the day on which the to-do was closed, or both, after the end of the task.
    case closed = "daybookclosed"
    case remind = "daybookremind"
    case parent = "daybookparent"
    /// The words of ``SeriesWords``, such as `repeat:FREQ=WEEKLY first:2026-11-23 slot:2026-11-30`.
    case series = "daybookseries"
    /// The slot of a child, and the digests of the occurrence.
    case occurrence = "daybookoccurrence"
  }

  /// The kept property with the ids of the children of open dates about which the book stores nothing.
  ///
  /// The name contains a space, so that no attribute can have the same name.
  static let openChildren = "open children"

  /// Reads the words of the attribute ``Own/series``.
  static func seriesWords(_ text: String?) -> [SeriesWords.Key: String] {
    var values: [SeriesWords.Key: String] = [:]
    for word in (text ?? "").split(separator: " ") {
      let parts = word.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let key = SeriesWords.Key(rawValue: String(parts[0])) else {
        continue
      }
      values[key] = EncodedWord.read(String(parts[1]))
    }
    return values
  }

  /// Returns the words of the attribute ``Own/series``.
  static func words(_ words: SeriesWords) -> [String] {
    let values = words.values
    return SeriesWords.Key.allCases.compactMap { key in
      values[key].map { key.rawValue + ":" + EncodedWord.text($0) }
    }
  }

  /// Returns the index of a child among those of its task, which Taskwarrior writes as `2` or `2.000000`.
  static func index(_ json: JSON?) -> Int? {
    guard let json, let number = Double(json.string ?? json.text()) else { return nil }
    return Int(exactly: number)
  }

  /// The attribute with the digests of the task when daybook wrote it, and the book.
  ///
  /// Taskwarrior keeps unknown attributes.
  static let mark = "daybook"

  /// Returns the name of the attribute with the exact time of an attribute that Taskwarrior stores only to the second.
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

  /// Returns the strings of an attribute, which is an array or, in older versions, text with commas.
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

  subscript(own: Own) -> String? { self[own.rawValue]?.string }

  /// Returns the words of an attribute that begins with the value of another attribute.
  ///
  /// The words are ignored if the other attribute has been changed since daybook wrote both.
  func words(of own: Own, beside name: String) -> [String] {
    let words = (self[own] ?? "").split(separator: " ").map(String.init)
    guard let first = words.first, self[name]?.string == first else { return [] }
    return Array(words.dropFirst())
  }

  /// The due date and time of the to-do, if daybook wrote them and the task's time does not fully express them.
  var ownDue: (day: CivilDate, minute: Int64, zone: String?)? {
    let words = words(of: .due, beside: "due")
    guard words.count > 1, let day = ForeignDate.own(words[0]), let time = TimeOfDay(text: words[1])
    else { return nil }
    return (day, time.minute, words.count > 2 ? EncodedWord.read(words[2]) : nil)
  }

  /// Whether the to-do was cancelled, for which Taskwarrior has only the status "deleted".
  var isCancelled: Bool {
    hasStatusDeleted && words(of: .closed, beside: "end").contains(Self.cancelled)
  }

  /// The word that marks a to-do as cancelled in the attribute ``Own/closed``.
  static let cancelled = "cancelled"

  var isDeleted: Bool { hasStatusDeleted && !isCancelled }

  private var hasStatusDeleted: Bool { self["status"]?.string == "deleted" }
}
