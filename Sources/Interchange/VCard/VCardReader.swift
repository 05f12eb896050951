internal import Domain

/// Reads the birthdays in an address book, of versions 2.1, 3.0 and 4.0.
enum VCardReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let parsed = try ComponentReader(bytes, of: .vCard, settings.limits)
    let cards = parsed.components.filter { $0.name == "VCARD" }
    guard !cards.isEmpty || parsed.hasBegun("VCARD") else {
      // An empty file holds no cards, and is none the worse for it.
      if parsed.isEmpty { return ForeignFile(.vCard) }
      throw .notOfFormat(.vCard)
    }
    var file = parsed.file
    var names = ContentNames()
    for card in cards { take(card, settings, &names, &file) }
    return file
  }

  /// What a card says for the fields of a birthday.
  static func fields(of card: Component) -> [Field: ForeignRecord.Content] {
    var reading = VCardReading(card)
    reading.read()
    return reading.record.fields
  }

  private static func take(
    _ card: Component, _ settings: ForeignSettings, _ names: inout ContentNames,
    _ file: inout ForeignFile
  ) {
    let kind = card.first("KIND") ?? card.first("X-ADDRESSBOOKSERVER-KIND")
    if kind?.value.lowercased() == "group" { return file.passOver(.otherComponent) }
    var reading = VCardReading(card)
    reading.read()
    guard reading.isBirthday || settings.takesAll || reading.isKnownCard else {
      return file.passOver(.cardWithoutBirthday)
    }
    var record = reading.record
    record.isIncidental = !reading.isBirthday && !settings.takesAll && !reading.isOwn
    if record.uid.isEmpty { record.uid = names.name([reading.fullName, reading.date?.iso]) }
    for name in ["N", "FN"]
    where record.fields[Field.Birthday.firstName] == nil
      && record.fields[Field.Birthday.lastName] == nil
    {
      // Whose birthday it is, is nobody's guess.
      if case .characterSet(let field, let set) = card.fault(of: name), card.first(name) == nil {
        return file.skip(card.place, .characterSet(field: field, set))
      }
    }
    guard record.fields.keys.contains(where: { $0 >= Field.Birthday.firstName }) else {
      return file.skip(card.place, .missing("a name or a date"))
    }
    for note in reading.notes { file.remark(card.place, note) }
    file.records.append(record)
  }
}

/// A card as it turns into a record.
private struct VCardReading {
  private let card: Component
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private(set) var fullName: String?
  private(set) var date: CivilDate?
  private(set) var isBirthday = false
  /// Whether this program wrote it.
  private(set) var isOwn = false
  /// The properties that no field stands for.
  private var rest: [ContentLine] = []
  private let isNewVersion: Bool

  init(_ card: Component) {
    self.card = card
    isNewVersion = card.first("VERSION")?.value.hasPrefix("4") ?? false
    record = ForeignRecord(.birthday, uid: "", at: card.place)
  }

  /// Whether it has a name of its own, so that the book may have it.
  var isKnownCard: Bool { !record.uid.isEmpty }

  mutating func read() {
    var (notesOnCard, tags): ([String], [String]) = ([], [])
    for line in card.lines {
      if let bytes = line.excessBytes {
        notes.append(.leftOut(line.name, bytes: bytes))
        continue
      }
      if let set = line.unreadableSet {
        notes.append(.undecoded(field: line.name, set: set))
        rest.append(line)
        continue
      }
      switch line.name {
      case "VERSION", "REV", "PRODID": isOwn = isOwn || line.value.contains("//daybook")
      case "UID" where record.uid.isEmpty: readUID(line)
      case "BDAY" where !isBirthday: readBirthday(line)
      case "NOTE" where line.parameters.isEmpty: notesOnCard.append(line.text)
      case "CATEGORIES" where line.parameters.isEmpty: tags += line.items.map(\.trimmed)
      case "X-DAYBOOK-LEAP-RULE": readLeapRule(line)
      case "X-DAYBOOK-LEAD": record.set(Field.Birthday.lead, .texts(line.items))
      case "X-DAYBOOK-BASE": record.base = FieldDigests(line.value)
      case "AGENT" where line.value.isEmpty: notes.append(.notActedOn("AGENT"))
      default: rest.append(line)
      }
    }
    record.set(.note, notesOnCard.joined(separator: "\n"))
    record.set(.tags, tags.isEmpty ? nil : .texts(tags.filter { !$0.isEmpty }))
    readNames()
    keepRest()
  }

  private mutating func readUID(_ line: ContentLine) {
    let text = line.text.trimmed
    let prefix = "urn:uuid:"
    let plain = text.lowercased().hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let isUUID = plain.utf8.count == 36 && plain.allSatisfy { $0.isHexDigit || $0 == "-" }
    record.uid = isUUID ? plain.lowercased() : text
    // Other programs would take it for another card if it came back otherwise than they write it.
    let expected = isUUID && isNewVersion ? prefix + record.uid : record.uid
    if text != expected { rest.append(line) }
  }

  private mutating func readBirthday(_ line: ContentLine) {
    guard let birthday = VCardBirthday(line) else { return }
    isBirthday = true
    date = birthday.date
    record.set(Field.Birthday.birthdate, date.map(Value.date))
    if let note = birthday.note { notes.append(note) }
    if birthday.date == nil { rest.append(line) }
  }

  private mutating func readLeapRule(_ line: ContentLine) {
    let rules = ["FEB28", "MAR1"]
    guard let place = rules.firstIndex(of: line.value) else { return }
    record.set(Field.Birthday.leapRule, .integer(Int64(place)))
  }

  private mutating func readNames() {
    let readable = Component(name: "VCARD", place: card.place, lines: rest)
    let (structured, formatted) = (readable.first("N"), readable.first("FN"))
    let name = VCardName(structured, formatted)
    record.set(Field.Birthday.firstName, name.first)
    record.set(Field.Birthday.lastName, name.last)
    fullName = formatted?.text ?? [name.first, name.last].compactMap(\.self).joined(separator: " ")
    // What is written from the fields in the same way need not be kept.
    let isPlain = [structured, formatted].allSatisfy {
      $0.map { $0 == name.line(like: $0) } ?? true
    }
    if isPlain {
      rest.removeAll { $0.unreadableSet == nil && ($0.name == "N" || $0.name == "FN") }
    }
  }

  private static let keptBytes = 48 << 10

  /// Keeps the properties that no field stands for, the largest first to go where it is too much.
  private mutating func keepRest() {
    // Those that are written first stand first, wherever they came.
    let first = ["UID", "FN", "N"].flatMap { name in rest.filter { $0.name == name } }
    rest.removeAll { ["UID", "FN", "N"].contains($0.name) }
    let texts = (first + rest).map { ($0.name, $0.modern.unfolded) }
    let sizes = texts.map { $0.1.utf8.count + 1 }
    var total = sizes.reduce(0, +)
    var dropped: Set<Int> = []
    for place in sizes.indices.sorted(by: { (sizes[$1], $0) < (sizes[$0], $1) }) {
      guard total > Self.keptBytes else { break }
      dropped.insert(place)
      notes.append(.leftOut(texts[place].0, bytes: sizes[place] - 1))
      total -= sizes[place]
    }
    let kept = texts.indices.filter { !dropped.contains($0) }.map { texts[$0].1 }
    if !kept.isEmpty { record.extra[VCard.lines] = kept.joined(separator: "\n") }
  }
}
