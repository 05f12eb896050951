internal import Domain

/// A sign that Obsidian's Tasks plugin writes in front of a value; the cases are in the plugin's order.
///
/// Source: the plugin's documentation, "Tasks Emoji Format". The raw values are the names of kept properties.
enum MarkdownSign: String, CaseIterable {
  case id, dependsOn
  /// The priority, which is the sign itself.
  case priority
  case `repeat`
  case onCompletion, created, start, scheduled, due, cancelled, done

  /// The signs with this meaning; daybook writes the first one.
  var scalars: [Unicode.Scalar] {
    switch self {
    case .id: ["🆔"]
    case .dependsOn: ["⛔"]
    case .priority: ["⏫", "🔺", "🔼", "🔽", "⏬"]
    case .repeat: ["🔁"]
    case .onCompletion: ["🏁"]
    case .created: ["➕"]
    case .start: ["🛫"]
    case .scheduled: ["⏳", "⌛"]
    case .due: ["📅", "📆", "🗓"]
    case .cancelled: ["❌"]
    case .done: ["✅"]
    }
  }

  static let byScalar: [Unicode.Scalar: MarkdownSign] = {
    var signs: [Unicode.Scalar: MarkdownSign] = [:]
    for sign in allCases { for scalar in sign.scalars { signs[scalar] = sign } }
    return signs
  }()

  /// The sign as text, without a value.
  var text: String { scalars.first.map { String($0) } ?? "" }

  /// Whether the value of the sign is a day.
  var isDay: Bool {
    switch self {
    case .created, .start, .scheduled, .due, .cancelled, .done: true
    case .id, .dependsOn, .priority, .repeat, .onCompletion: false
    }
  }

  /// The fields of a to-do that the sign states.
  var fields: [Field] {
    switch self {
    case .repeat: Field.seriesFields
    case .start: [Field.Todo.start]
    case .due: Field.dueFields
    case .cancelled: [Field.Todo.closedOn]
    case .done: [Field.Todo.completedAt]
    case .priority: [Field.Todo.priority]
    case .id, .dependsOn, .onCompletion, .created, .scheduled: []
    }
  }

  /// Returns whether the text after the sign is a value for it; otherwise, both are part of the title.
  func isValue(_ text: String) -> Bool {
    switch self {
    case .priority: text.isEmpty
    case .id: !text.isEmpty && text.utf8.allSatisfy(Self.isOfID)
    case .dependsOn:
      text.split(separator: ",", omittingEmptySubsequences: false)
        .allSatisfy { Self.id.isValue(String($0).trimmed) }
    case .repeat: text.lowercased().hasPrefix("every") && text.utf8.allSatisfy(Self.isOfRule)
    case .onCompletion: ["delete", "keep"].contains(text.lowercased())
    case .created, .start, .scheduled, .due, .cancelled, .done: Self.day(text) != nil
    }
  }

  /// Parses a complete date; nil for anything else.
  static func day(_ text: String) -> CivilDate? {
    ForeignDate.own(text).flatMap { $0.isComplete ? $0 : nil }
  }

  private static func isOfID(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isLetterOrDigit || "-_".utf8.contains(byte)
  }

  private static func isOfRule(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isLetterOrDigit || ", !".utf8.contains(byte)
  }

  /// Returns the priority that a sign stands for.
  static func priority(of sign: String) -> Priority {
    switch sign {
    case "🔺", "⏫": .high
    case "🔽", "⏬": .low
    default: .normal
    }
  }

  static func sign(for priority: Priority) -> String {
    switch priority {
    case .high: "⏫"
    case .normal: "🔼"
    case .low: "🔽"
    }
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
