internal import Domain

/// Reads a card as a record.
struct VCardReading {
  private let card: Component
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private(set) var fullName: String?
  private(set) var date: CivilDate?
  private(set) var isBirthday = false
  /// Whether this program wrote the card.
  private(set) var isOwn = false
  /// The places of the properties from which fields were read, by property name.
  private(set) var sources: [String: [Int]] = [:]

  init(_ card: Component) {
    self.card = card
    record = ForeignRecord(.birthday, uid: "", at: card.place)
    for (place, line) in card.lines.enumerated()
    where line.unreadableSet == nil && line.excessBytes == nil { note(line, at: place) }
    readFields()
    readBirthday()
    readNames()
    keep()
  }

  /// Whether the card has a uid; if so, the book may contain its record.
  var isKnownCard: Bool { !record.uid.isEmpty }

  /// Notes a property if a field is read from it.
  private mutating func note(_ line: ContentLine, at place: Int) {
    switch line.name {
    case "PRODID": isOwn = isOwn || line.value.contains("//daybook")
    case KeptComponent.base: isOwn = true
    case "AGENT" where line.value.isEmpty: notes.append(.notActedOn("AGENT"))
    // For each of these, only the first non-blank property is read.
    case "UID", "FN", "N", "X-DAYBOOK-LEAP-RULE", "X-DAYBOOK-LEAD":
      guard sources[line.name] == nil, line.value.contains(where: { !"; \t".contains($0) }) else {
        return
      }
      sources[line.name] = [place]
    // Properties with parameters are in a different language or of a different type.
    case "NOTE", "CATEGORIES":
      if line.parameters.isEmpty { sources[line.name, default: []].append(place) }
    case "BDAY": sources[line.name, default: []].append(place)
    default: return
    }
  }

  private func lines(_ name: String) -> [ContentLine] {
    (sources[name] ?? []).map { card.lines[$0] }
  }

  private mutating func readFields() {
    if let line = lines("UID").first { record.uid = Self.uid(line.text.trimmed) }
    record.set(.note, lines("NOTE").map(\.text).joined(separator: "\n"))
    let tags = lines("CATEGORIES").flatMap(\.items).map(\.trimmed).filter { !$0.isEmpty }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
    let rule = lines("X-DAYBOOK-LEAP-RULE").first.flatMap {
      ["FEB28", "MAR1"].firstIndex(of: $0.value)
    }
    record.set(Field.Birthday.leapRule, rule.map { .integer(Int64($0)) })
    if let lead = lines("X-DAYBOOK-LEAD").first {
      record.set(Field.Birthday.lead, .texts(lead.items))
    }
  }

  private static func uid(_ text: String) -> String {
    let prefix = "urn:uuid:"
    let plain = text.lowercased().hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let isUUID = plain.utf8.count == 36 && plain.allSatisfy { $0.isHexDigit || $0 == "-" }
    return isUUID ? plain.lowercased() : text
  }

  /// Reads the first property with a valid date; others are only kept.
  private mutating func readBirthday() {
    var birthdays: [(place: Int, birthday: VCardBirthday)] = []
    for place in sources["BDAY"] ?? [] {
      if let occasion = occasion(of: card.lines[place]) {
        notes.append(.noBirthday(card.lines[place].unfolded, occasion))
      } else if let birthday = VCardBirthday(card.lines[place]) {
        birthdays.append((place, birthday))
      }
    }
    let read = birthdays.first { $0.birthday.date != nil } ?? birthdays.first
    sources["BDAY"] = read.map { [$0.place] }
    guard let read else { return }
    isBirthday = true
    date = read.birthday.date
    record.set(Field.Birthday.birthdate, date.map(Value.date))
    if let note = read.birthday.note { notes.append(note) }
    let alternative = card.lines[read.place].values("ALTID")
    for other in birthdays where other.place != read.place {
      let line = card.lines[other.place]
      // RFC 6350 5.4: properties with the same ALTID are alternatives.
      if alternative.isEmpty || line.values("ALTID") != alternative {
        notes.append(.notActedOn(line.unfolded))
      }
    }
  }

  /// Returns the occasion that a date's label names, unless the date is a birthday.
  private func occasion(of line: ContentLine) -> Occasion? {
    guard let group = line.group?.uppercased(),
      let label = card.lines.first(where: {
        $0.name == "X-ABLABEL" && $0.group?.uppercased() == group
      })
    else { return nil }
    // A label that the user made up does not turn a birthday into a different occasion.
    switch EventEvidence.label(label.text) {
    case .other?, nil: return nil
    case .some(let occasion): return occasion
    }
  }

  private mutating func readNames() {
    let name = VCardName(lines("N").first, lines("FN").first)
    record.set(Field.Birthday.firstName, name.first)
    record.set(Field.Birthday.lastName, name.last)
    fullName =
      lines("FN").first?.text
      ?? [name.first, name.last].compactMap(\.self).joined(separator: " ")
  }

  /// Keeps the card in the syntax of versions 3 and 4, with its original version number.
  private mutating func keep() {
    var kept = card
    let version = card.first("VERSION")?.value.first
    if version != "3", version != "4" { kept.lines = card.lines.map(\.modern) }
    if version == nil { kept.lines.insert(ContentLine("VERSION", "3.0"), at: 0) }
    // In version 2.1, a nested card follows this property. In version 3.0, the property contains the text of a card.
    var agents = card.children.filter { $0.name == "VCARD" }[...]
    for place in kept.lines.indices
    where kept.lines[place].name == "AGENT" && kept.lines[place].value.isEmpty {
      guard let agent = agents.popFirst() else { break }
      kept.lines[place].value = ContentLine.escaped(agent.text.joined(separator: "\n"))
    }
    kept.children = card.children.filter { $0.name != "VCARD" }
    KeptComponent.keep(kept, in: &record, &notes)
    // The digest covers the card as it is in the file.
    if card.first(KeptComponent.digest)?.value == card.digest { record.standing = .asWritten }
  }
}
