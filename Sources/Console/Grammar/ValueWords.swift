import Daybook
import Domain
import Phrasing
import Platform

// What people type for fields, read where the command is given.

extension Context {
  /// Reads something from the day on which the command began.
  private func reading<Value>(
    from day: CivilDate? = nil, _ read: (FieldReader) throws(WordsFault) -> Value
  ) throws(ConsoleError) -> Value {
    do throws(WordsFault) {
      return try read(FieldReader(machine.timekeeper, today: day ?? today))
    } catch {
      throw .words(error)
    }
  }

  /// The date of a birth, of which the year need not be known; nobody is born later than today.
  func birthdate(_ words: String) throws(ConsoleError) -> CivilDate {
    try reading { (reader) throws(WordsFault) in try reader.birthdate(words) }
  }

  /// A day that is meant to come, or whatever is said with its year.
  func day(_ words: String, from today: CivilDate?) throws(ConsoleError) -> CivilDate {
    try reading(from: today) { (reader) throws(WordsFault) in try reader.day(words) }
  }

  /// An instant, or the time on a day where this machine is, by default its beginning.
  func instant(_ words: String) throws(ConsoleError) -> Moment {
    try reading { (reader) throws(WordsFault) in try reader.instant(words) }
  }

  func priority(_ words: String) throws(ConsoleError) -> Priority {
    try reading { (reader) throws(WordsFault) in try reader.priority(words) }
  }

  func colour(_ words: String) throws(ConsoleError) -> Int64 {
    try reading { (reader) throws(WordsFault) in try reader.colour(words) }
  }

  func number(_ words: String, _ name: String, from lowest: Int64) throws(ConsoleError) -> Int64 {
    try reading { (reader) throws(WordsFault) in
      try reader.number(words, name, in: lowest...Int64.max)
    }
  }

  /// What is to be written to a field; empty words clear it.
  func content(
    _ words: [String], for field: FieldSchema, in book: Book
  ) throws -> Request.Assignment.Content {
    do {
      return try FieldReader(machine.timekeeper, today: today).content(words, for: field, in: book)
    } catch let error as WordsFault {
      throw ConsoleError.words(error)
    }
  }

  /// The texts that are said one by one, or with commas between them.
  func texts(_ words: [String]) -> [String] {
    FieldReader(machine.timekeeper, today: today).texts(words)
  }

  /// A reason as it can be kept; nil for an empty one.
  func reason(_ words: String?) throws(ConsoleError) -> String? {
    guard let text = words?.trimmed, !text.isEmpty else { return nil }
    guard text.utf8.count <= Schema.Limit.noteBytes else {
      throw .badValue("the reason", "\(text.prefix(20))…", "Say it in 64 KiB at most.")
    }
    return text
  }
}
