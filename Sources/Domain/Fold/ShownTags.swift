/// Computes the tags that a document shows, from the list of tags and the register of each tag.
enum ShownTags {
  /// Replaces the value of the field *tags* with the shown tags, and moves each tag's effective value to the front.
  ///
  /// The field *tags* counts as written by the latest event that wrote to it or to a tag. The fields are sorted.
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
  /// Moves a tag's effective value to the front.
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
