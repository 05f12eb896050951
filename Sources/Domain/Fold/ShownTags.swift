/// Computes the tags that a document shows, from the list of tags and the register of each tag.
enum ShownTags {
  /// Replaces the value of the field *tags* by the tags that are shown, and puts the value of each tag that stands first.
  ///
  /// The field counts as written by the latest event that wrote to it or to a tag. The fields are sorted.
  static func insert(into fields: inout [Document.Shown], _ joined: JoinedEntities) {
    let registers = fields.firstPlace { $0.field > .last }
    let place = fields[..<registers].firstPlace { $0.field >= .tags }
    let isListed = place < registers && fields[place].field == .tags
    let lists = isListed ? fields[place].survivors.filter { $0.value.texts != nil } : []
    guard registers < fields.count || !lists.isEmpty else { return }
    for place in registers..<fields.count { fields[place].putStandingFirst() }
    let tags = Tag.shown(
      lists: lists.compactMap(\.value.texts),
      registers: fields[registers...].map { ($0.field, $0.value) })
    let writers = lists + fields[registers...].compactMap(\.survivors.first)
    guard var write = joined.causality.highestFirst(writers).first else { return }
    (write.field, write.value) = (.tags, tags.isEmpty ? .null : .texts(tags))
    let shown = Document.Shown(field: .tags, survivors: [write], isConflict: false)
    if isListed { fields[place] = shown } else { fields.insert(shown, at: place) }
  }
}

extension Document.Shown {
  /// Moves the value of a tag that stands to the front.
  fileprivate mutating func putStandingFirst() {
    guard survivors.count > 1 else { return }
    let standing = Tag.standing(among: survivors.map(\.value))
    let (first, others) = (
      survivors.filter { $0.value.isIdentical(to: standing) },
      survivors.filter { !$0.value.isIdentical(to: standing) }
    )
    self = Document.Shown(field: field, survivors: first + others, isConflict: false)
  }
}

extension Document {
  package var tags: [String] { value(.tags).texts ?? [] }

  /// The value that a tag's register would need to show what the document shows: the text of the tag, or false.
  ///
  /// The tag may be shown because of the list of tags alone.
  package func tag(_ field: Field) -> Value {
    switch value(field) {
    case let value where value.tagText != nil: value
    case .boolean(false): .boolean(false)
    default: tags.first { Field(tag: $0) == field }.map(Value.text) ?? .boolean(false)
    }
  }

  /// The write of a shown tag in its register; nil if the tag is shown because of the list of tags.
  package func write(ofTag text: String) -> Stored? {
    fields[fields.firstPlace { $0.field > .last }...].first { $0.value.tagText == text }?
      .survivors.first
  }

  /// The writes that make the document show exactly the given tags; sorted.
  ///
  /// A tag that is shown with the same text is not written.
  package func tagWrites(for wanted: [String]) -> [Write] {
    var missing = Dictionary(
      wanted.map { (Tag.key(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var writes: [Field: Value] = [:]
    // Another program may have computed another number for a tag.
    var registers: [[UInt8]: [Field]] = [:]
    for shown in fields[fields.firstPlace(isAfter: { $0.field > .last })...] {
      if let text = shown.value.tagText {
        registers[Tag.key(of: text), default: []].append(shown.field)
      }
    }
    for tag in tags {
      let key = Tag.key(of: tag)
      if let text = missing[key] {
        if text.utf8.elementsEqual(tag.utf8) { missing[key] = nil }
        continue
      }
      for field in registers[key, default: []] + [Field(tagKey: key)] {
        writes[field] = .boolean(false)
      }
    }
    for (key, text) in missing { writes[Field(tagKey: key)] = .text(text) }
    return writes.sorted { $0.key < $1.key }.map { Write($0.key, $0.value) }
  }
}
