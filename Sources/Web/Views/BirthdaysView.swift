import Bytes
import Domain
import Phrasing
import ReadModel

/// Makes the leaf of birthdays.
struct BirthdaysView {
  let page: PageSnapshot

  /// The order of the birthdays.
  enum Sort: String {
    case next
    case date
    case name
  }

  /// Returns all birthdays in the given order, in sections by month, decade or initial.
  func view(by sort: Sort) throws -> PageView {
    let order: BirthdayOrder =
      switch sort {
      case .next: .next(from: page.today, rule: page.rule)
      case .date: .date
      case .name: .name
      }
    let people = try page.model.birthdays.birthdays(by: order)
    var view = PageView(
      PageView.Head(
        title: "Birthdays", line: people.isEmpty ? nil : counted(people.count, "person", "people")))
    if page.isNow {
      view.adding = .init(placeholder: "Ada Lovelace 10 dec 1815", kinds: ["birthday"])
    }
    view.more = .object(("sort", .string(sort.rawValue)))
    let births = Dictionary(people.map { ($0.head.id, $0.birthdate) }) { first, _ in first }
    view.sections = .sections(of: people.map { row($0) }) { row in
      switch sort {
      case .next: month(of: row)
      case .date: decade(of: row.id.flatMap { births[$0] } ?? nil)
      case .name: initial(of: row)
      }
    }
    if people.isEmpty {
      view.empty = PageView.Empty(
        picture: "cake", sentence: "No birthdays yet.",
        hint: "Type a name and a date, such as “Ada Lovelace 10 dec 1815”. The year is optional.",
        button: page.isNow ? ("Add a birthday", .add) : nil)
    }
    return view
  }

  /// Returns the birthdays within the given number of days from today, the next one first.
  func birthdays(within days: Int) throws -> [PageRow] {
    guard let last = page.today.adding(days: days) else { return [] }
    let near = try page.model.birthdays.birthdays(from: page.today, through: last).compactMap {
      person in
      let next = person.next(from: page.today, rule: page.rule)
      return next.flatMap { $0.inDays <= days ? (days: $0.inDays, row: row(person)) : nil }
    }
    return near.sorted { ($0.days, $0.row.title) < ($1.days, $1.row.title) }.map(\.row)
  }

  private func row(_ person: BirthdayRow) -> PageRow {
    var row = PageRow("birthday", person.head.id, person.name.visible)
    row.isInConflict = page.unsettled.contains(person.head.key)
    let next = person.next(from: page.today, rule: page.rule)
    row.when = next.map { next in
      let tone: PageRow.When.Tone = next.inDays == 0 ? .today : next.inDays <= 2 ? .soon : .plain
      let text = next.inDays == 0 ? "today" : next.date.shortDayWords
      return PageRow.When(text: text, date: next.date, tone: tone)
    }
    row.note = bornWords(person.birthdate, next)
    row.more = .object(
      ("turns", .words(next?.turns.map { $0 == 0 ? "is born" : "turns \($0)" })),
      ("in", .words(next.map { CivilDate.words(inDays: $0.inDays) })),
      ("milestone", .boolean(next?.isMilestone ?? false)),
      (
        "month",
        .words(next?.date.monthWords)
      ), ("initial", .string(person.section(in: .initial).title)))
    return row
  }

  private func bornWords(_ birth: CivilDate?, _ next: UpcomingBirthday?) -> String {
    guard let birth else { return "No date yet" }
    var words = birth.year == nil ? "year not known" : "born \(birth.shortWords)"
    if next == nil { words = birth.year == nil ? "No date yet" : words }
    if let next, next.observedRule != nil {
      words += ", celebrated on \(next.date.shortDayWords) in \(next.date.year ?? 0)"
    }
    return words
  }

  private func month(of row: PageRow) -> SectionKey {
    guard let date = row.when?.date, let year = date.year, let month = date.month else {
      return SectionKey(rank: .max, title: "No date", tag: "none")
    }
    return SectionKey(
      rank: Int64(year * 12 + month), title: date.monthWords, tag: "\(year)-\(month)")
  }

  private func decade(of birth: CivilDate?) -> SectionKey {
    guard let birth else { return SectionKey(rank: .max, title: "No date", tag: "none") }
    guard let year = birth.year else {
      return SectionKey(rank: .min, title: "Year not known", tag: "unknown")
    }
    return SectionKey(rank: Int64(year / 10), title: "\(year / 10 * 10)s", tag: "\(year / 10)")
  }

  private func initial(of row: PageRow) -> SectionKey {
    let letter = row.more["initial"]?.string ?? ""
    return SectionKey(order: letter, title: letter.isEmpty ? "—" : letter, tag: letter)
  }
}
