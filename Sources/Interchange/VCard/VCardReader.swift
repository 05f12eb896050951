internal import Domain

/// Reads the birthdays in an address book (vCard 2.1, 3.0 or 4.0).
enum VCardReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let parsed = try ComponentReader(bytes, of: .vCard, settings.limits)
    let cards = parsed.components.filter { $0.name == "VCARD" }
    guard !cards.isEmpty || parsed.hasBegun("VCARD") else {
      // An empty file has no cards, and is valid.
      if parsed.isEmpty { return ForeignFile(.vCard) }
      throw .notOfFormat(.vCard)
    }
    var file = parsed.file
    var names = ContentNames()
    for card in cards { take(card, settings, &names, &file) }
    return file
  }

  private static func take(
    _ card: Component, _ settings: ForeignSettings, _ names: inout ContentNames,
    _ file: inout ForeignFile
  ) {
    let kind = card.first("KIND") ?? card.first("X-ADDRESSBOOKSERVER-KIND")
    if kind?.value.lowercased() == "group" { return file.passOver(.otherComponent) }
    let reading = VCardReading(card)
    guard reading.isBirthday || settings.takesAll || reading.isKnownCard else {
      return file.passOver(.cardWithoutBirthday)
    }
    var record = reading.record
    if !reading.isBirthday, !settings.takesAll, !reading.isOwn { record.standing = .incidental }
    if record.uid.isEmpty { record.uid = names.name([reading.fullName, reading.date?.iso]) }
    let isNamed = [Field.Birthday.firstName, Field.Birthday.lastName].contains {
      record.fields[$0] != nil
    }
    // The name of the person cannot be guessed.
    for name in ["N", "FN"] where !isNamed && card.first(name) == nil {
      if case .characterSet(let field, let set) = card.fault(of: name) {
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
