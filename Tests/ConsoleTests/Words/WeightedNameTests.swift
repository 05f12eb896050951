import Console
import Phrasing
import Testing

/// Splitting text into the name and the weight of a choice.
struct WeightedNameTests {
  @Test(arguments: [
    ("12:30", "12:30", nil), ("9:05", "9:05", nil), ("Noon 12:30", "Noon 12:30", nil),
    ("12:30:2", "12:30", "2"), ("Soup:2", "Soup", "2"), ("Soup", "Soup", nil),
    ("A:B:3", "A:B", "3"),
    ("25:30", "25", "30"), ("12:60", "12", "60"), ("4:3", "4", "3"), ("X12:30", "X12:30", nil),
    ("Soup:", "Soup", ""), (":3", "", "3"),
  ])
  func `Choices: a time of day belongs to the name`(words: String, name: String, weight: String?) {
    let read = WeightedName(words)
    #expect(read.name == name)
    #expect(read.weight == weight)
  }

  @Test func `Choices: every adding command accepts a time of day as a name`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "When?", "12:30", "13:00:2", "Late:3")
    #expect(stage.answer("add", "choice", "when", "18:15").hasSuffix(" 18:15, weight 1.\n"))
    #expect(stage.answer("add", "choice", "when", "19:45:4").hasSuffix(" 19:45, weight 4.\n"))
    let rows = stage.answer("list", "choices", "--plain").split(separator: "\n").map {
      $0.split(separator: "\t").dropFirst().prefix(2).joined(separator: " ")
    }
    #expect(
      Set(rows) == [
        "12:30 weight 1", "13:00 weight 2", "Late weight 3", "18:15 weight 1", "19:45 weight 4",
      ])
  }
}
