import Bytes
import Console
import Phrasing
import Testing

struct PickTests {
  private static func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  private static func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3", "Air:0", "Soup:2")
    return stage
  }

  @Test func `Picks: an imported book shows the same counts and replays`() throws {
    let stage = Self.stage()
    for _ in 1...6 { _ = stage.answer("pick", "lunch") }
    _ = stage.answer("export", "-o", "q.jsonl")
    _ = stage.answer("-C", "other", "import", "q.jsonl")
    func counts(_ words: String...) throws -> Set<String> {
      let told = try Self.json(stage.run(words + ["picks", "lunch", "--json"]).output)
      return Set(
        try #require(told["choices"]?.array).map { choice in
          "\(choice["name"]?.string ?? "?") \(choice["drawn"]?.integer ?? -1)"
        })
    }
    #expect(try counts("-C", "other") == counts())
    #expect(try counts().count == 3)
    let replayed = stage.answer("-C", "other", "pick", "--replay", "lunch")
    #expect(replayed == stage.answer("pick", "--replay", "lunch"))
  }

  @Test func `Picks: a choice may be added with its weight after a colon`()
    throws
  {
    let stage = Self.stage()
    for words in [
      ["Döner:4"], ["Toast", "--weight", "5"], ["Ratio 3:1", "--weight", "6"], ["Mix: hot"],
    ] {
      #expect(stage.run(["add", "choice", "lunch"] + words).code == .done)
    }
    let answer = stage.answer("list", "choices", "lunch", "--json")
    let listed = try #require(try Self.json(answer).array)
    let weights = Dictionary(
      uniqueKeysWithValues: try listed.map { choice in
        (try #require(choice["name"]?.string), choice["weight"])
      })
    let expected: [String: JSON?] = [
      "Noodles": .integer(3), "Air": .integer(0), "Soup": .integer(2), "Döner": .integer(4),
      "Toast": .integer(5), "Ratio 3:1": .integer(6), "Mix: hot": .integer(1),
    ]
    #expect(weights == expected)
  }

  @Test func `Picks: the list names a choice that was deleted since`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup")
    _ = stage.answer("pick", "lunch")
    let row = stage.answer("list", "picks", "lunch")
    _ = stage.answer("delete", "Soup")
    #expect(
      stage.answer("list", "picks", "lunch") == row.replacing("Soup", with: "Soup (deleted)"))
  }

  @Test func `Picks: the list says that a choice is unknown if it has been erased`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup")
    _ = stage.answer("pick", "lunch")
    let row = stage.answer("list", "picks", "lunch")
    _ = stage.answer("erase", "Soup", "--yes")
    #expect(
      stage.answer("list", "picks", "lunch") == row.replacing("Soup", with: "something unknown"))
  }

  @Test(arguments: ["-1", "1.5", "2,5", "+-3", "18446744073709551615"])
  func `Picks: an invalid weight after a colon is refused`(weight: String) {
    let stage = Self.stage()
    #expect(
      stage.run("add", "choice", "lunch", "Soup:\(weight)")
        == .init(
          code: .refused, output: "",
          error: "daybook: the weight in Soup:\(weight) cannot be '\(weight)'. Use a whole number "
            + "from 0 to 9007199254740992.\n"))
  }

  @Test func `Picks: a replay shows the arithmetic of the draw`() throws {
    let stage = Self.stage()
    let told = stage.answer("pick", "lunch").dropLast()
    let shown = try Self.json(stage.answer("pick", "--replay", "lunch", "--json"))
    let number = try #require(shown["thrown"]?.array?.last?.string.flatMap { UInt64($0) })
    let choices = try #require(shown["choices"]?.array)
    // The choices are in the order of their ids, which are random.
    let weights: [String: UInt64] = ["Noodles": 3, "Air": 0, "Soup": 2]
    var (sum, drawn, lines): (UInt64, String, [String]) = (0, "", [])
    for choice in choices {
      let name = try #require(choice["name"]?.string)
      let weight = try #require(weights[name])
      let isDrawn = (sum..<sum + weight).contains(number % 5)
      if isDrawn { drawn = name }
      let tickets =
        switch weight {
        case 0: "no ticket"
        case 1: "ticket \(sum)"
        default: "tickets \(sum) to \(sum + weight - 1)"
        }
      let padding = String(repeating: " ", count: 9 - name.utf8.count)
      lines.append(
        "  \(name)\(padding)weight \(weight)  \(tickets)" + (isDrawn ? "  has \(number % 5)" : ""))
      #expect(choice["firstTicket"] == (weight == 0 ? .null : .string(String(sum))))
      #expect(choice["drawn"] == .boolean(isDrawn))
      sum += weight
    }
    #expect(choices.count == 3)
    #expect(shown["total"] == "5")
    #expect(shown["ticket"]?.string == String(number % 5))
    #expect(told.hasPrefix("Drew \(drawn) for Lunch?"))
    let start = """
      Drew \(drawn) for Lunch?
        thrown  \(number), a random 64-bit number
        range   0 to 4, as the weights sum to 5
        ticket  \(number) mod 5 = \(number % 5)

      """
    #expect(
      stage.answer("pick", "--replay", "lunch") == start + lines.joined(separator: "\n") + "\n")
  }

  @Test func `Picks: a replay is unaffected by later edits, deletes and undos`() throws {
    let stage = Self.stage()
    _ = stage.answer("pick", "lunch")
    let picks = try Self.json(stage.answer("list", "picks", "lunch", "--json")).array
    let id = try #require(picks?.first?["id"]?.string)
    let before = try Self.json(stage.answer("pick", "--replay", id, "--json"))
    _ = stage.answer("edit", "soup", "--weight", "9", "--name", "Stew")
    _ = stage.answer("delete", "air")
    let after = try Self.json(stage.answer("pick", "--replay", id, "--json"))
    #expect(after["total"] == "5")
    #expect(stage.answer("pick", "--replay", id).contains(" for Lunch?\n"))
    let names = after["choices"]?.array?.compactMap { $0["name"]?.string }
    #expect(names.map(Set.init) == ["Noodles", "Air", "Stew"])
    #expect(after["thrown"] == before["thrown"])
    #expect(stage.answer("undo", "3").contains("Undone"))
    #expect(stage.answer("list", "picks", "lunch") == "")
    let undone = stage.run("pick", "--replay", id)
    #expect(undone.error == "daybook: this pick has since been undone or deleted.\n")
    #expect(stage.run("pick", "--replay", "lunch").code == .refused)
  }

  @Test func `Picks: counts are compared with the weights of each draw`() throws {
    let stage = Self.stage()
    for _ in 1...4 { _ = stage.answer("pick", "lunch") }
    _ = stage.answer("edit", "noodles", "--weight", "0")
    for _ in 1...2 { _ = stage.answer("pick", "lunch") }
    let counts = try Self.json(stage.answer("picks", "lunch", "--json"))
    #expect(counts["picks"] == 6)
    let choices = try #require(counts["choices"]?.array)
    #expect(choices.map { $0["name"]?.string } == ["Noodles", "Air", "Soup"])
    #expect(choices.compactMap { $0["drawn"]?.integer }.reduce(0, +) == 6)
    #expect(choices[1]["drawn"] == 0)
    let lines = stage.answer("picks", "lunch").split(separator: "\n")
    #expect(lines[0] == "6 picks")
    #expect(lines[1].hasSuffix("expected 2.4"))
    #expect(lines[2] == "  Air      drawn 0×  expected 0.0")
    #expect(lines[3].hasSuffix("expected 3.6"))
  }

  @Test func `Picks: plain counts are separated by tabs`() {
    let stage = Self.stage()
    let told = stage.answer("picks", "lunch", "--plain").split(separator: "\n")
    #expect(told.first == "Noodles\tdrawn 0×\texpected 0.0\t")
    #expect(told.count == 3)
  }

  @Test func `Picks: a draw without weights and a replay without a draw are refused`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Air:0")
    let refused = stage.run("pick", "lunch")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("all weights of the question are 0"))
    #expect(
      stage.run("pick", "--replay", "lunch").error.contains(
        "has no draw, because nothing has been drawn yet"))
    #expect(stage.run("pick").code == .usage)
    #expect(stage.run("pick", "lunch", "--replay", "lunch").code == .usage)
    #expect(stage.answer("picks", "lunch").hasPrefix("0 picks\n"))
  }
}
