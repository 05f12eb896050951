extension Entity {
  /// Whether it holds something that only a newer version of this program can show: it is of another kind, or has
  /// a field or a form of value that its kind does not know here.
  ///
  /// All of it is kept and stands in the digest all the same.
  package var needsNewerVersion: Bool {
    guard let kind else { return false }
    guard let schema = Schema.schema(of: kind) else { return true }
    return writes.contains { write in
      // Notes on events are nobody's fields, and an owner may stand with any kind.
      guard write.field > .owner else { return false }
      guard let place = schema.place(of: write.field) else { return true }
      return !schema.fields[place].type.takes(write.value)
    }
  }
}
