import Domain
package import Interchange

extension FieldDispute {
  /// The field that remains unchanged, and the reason, without a full stop.
  package var text: String {
    if reason == .closed {
      return "'\(title.brief())' is closed in the book, and the file has other values for it, "
        + "so the file's version becomes a new to-do"
    }
    let ownText = ownWords.map { "'\($0.brief())'" } ?? "nothing"
    let told = toldWords.map { "'\($0.brief())'" } ?? "nothing"
    let name = "\(fieldName) of '\(title.brief())'"
    let isMany = fieldName == "tags"
    let why =
      switch reason {
      case .changedInBoth: "\(isMany ? "were" : "was") changed in both the book and the file"
      case .unknown: "\(isMany ? "differ" : "differs"), and it is unknown which value is newer"
      case .unsaid:
        "\(isMany ? "are" : "is") missing from the file, which does not say whether "
          + (isMany ? "they were" : "it was") + " removed"
      case .noParent: "cannot be \(told), because the book has no such to-do"
      case .closed: "is closed"
      case .ownPart: "cannot be \(told), because that is a sub-task of '\(title.brief())'"
      }
    if !reason.isChoice {
      return
        "\(name) \(why); \(own == nil ? "the to-do stays without a parent" : "the to-do stays under \(ownText)")"
    }
    if reason == .unsaid { return "\(name) \(why); the book keeps \(ownText)" }
    return "\(name) \(why); the book keeps \(ownText), and the file contains \(told)"
  }

  package var fieldName: String { Schema.field(field, of: kind)?.name ?? "field \(field.rawValue)" }

  /// The content in the book; nil if there is none.
  package var ownWords: String? { own.flatMap(words) }

  /// The content in the file; nil if there is none.
  package var toldWords: String? { told.flatMap(words) }

  private func words(_ content: ForeignRecord.Content) -> String? {
    switch content {
    case .list(let name): name
    case .record(let uid): uid
    case .value(let value): words(value)
    }
  }

  private func words(_ value: Value) -> String? {
    switch (Schema.field(field, of: kind)?.type, value) {
    case (_, .null): nil
    case (.date, _): value.date?.iso
    case (.instant, .integer(let time)): Instant.text(time)
    case (_, .text(let text)): text
    case (_, .texts(let texts)): texts.joined(separator: ", ")
    case (_, .boolean(let flag)): flag ? "yes" : "no"
    case (_, .integer(let number)):
      field == Field.Todo.priority && kind == .todo
        ? Priority(rawValue: number)?.words : String(number)
    default: "something else"
    }
  }
}

extension FieldDispute.Reason {
  package var word: String {
    switch self {
    case .changedInBoth: "both"
    case .unknown: "unknown"
    case .unsaid: "unsaid"
    case .noParent: "no parent"
    case .ownPart: "own part"
    case .closed: "closed"
    }
  }
}
