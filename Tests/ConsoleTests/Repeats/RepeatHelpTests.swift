import Domain
import Phrasing
import Testing

@testable import Console

/// The phrases for repeats in help and the manual.
struct RepeatHelpTests {
  @Test func `Help on repeats: each phrase is read as a rule with dates`() throws {
    let today = try CivilDate(year: 2026, month: 11, day: 26)
    let words = RepeatWords(today: today)
    for phrase in RepeatForms.examples.flatMap(\.phrases) {
      #expect(throws: Never.self, "\(phrase)") {
        _ = try words.phrase(phrase).plan(due: nil, today: today)
      }
    }
  }

  @Test func `Help on repeats: help and the manual have each phrase`() throws {
    let help = try Help(CommandCatalog.table).lines(about: ["repeats"]).joined(separator: "\n")
    let manual = Manual.program(CommandCatalog.table)
    #expect(manual.contains(".Sh REPEATS"))
    for phrase in RepeatForms.examples.flatMap(\.phrases) {
      #expect(help.contains(phrase), "\(phrase)")
      #expect(manual.contains { $0.contains(Manual.escaped(phrase)) }, "\(phrase)")
    }
  }
}
