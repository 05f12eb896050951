import Bytes
import Console
import Phrasing
import Testing

/// Manual ordering of to-dos, and moves between lists.
struct MoveTests {
  private func stage() -> Stage {
    let stage = Stage()
    for title in ["one", "two", "three", "four"] {
      _ = stage.answer("add", "todo", title, "--list", "Home")
    }
    _ = stage.answer("add", "todo", "else", "--list", "Work")
    return stage
  }

  private func titles(_ stage: Stage, _ list: String = "Home") throws -> [String] {
    let answer = stage.answer("list", "todos", "--list", list, "--sort", "position", "--json")
    return try JSON(parsing: Array(answer.utf8)).array?.compactMap { $0["title"]?.string } ?? []
  }

  static let moves: [(words: [String], order: [String])] = [
    (["four", "--top"], ["four", "one", "two", "three"]),
    (["one", "--bottom"], ["two", "three", "four", "one"]),
    (["four", "--before", "two"], ["one", "four", "two", "three"]),
    (["one", "--after", "three"], ["two", "three", "one", "four"]),
    (["three", "one", "--top"], ["three", "one", "two", "four"]),
    (["one", "--before", "two"], ["one", "two", "three", "four"]),
    (["else", "--after", "one"], ["one", "else", "two", "three", "four"]),
    (["else", "--to", "home", "--top"], ["else", "one", "two", "three", "four"]),
    (["else", "--to", "home"], ["one", "two", "three", "four", "else"]),
    (["two", "--to", ""], ["one", "three", "four"]),
  ]

  @Test(arguments: moves)
  func `Move: records get the requested position, and one undo reverts it`(
    words: [String], order: [String]
  ) throws {
    let stage = stage()
    let before = stage.answer("list", "todos", "--sort", "position", "--json")
    let outcome = stage.run(["move"] + words)
    #expect(outcome.code == .done, "\(outcome.error)")
    #expect(try titles(stage) == order)
    // One undo reverts the move, even if it gave new positions to other to-dos.
    _ = stage.answer("undo")
    #expect(stage.answer("list", "todos", "--sort", "position", "--json") == before)
  }

  @Test func `Move: many moves between the same two records succeed`() throws {
    let stage = stage()
    for _ in 0..<40 {
      _ = stage.answer("move", "four", "--before", "two")
      _ = stage.answer("move", "two", "--before", "four")
    }
    #expect(try titles(stage) == ["one", "two", "four", "three"])
  }

  @Test func `Move: an invalid move is refused with the reason`() throws {
    let stage = stage()
    for (words, sentence, code) in [
      (
        ["one"],
        "--to LIST or a position is missing.\nusage: daybook move ID … | FILTER --to LIST | --before ID | --after ID | --top |\n               --bottom",
        ExitCode.usage
      ),
      (
        ["one", "--top", "--bottom"],
        "'--top' and '--bottom' contradict each other. Use only one of them.", .usage
      ),
      (
        ["one", "--before", "one"],
        "the position cannot be 'one'. It is one of the to-dos to move.",
        .refused
      ),
      (
        ["one", "--to", "home", "--before", "else"],
        "the position cannot be 'else'. It is not on the list Home.", .refused
      ),
      (
        ["one", "else", "--top"],
        "the position cannot be 'the top or bottom'. The to-dos are not all on the same list; add --to LIST.",
        .refused
      ),
    ] {
      #expect(
        stage.run(["move"] + words)
          == .init(code: code, output: "", error: "daybook: \(sentence)\n"))
    }
    #expect(try titles(stage) == ["one", "two", "three", "four"])
  }

  @Test func `Move: the record and its target are reported`() {
    let stage = stage()
    let moved = stage.run("move", "four", "--before", "two")
    #expect(
      moved.error
        == "daybook: 'daybook list todos --sort position' shows the new order; by default, to-dos are listed by urgency.\n"
    )
    let told = moved.output.split(separator: "\n")
    #expect(told.count == 1 && told[0].hasPrefix("Moved todo ") && told[0].hasSuffix(" four."))
    let both = stage.answer("move", "four", "else", "--to", "Work").split(separator: "\n")
    #expect(both.count == 2 && both[0].hasSuffix(" four to list Work."))
    #expect(both.last?.hasSuffix(" else is already as requested.") == true)
    let still = stage.answer("move", "four", "--to", "Work")
    #expect(still.hasPrefix("Nothing to change: todo "))
    #expect(still.hasSuffix(" four is already as requested.\n"))
  }

  @Test func `Move: as few positions as possible change, and all only if none is free`() {
    let ids = (1...4).map { UniqueID(high: 0, low: UInt64($0)) }
    func moving(_ positions: [Int64?], _ moved: Int, _ index: Int) -> [String] {
      let rows = zip(ids, positions).map { Arrangement.Row(id: $0, position: $1) }
      return Arrangement(rows).moving([rows[moved]], to: index).map {
        "\($0.id.hex.suffix(1)):\($0.position)"
      }
    }
    #expect(moving([10, 20, 30, nil], 2, 1) == ["3:15"])
    #expect(moving([10, 11, 30, nil], 2, 1).map { $0.prefix(2) } == ["1:", "3:", "2:", "4:"])
    #expect(moving([10, nil, nil, nil], 3, 1) == ["4:4294967306"])
    #expect(moving([10, nil, nil, nil], 3, 2).map { $0.prefix(2) } == ["2:", "4:"])
    #expect(moving([.min, .max, nil, nil], 2, 1).count == 4)
    #expect(moving([.max, nil, nil, nil], 1, 0).count == 4)
    #expect(moving([10, 20, 30, 40], 3, 0) == ["4:-4294967286"])
  }
}
