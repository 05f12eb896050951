internal import Domain

/// Builds a birthday from the cells of a row.
struct CSVPersonBuilder {
  private var base: CSVRecordBuilder

  /// Continues a record whose common fields have already been read.
  init(_ base: CSVRecordBuilder) { self.base = base }

  /// Reads the fields of a birthday.
  ///
  /// - Returns: The record, with the cells to keep and the notes.
  /// - Throws: ``ForeignFault`` if a date can be read in two ways, or a birthday has no name.
  mutating func build() throws(ForeignFault) -> CSVRecordBuilder {
    let parts = (base.text(.firstName), base.text(.lastName))
    let hasParts = parts.0 != nil || parts.1 != nil
    let split = base.row[.name].map(ForeignName.split)
    base.record.set(Field.Birthday.firstName, hasParts ? parts.0 : split?.first)
    base.record.set(Field.Birthday.lastName, hasParts ? parts.1 : split?.last)
    takeName(hasParts)
    var birthday = try birthday()
    if birthday == nil { birthday = birthdayOfParts() }
    base.record.set(Field.Birthday.birthdate, birthday.map { .date($0) })
    let isNamed = hasParts || split != nil || takeOtherName()
    // A row that lacks both a name and a birthday does not describe a person and is skipped.
    if !isNamed, birthday != nil { throw .missing("a name") }
    try fillReminders()
    return base
  }

  /// Marks the full name as read, unless it differs from its parts.
  private mutating func takeName(_ hasParts: Bool) {
    for cell in base.row.cells(.name).prefix(1) {
      let parts = [base.row[.firstName], base.row[.lastName]].compactMap(\.self)
      if !hasParts || cell.text == parts.joined(separator: " ") { base.take(cell) }
    }
  }

  /// Columns that can serve as the name of a nameless company or person, best first.
  private static let otherNames = [
    "company", "companyname", "organization", "organizationname", "organisation",
    "organization1name", "fileas", "nickname", "emailaddress", "email", "email1value",
  ]

  /// Uses another column as the name of a person, and also keeps that column.
  ///
  /// - Returns: Whether there is such a column.
  private mutating func takeOtherName() -> Bool {
    for header in Self.otherNames {
      guard let cell = base.row.all.first(where: { CSVColumn.plain($0.header) == header }) else {
        continue
      }
      base.record.set(Field.Birthday.firstName, cell.text)
      return true
    }
    return false
  }

  private mutating func fillReminders() throws(ForeignFault) {
    let rule = try base.first(.leapRule) {
      cell throws(ForeignFault) -> CSVRecordBuilder.Read<Int64>? in
      let plain = cell.text.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let place = ["28feb", "1mar"].firstIndex(where: { plain.hasPrefix($0) }) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return CSVRecordBuilder.Read(content: Int64(place))
    }
    base.record.set(Field.Birthday.leapRule, rule.map { .integer($0) })
    if let lead = base.text(.lead) {
      base.record.set(
        Field.Birthday.lead, .texts(lead.split(separator: ",").map { String($0).trimmed }))
    }
  }

  /// Reads a birthday that is in one cell.
  private mutating func birthday() throws(ForeignFault) -> CivilDate? {
    var told: [ForeignNote] = []
    let (order, isOwn) = (base.order, base.layout.isOwn)
    if dayBesideMonth != nil { return nil }
    let date = try base.first(.birthday) {
      cell throws(ForeignFault) -> CSVRecordBuilder.Read<CivilDate>? in
      if isOwn, let date = ForeignDate.own(cell.text) {
        return CSVRecordBuilder.Read(content: date)
      }
      if ForeignDate.isNone(cell.text) { return nil }
      if let day = ForeignDate.serial(cell.text) {
        told.append(.changed(field: cell.header, cell.text, to: day.iso))
        return CSVRecordBuilder.Read(content: day)
      }
      let (date, note) = try Self.date(cell, order)
      if let note { told.append(note) }
      return CSVRecordBuilder.Read(content: date)
    }
    base.notes += told
    return date
  }

  /// Reads a date whose year may be a placeholder, and ignores a time after the date.
  private static func date(
    _ cell: CSVRow.Cell, _ order: ForeignSettings.DateOrder?
  ) throws(ForeignFault) -> (CivilDate, ForeignNote?) {
    let text = ForeignMoment.day(in: cell.text) ?? cell.text
    var readings = ForeignDate.readings(text, order)
    var note: ForeignNote?
    for place in readings.indices where readings[place].month != nil {
      guard let year = readings[place].year, let found = Self.note(ofYear: year) else { continue }
      note = found
      if case .yearLeftOut = found { readings[place].year = nil }
    }
    return (try ForeignDate.date(of: readings, cell.text, field: cell.header), note)
  }

  /// Years of birth that some programs write if the year is unknown.
  private static let oddYears = [1900]

  /// Returns the note for a year that is or may be a placeholder.
  private static func note(ofYear year: Int) -> ForeignNote? {
    if year == 0 || year == VCardBirthday.yearMeaningNone { return .yearLeftOut(year) }
    return oddYears.contains(year) ? .oddYear(year) : nil
  }

  /// The cell of the birthday column, if it contains only a day and another column contains the month.
  private var dayBesideMonth: CSVRow.Cell? {
    let isTold = base.row.cells(.birthMonth).first.map { !Self.isNoPart($0.text) } ?? false
    return isTold ? base.row.cells(.birthday).first { Self.day($0.text) != nil } : nil
  }

  /// Reads a birthday whose year, month and day are in separate cells.
  private mutating func birthdayOfParts() -> CivilDate? {
    var cells = [CSVColumn.birthYear, .birthMonth, .birthDay].map { base.row.cells($0).first }
    cells[2] = cells[2] ?? dayBesideMonth
    let told = cells.compactMap(\.self).filter { !Self.isNoPart($0.text) }
    for cell in cells.compactMap(\.self) where Self.isNoPart(cell.text) { base.take(cell) }
    guard !told.isEmpty else { return nil }
    var parts = ForeignDate.Parts(
      month: Self.part(cells[1], Self.month), day: Self.part(cells[2], Self.day))
    parts.year = Self.part(cells[0]) { ForeignDate.number($0, 4...4) }
    if let year = parts.year, let note = Self.note(ofYear: year) {
      base.notes.append(note)
      if case .yearLeftOut = note { parts.year = nil }
    }
    do throws(CivilDateError) {
      let date = try CivilDate(year: parts.year, month: parts.month, day: parts.day)
      let read = [date.year, date.month, date.day]
      for (cell, part) in zip(cells, read) {
        guard let cell, !Self.isNoPart(cell.text) else { continue }
        let isYearLeftOut = cell == cells[0] && ForeignDate.number(cell.text, 4...4) != nil
        if part != nil || isYearLeftOut { base.take(cell) } else { base.keepUnread(cell) }
      }
      return date
    } catch {
      for cell in told { base.keepUnread(cell) }
      return nil
    }
  }

  private static func part(_ cell: CSVRow.Cell?, _ read: (String) -> Int?) -> Int? {
    guard let cell, !isNoPart(cell.text) else { return nil }
    return read(cell.text)
  }

  private static func isNoPart(_ text: String) -> Bool {
    CSVWords.isNone(text) || text.allSatisfy { $0 == "0" }
  }

  private static func month(_ text: String) -> Int? {
    ForeignDate.number(text, 1...2) ?? ForeignDate.month(text.lowercased())
  }

  private static func day(_ text: String) -> Int? {
    ForeignDate.number(text.last == "." ? String(text.dropLast()) : text, 1...2)
  }
}
