import Console
import Phrasing
import Testing

/// Titles used to refer to records in the past.
struct PastNamesTests {
  /// Creates a list that was renamed from Home to House, and a later list named Home.
  private func renamed() -> (stage: Stage, id: String) {
    let stage = Stage()
    func run(_ day: Int, _ words: String...) {
      let outcome = stage.run(
        words, environment: ["DAYBOOK_NOW": "2026-11-0\(day)T09:00:00Z"])
      #expect(outcome.code == .done, "\(outcome)")
    }
    run(1, "add", "list", "Home")
    run(1, "add", "todo", "Mop", "--list", "Home")
    let id = String(stage.answer("list", "lists").prefix { $0 != " " })
    run(3, "edit", "Home", "--name", "House")
    run(3, "add", "list", "Home")
    return (stage, id)
  }

  @Test func `Past: a title refers to the record that had it at that time`() {
    let (stage, id) = renamed()
    let day = "2026-11-02T12:00:00Z"
    #expect(stage.answer("at", day, "show", "Home").hasPrefix("list \(id) Home\n"))
    #expect(stage.answer("show", "Home", "--at", day).hasPrefix("list \(id) Home\n"))
    #expect(stage.answer("at", day, "list", "todos", "--list", "Home").contains("Mop"))
    #expect(stage.answer("at", day, "log", "Home").contains("added"))
    #expect(stage.answer("at", day, "why", "Home.name").contains("Home"))
    #expect(stage.answer("at", day, "show", id).hasPrefix("list \(id) Home\n"))
  }
  @Test func `Past: a present title is used if no past title matches`() {
    let (stage, id) = renamed()
    let day = "2026-11-02T12:00:00Z"
    #expect(stage.answer("at", day, "show", "House").hasPrefix("list \(id) Home\n"))
    let outcome = stage.run("at", "2026-10-31", "show", "House")
    #expect((outcome.code, outcome.output) == (.refused, ""))
    #expect(
      outcome.error.hasPrefix("daybook: there were no records at 2026-10-31 23:59; the book begins")
    )
    #expect(
      outcome.error.hasSuffix(
        "nothing is called 'House'. 'daybook search TEXT' searches all records.\n"))
  }
}
