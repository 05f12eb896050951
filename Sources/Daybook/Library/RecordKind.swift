import Domain

/// The kind of a record.
public enum RecordKind: Hashable, Sendable, CaseIterable {
  /// A person and their date of birth.
  case birthday
  /// A list of to-dos.
  case list
  /// A to-do.
  case todo
  /// A question with choices.
  case question
  /// A possible answer to a question.
  case choice
  /// An answer that was drawn.
  case pick
}

extension RecordKind {
  /// Translates a kind; nil if the kind comes from a newer version.
  init?(_ kind: Domain::Kind) {
    switch kind {
    case .birthday: self = .birthday
    case .list: self = .list
    case .todo: self = .todo
    case .question: self = .question
    case .choice: self = .choice
    case .pick: self = .pick
    default: return nil
    }
  }
}
