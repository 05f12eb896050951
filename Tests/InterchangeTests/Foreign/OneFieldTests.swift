import Bytes
import Domain
import Foundation
import Interchange
import TestDice
import Testing

/// Random files of lines, rows and objects: changing one field changes only the parts of that field, and importing an
/// export changes nothing.
struct OneFieldTests {
  /// The number of files per format; `DAYBOOK_ROUND_TRIPS` overrides it.
  private static let count =
    ProcessInfo.processInfo.environment["DAYBOOK_ROUND_TRIPS"].flatMap { Int($0) } ?? 200

  @Test(arguments: DicedFile.Form.allCases)
  func `Field changes: in lines, rows and objects, only the changed field differs`(
    form: DicedFile.Form
  ) throws {
    for number in 0..<Self.count {
      var dice = Dice(seed: UInt64(number))
      let file = DicedFile(&dice, form)
      let format = form.format
      var settings = ForeignSettings()
      settings.takesAll = true
      settings.dateOrder = .dayFirst
      var book = ForeignBook()
      let outcome = try book.take(file.text, format, settings)
      try #require(outcome.faults == [] && outcome.added > 0, "\(number): \(file.text)")
      let before = try book.written(format)
      // The export contains everything that the file contains, in the order of the format's writer.
      try #require(
        WrittenParts(before, form).holds(file.came), "\(number): \(file.text)\n\(before)")
      let shown = book.shown
      let count = try format.read(Array(before.utf8), settings).records.count
      try #require(
        try book.take(before, format, settings) == .init(same: count),
        "\(number): \(file.text)\n\(before)")
      try #require(book.shown == shown, "\(number): \(before)")
      try #require(try book.written(format) == before, "\(number)")

      let documents = book.records.documents(.todo) + book.records.documents(.birthday)
      let document = try #require(documents.randomElement(using: &dice))
      let change = DicedChange(&dice, document, form)
      try book.run(change.operation)
      let after = try book.written(format)
      let (old, new) = try (WrittenParts(before, form), WrittenParts(after, form))
      let place = try #require(
        old.units.firstIndex {
          $0.id == (document.source?.uid.text ?? "") || $0.id == document.id.uuid
        }
          ?? (documents.count == 1 ? 0 : nil), "\(number): \(before)")
      try #require(old.units.count == new.units.count, "\(number): \(before)\n\(after)")
      // A sub-task of a repeating to-do is written with the date that its parent shows.
      let subtasks = documents.filter { subtask in
        subtask.value(Field.Todo.parent).reference.map(document.members.contains) ?? false
      }
      let ids = Set(subtasks.map { $0.source?.uid.text ?? $0.id.uuid })
      for index in old.units.indices {
        let isChanged = index == place || ids.contains(old.units[index].id)
        let names = isChanged ? change.names : []
        try #require(
          old.units[index].without(names) == new.units[index].without(names),
          "\(number): \(change.operation)\n\(before)\n\(after)")
      }
      let changed = book.shown
      let total = try format.read(Array(after.utf8), settings).records.count
      try #require(
        try book.take(after, format, settings) == .init(same: total),
        "\(number): \(change.operation)\n\(after)")
      try #require(book.shown == changed, "\(number): \(change.operation)\n\(after)")
    }
  }
}
