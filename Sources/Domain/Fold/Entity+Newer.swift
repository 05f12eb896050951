extension Entity {
  /// Whether it holds something that only a newer version of this program can show: it is of another kind, or has
  /// a field or a form of value that its kind does not know here.
  ///
  /// All of it is kept and stands in the digest all the same.
  package var needsNewerVersion: Bool {
    guard let kind else { return false }
    guard Schema.schema(of: kind) != nil else { return true }
    // Notes on events are nobody's fields, and an owner may stand with any kind.
    return writes.contains { write in
      let field = write.field.base
      return field > .owner && field != .disputed && !Schema.takes(write.value, in: field, of: kind)
    }
  }
}
