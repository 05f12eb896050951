internal import Domain

/// The common states of a book and the writer of a file are those from which both versions of a record descend.
///
/// If one common state descends from another, only the later one is used. If neither descends from the other, because
/// each side read the other's version at the same time, both are used.
struct CommonStates {
  /// The common states; empty if none is known.
  private(set) var states: [FieldDigests] = []
  /// The states in which both sides have read a file that daybook did not write.
  ///
  /// A field that is equal in both states is common.
  private var files: (own: FieldDigests, other: FieldDigests)?

  /// Finds the common states.
  ///
  /// - Parameters:
  ///   - origin: The origin of the record in the file.
  ///   - base: The record as it was when the file was written.
  ///   - known: The states that this book has read.
  ///   - book: The tag of this book.
  init(_ origin: RecordOrigin, _ base: FieldDigests, _ known: KnownStates, in book: String) {
    if let last = known[origin.book],
      origin.position < last.position
        || (origin.position == last.position && base.isSame(as: last.digests))
    {
      // This state, or a later one, has already been read.
      states = [base]
      return
    }
    let told = origin.others.first { $0.book == book }
    var isToldLast = true
    for own in known.states where own.book != KnownState.file {
      let other = origin.others.first { $0.book == own.book }
      guard own.book == origin.book || other != nil else { continue }
      // A version that this book wrote after it read a state descends from that state.
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

  /// The fields of the common states.
  var fields: Set<Field> {
    Set(states.flatMap(\.fields)).union(files.map { $0.own.fields + $0.other.fields } ?? [])
  }

  /// Returns whether the value that a field had before both changes is known.
  func isKnown(_ field: Field) -> Bool {
    !states.isEmpty || files.map { $0.own.isSame(field, as: $0.other) } ?? false
  }

  /// Returns whether a field has the same content as in a common state.
  func contain(_ field: Field, _ content: ForeignRecord.Content?, in kind: Kind) -> Bool {
    (states + [files?.own].compactMap(\.self)).contains { $0.isSame(field, content, in: kind) }
  }
}
