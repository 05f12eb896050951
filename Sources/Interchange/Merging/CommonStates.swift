internal import Domain

/// What a book and the writer of a file have both read: the states that a record in both descends from.
///
/// Of two states of which one descends from the other only the later one counts. Where neither does, as after each has
/// read of the other at the same time, both do.
struct CommonStates {
  /// The states; none where none is known.
  private(set) var states: [FieldDigests] = []
  /// What either has read of a file that no book wrote, which tells where both are the same.
  private var files: (own: FieldDigests, other: FieldDigests)?

  /// Finds what is common.
  ///
  /// - Parameters:
  ///   - origin: Who wrote the record as it is in the file.
  ///   - base: What the record was when it was written.
  ///   - known: What this book has read.
  ///   - book: The tag of this book.
  init(_ origin: RecordOrigin, _ base: FieldDigests, _ known: KnownStates, in book: String) {
    if let last = known[origin.book],
      origin.position < last.position
        || (origin.position == last.position && base.isSame(as: last.digests))
    {
      // This very state, or a later one, was read before.
      states = [base]
      return
    }
    let told = origin.others.first { $0.book == book }
    var isToldLast = true
    for own in known.states where own.book != KnownState.file {
      let other = origin.others.first { $0.book == own.book }
      guard own.book == origin.book || other != nil else { continue }
      // What this book wrote after it had read of a state descends from that.
      if let told, told.position > own.learned { continue }
      if let other, other.position < own.position {
        states.append(other.digests)
      } else {
        states.append(own.digests)
        if let told, own.seen >= told.position { isToldLast = false }
      }
    }
    if let told, isToldLast { states.append(told.digests) }
    if states.isEmpty, let own = known[KnownState.file],
      let other = origin.others.first(where: { $0.book == KnownState.file })
    {
      files = (own.digests, other.digests)
    }
  }

  /// The fields that a common state had.
  var fields: Set<Field> {
    Set(states.flatMap(\.fields)).union(files.map { $0.own.fields + $0.other.fields } ?? [])
  }

  /// Whether it is known what a field was before either changed it.
  func isKnown(_ field: Field) -> Bool {
    !states.isEmpty || files.map { $0.own.isSame(field, as: $0.other) } ?? false
  }

  /// Whether a field is as it was in a common state.
  func contain(_ field: Field, _ content: ForeignRecord.Content?, in kind: Kind) -> Bool {
    (states + [files?.own].compactMap(\.self)).contains { $0.isSame(field, content, in: kind) }
  }
}
