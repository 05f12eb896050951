import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaves of questions.
struct QuestionViews {
  let page: PageSnapshot

  /// Returns all questions, each with its latest answer.
  func all() throws -> PageView {
    let questions = try page.model.questions.questions()
    var view = PageView(
      PageView.Head(
        title: "Choose",
        line: questions.isEmpty ? nil : counted(questions.count, "question", "questions")))
    if page.isNow { view.adding = .init(placeholder: "Lunch?", kinds: ["question"]) }
    let rows = try questions.map { question in
      var row = PageRow("question", question.head.id, (question.content ?? "").visible)
      row.note = counted(question.choices, "choice", "choices")
      row.isInConflict = page.unsettled.contains(question.head.key)
      let last = try page.model.questions.picks(of: question.head.key, page: Page(count: 1)).first
      row.more = .object(("answer", .words(try last.map(drawnTitle))))
      return row
    }
    view.add("questions", "", rank: 0, rows)
    if rows.isEmpty {
      view.empty = PageView.Empty(
        picture: "fork", sentence: "No questions yet.",
        hint: "Add a question, give it choices, and let daybook choose one at random.",
        button: page.isNow ? ("Add a question", .add) : nil)
    }
    return view
  }

  /// Returns a question with its choices, the probability of each choice, and the latest answer with its draw.
  func one(_ id: UniqueID) throws -> PageView {
    guard let key = try page.model.documents.document(id: id)?.key,
      let question = try page.model.questions.question(key)
    else {
      throw DaybookError.unknown(id.uuid, kind: .question)
    }
    let choices = try page.model.questions.choices(of: key)
    let total = choices.reduce(0) { $0 + Double(max(0, $1.weight)) }
    var view = PageView(
      PageView.Head(
        title: (question.content ?? "").visible,
        line: "\(counted(choices.count, "choice", "choices")), "
          + counted(choices.reduce(0) { $0 &+ $1.weight }, "ticket", "tickets"),
        back: "questions"))
    if page.isNow { view.adding = .init(placeholder: "Add a choice", kinds: ["choice"]) }
    let longest = choices.map(\.weight).max() ?? 0
    view.add("choices", "", rank: 0, choices.map { row($0, of: total, longest: longest) })
    if choices.isEmpty {
      view.empty = PageView.Empty(
        picture: "scales", sentence: "No choices yet.",
        hint: page.isNow
          ? "Add a choice on the line above. The more tickets it has, the more likely it is to be drawn."
          : nil,
        button: page.isNow ? ("Add a choice", .add) : nil)
    }
    let picks = try page.model.questions.picks(of: key)
    let reason: String? =
      choices.isEmpty
      ? "This question has no choices."
      : total == 0 ? "No choice has a ticket. Give at least one choice a ticket." : nil
    view.more = .object(
      (
        "question",
        .object(
          ("id", .string(question.head.id.uuid)),
          ("tickets", .integer(choices.reduce(0) { $0 &+ $1.weight })),
          ("canPick", .boolean(page.isNow && reason == nil)), ("reason", .words(reason)),
          ("answer", try picks.first.map { try answer($0, draws: picks.count) } ?? .null))
      ))
    return view
  }

  private func row(_ choice: ChoiceRow, of total: Double, longest: Int64) -> PageRow {
    var row = PageRow("choice", choice.head.id, (choice.name ?? "").visible)
    row.isInConflict = page.unsettled.contains(choice.head.key)
    let percent = total > 0 ? Double(choice.weight) / total * 100 : 0
    let rounded = Int(percent.rounded())
    let words = rounded == 0 && choice.weight > 0 ? "< 1 %" : "\(rounded) %"
    row.more = .object(
      ("percent", .string(words)),
      ("share", .number(longest > 0 ? Double(choice.weight) / Double(longest) : 0)),
      ("weight", .integer(choice.weight)))
    return row
  }

