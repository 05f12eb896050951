package import Domain

/// A record as a file of another program has it, said in the words of the domain.
///
/// What a field is not given for, the file says nothing about: had it said something when it was read last, that is
/// cleared; else the book keeps what it has.
package struct ForeignRecord: Sendable, Equatable {
  /// What the file has for a field.
  package enum Content: Hashable, Sendable {
    case value(Value)
    /// A list by its name, which is made if there is none.
    case list(named: String)
    /// Another record, by its uid in the same kind of file.
    case record(uid: String)
  }

  package var place: ForeignPlace
  package var kind: Kind
  /// What it is called in files of its format: always the same for the same record.
  ///
  /// The id that the book gave a record names that one too.
  package var uid: String
  /// What it is called by its content, where another record of the file has the same uid.
  package var ownName: String?
  package var fields: [Field: Content] = [:]
  /// What else the file says, by names of the format's own; kept, and given back to files of the format.
  package var extra: [String: String] = [:]
  /// When it was made, if the file tells.
  package var time: Int64?
  /// What the fields were when the file was written, if it says so.
  package var base: FieldDigests?
  /// The book that wrote it, if it says so.
  package var origin: RecordOrigin?
  /// Whether it stands in the file exactly as a book wrote it, so that nothing in it is news.
  package var isAsWritten = false
  /// Whether it is taken only if the book has it already.
  package var isIncidental = false
  /// Whether its program has deleted it.
  package var isDeleted = false

  package init(_ kind: Kind, uid: String, at place: ForeignPlace) {
    self.kind = kind
    self.uid = uid
    self.place = place
  }

  /// Takes what a file says of when it was written, and by whom.
  mutating func setOrigin(_ base: FieldDigests?, _ word: (some StringProtocol)?) {
    self.base = base
    guard let base, let word else { return }
    origin = RecordOrigin(word, beside: base)
  }

  /// Takes a word that ``ExportContents/mark(of:as:in:)`` makes.
  ///
  /// - Returns: Whether it is one; nothing is taken otherwise.
  @discardableResult
  mutating func takeMark(_ mark: String) -> Bool {
    let start = mark.firstIndex(of: "@") ?? mark.endIndex
    guard let base = FieldDigests(String(mark[..<start])) else { return false }
    setOrigin(base, start == mark.endIndex ? nil : mark[start...])
    return true
  }

  /// Sets a field unless there is nothing to set.
  package mutating func set(_ field: Field, _ text: String?) {
    guard let text, !text.trimmed.isEmpty else { return }
    fields[field] = .value(.text(text.trimmed))
  }

  /// Sets a field unless there is nothing to set.
  package mutating func set(_ field: Field, _ value: Value?) {
    guard let value, value != .null else { return }
    fields[field] = .value(value)
  }
}

/// Where in a file something stands.
package enum ForeignPlace: Hashable, Sendable {
  case line(Int)
  /// One of the parts that a file consists of, counted from 1, and the line it begins at.
  case part(String, Int, line: Int)
  /// A row of a table in a database, by its key.
  case row(String, Int64)
  /// An entry of a nested structure, by the way to it.
  case path(String)
}
