internal import Bytes
internal import Domain

/// Writes birthdays as cards of an address book: in the requested version, otherwise in their original version, and
/// otherwise in version 3.0.
enum VCardWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    let documents = contents.documents(.birthday)
    let cards = documents.compactMap { document in
      VCardRevision(document, contents, version: settings.version)?.text
    }
    var written = ForeignText.Written(cards.joined(), count: cards.count)
    let count = documents.count {
      Birthday($0)?.birthdate?.year == VCardBirthday.yearMeaningNone
    }
    written.lose(
      "year of birth \(VCardBirthday.yearMeaningNone), which means no year in the format",
      "years of birth \(VCardBirthday.yearMeaningNone), which mean no year in the format",
      count: count)
    written.loseControls(of: contents, in: [.birthday])
    written.loseAll(of: contents, but: [.birthday])
    return written
  }
}

/// A card that is written back with the changes made since it was read, or a new card.
private struct VCardRevision {
  private let document: Document
  private let birthday: Birthday
  private let kept: ForeignExtra
  private let changes: Set<Field>
  private let lastChange: String?
  /// The places of the properties from which fields were read.
  private let sources: [String: [Int]]
  /// The original version of the card.
  private let versionKept: Int
  /// The version in which the card is written.
  private let version: Int
  private var card: RevisedLines
  private let contents: ExportContents

  init?(_ document: Document, _ contents: ExportContents, version: Int?) {
    guard let birthday = Birthday(document) else { return nil }
    (self.document, self.birthday, self.contents) = (document, birthday, contents)
    kept = ForeignExtra(of: document, format: .vCard)
    let lines = ContentLine.lines(of: kept.properties[KeptComponent.lines])
    changes = contents.changes(of: document, since: kept.base, in: .vCard)
    lastChange = contents.lastChange(of: document).flatMap(BasicInstant.text)
    let reading = VCardReading(Component(name: "VCARD", place: .line(0), lines: lines))
    sources = reading.sources
    let versionLine = lines.first { $0.name == "VERSION" }
    versionKept = versionLine.map { $0.value.hasPrefix("4") ? 4 : 3 } ?? 3
    self.version = version ?? versionKept
    card = RevisedLines(lines)
    // An earlier version of this program kept only the properties that no field represents.
    revise(isNew: versionLine == nil)
  }

  private mutating func revise(isNew: Bool) {
    card.replace(card.places("VERSION"), with: [])
    if isNew {
      card.replace("PRODID", with: ContentLine("PRODID", "-//daybook//daybook 1//EN"))
    }
    reviseUID()
    reviseNames()
    reviseBirthday()
    revise("NOTE", .note, with: document.note.map(ContentLine.escaped))
    revise("CATEGORIES", .tags, with: Self.list(document.tags))
    revise(
      "X-DAYBOOK-LEAP-RULE", Field.Birthday.leapRule,
      with: birthday.leapRule.map { $0 == .march1 ? "MAR1" : "FEB28" })
    revise("X-DAYBOOK-LEAD", Field.Birthday.lead, with: Self.list(birthday.lead))
    if isNew || !changes.isEmpty {
      card.replace("REV", with: lastChange.map { ContentLine("REV", $0) })
    }
  }

  private static func list(_ items: [String]) -> String? {
    items.isEmpty ? nil : items.map(ContentLine.escaped).joined(separator: ",")
  }

  private mutating func reviseUID() {
    let foreign = document.uid(from: .vCard)
    // If another record of the file has the same uid, the uid does not belong to this card.
    let isNamedAnew = foreign?.hasPrefix("=") ?? false
    guard isNamedAnew || sources["UID"] == nil else { return }
    let uid = (isNamedAnew ? nil : foreign) ?? document.id.uuid
    let isURN = version >= 4 && UniqueID(uuid: uid) != nil
    card.replace(
      sources["UID"] ?? [],
      with: [ContentLine("UID", isURN ? "urn:uuid:" + uid : ContentLine.escaped(uid))])
  }

  /// Revises the first and last name, and keeps other names and titles.
  private mutating func reviseNames() {
    let name = VCardName(first: birthday.firstName, last: birthday.lastName)
    let isRenamed = !changes.isDisjoint(with: [Field.Birthday.firstName, Field.Birthday.lastName])
    for property in ["FN", "N"] {
      let value = property == "FN" ? ContentLine.escaped(name.full) : name.structured
      guard let place = sources[property]?.first, var line = card.lines(at: place).first else {
        card.replace([], with: [ContentLine(property, value)])
        continue
      }
      if isRenamed {
        let parts = ContentLine.split(line.value, at: ";").dropFirst(2)
        let names = [name.last ?? "", name.first ?? ""].map(ContentLine.escaped)
        line.value = property == "FN" ? value : (names + parts).joined(separator: ";")
        card.replace([place], with: [line])
      }
    }
  }

  private mutating func reviseBirthday() {
    let places = sources["BDAY"] ?? []
    let line = places.first.flatMap { card.lines(at: $0).first }
    let hasChanged = changes.contains(Field.Birthday.birthdate)
    if let line, !hasChanged, version == versionKept || VCardBirthday(line)?.date == nil {
      return
    }
    if let date = birthday.birthdate {
      return card.replace(places, with: [VCardBirthday.line(date, version: version, like: line)])
    }
    // If another date remained, a reader would mistake it for the birthday.
    let dates = card.places("BDAY").filter { place in
      card.lines(at: place).contains { VCardBirthday($0)?.date != nil }
    }
    if hasChanged { card.replace(dates, with: []) }
  }

  /// Writes a field if it has changed or was missing from the card.
  private mutating func revise(_ name: String, _ field: Field, with value: String?) {
    let places = sources[name] ?? []
    guard places.isEmpty || changes.contains(field) else { return }
    card.replace(places, with: value.map { [ContentLine(name, $0)] } ?? [])
  }

  var text: String {
    let parts = ContentLine.lines(of: kept.properties[KeptComponent.parts])
    let isOther = version != versionKept
    let own = card.lines.map { isOther ? $0.converted(toVersion: version) : $0 }
    let lines = [ContentLine("VERSION", version >= 4 ? "4.0" : "3.0")] + own
    // The digests cover the card as a reader finds it.
    let whole = Component(name: "VCARD", place: .line(0), lines: lines)
    let base = FieldDigests(VCardReading(whole).record.fields, of: .birthday)
    let digest = Component(name: "VCARD", place: .line(0), lines: lines + parts).digest
    let all =
      [ContentLine("BEGIN", "VCARD")] + lines
      + KeptComponent.lines(of: base, contents.origin(of: document, as: base, kept))
      + [ContentLine(KeptComponent.digest, digest)] + parts + [ContentLine("END", "VCARD")]
    return all.map(\.folded).joined()
  }
}