  /// Returns the title of the choice that was drawn, even if the choice has since been deleted.
  private func drawnTitle(of pick: PickRow) throws -> String {
    let name = try pick.choiceName ?? pick.choice.flatMap(page.snapshot.title)
    return (name ?? "something unknown").visible
  }

  /// Returns the choice that was drawn, and how it was drawn.
  private func answer(_ pick: PickRow, draws: Int) throws -> JSON {
    let title = try drawnTitle(of: pick)
    var members = [
      JSON.Member("pick", .string(pick.head.id.uuid)),
      JSON.Member("choice", .words(pick.choiceID?.uuid)), JSON.Member("title", .string(title)),
    ]
    let origin = try origin(of: pick, draws: draws)
    guard let bytes = pick.draw, let draw = try? Draw(bytes.span), let shares = try? draw.shares()
    else {
      // If the record of the draw cannot be read, only the result is known.
      members += [
        JSON.Member("words", "The record of this draw is missing or cannot be read."),
        JSON.Member("origin", .array(origin.map { .string($0) })),
      ]
      return .object(members)
    }
    let holders = try draw.entries.indices.map { place in
      let entry = draw.entries[place]
      let key = try page.model.documents.document(drawn: entry.id)?.key
      return Holder(
        id: entry.id, title: try key.flatMap(page.snapshot.title)?.visible ?? "something unknown",
        tickets: shares[place])
    }
    let remainder =
      "The random number \(draw.thrown.last ?? 0), divided by \(draw.total), leaves a remainder of \(draw.ticket), which selects ticket \(draw.ticket + 1)."
    members += [
      JSON.Member("words", .string(DrawWords.ticket(draw))),
      JSON.Member("ticket", .integer(Int64(clamping: draw.ticket) + 1)),
      JSON.Member("tickets", .integer(Int64(clamping: draw.total))),
      JSON.Member("holders", .array(holders.filter { !$0.tickets.isEmpty }.map(\.json))),
      JSON.Member("holdersWords", .string(DrawWords.holders(holders))),
      JSON.Member(
        "origin",
        .array(
          (origin + [remainder]).map { .string($0) })),
    ]
    return .object(members)
  }

  /// Returns the device and the time of a draw, and the number of draws so far.
  private func origin(of pick: PickRow, draws: Int) throws -> [String] {
    let history = try page.book.historyReader.history(
      HistoryWish(id: pick.head.id), at: page.moment)
    guard let entry = history.entries.last else { return [] }
    let number = page.entries.number(of: entry.entry).map { ", entry \($0)" } ?? ""
    return [
      "Drawn on \(entry.device.visible), \(page.momentWords(pick.head.addedAt))\(number).",
      "\(counted(draws, "draw", "draws")) so far.",
    ]
  }
}

/// A choice, and the tickets that it holds.
struct Holder {
  var id: UniqueID
  var title: String
  /// The numbers of the tickets, counted from 0 as in the draw.
  var tickets: Range<UInt64>

  fileprivate var json: JSON {
    .object(
      ("choice", .string(id.uuid)), ("title", .string(title)),
      ("from", .integer(Int64(clamping: tickets.lowerBound) + 1)),
      ("to", .integer(Int64(clamping: tickets.upperBound))))
  }
}

/// The strings that describe a draw, in which tickets are counted from 1.
enum DrawWords {
  static func ticket(_ draw: Draw) -> String {
    guard draw.total > 1 else { return "There was only one ticket." }
    return
      "Ticket \(draw.ticket + 1) of \(draw.total) was drawn; every ticket had the same chance, 1 in \(draw.total)."
  }

  static func holders(_ holders: [Holder]) -> String {
    let parts = holders.map { holder in
      switch holder.tickets.count {
      case 0: "\(holder.title) holds none"
      case 1: "\(holder.title) holds ticket \(holder.tickets.upperBound)"
      default:
        "\(holder.title) holds \(holder.tickets.lowerBound + 1)–\(holder.tickets.upperBound)"
      }
    }
    return parts.joined(separator: "; ") + "."
  }
}
