extension Entity {
  /// Whether only a newer version of this program can show the entity completely.
  ///
  /// This is the case if the entity's kind is unknown, or if the entity has a field or a form of value that this
  /// version does not know for the kind. All of the entity is kept nonetheless, and included in the state digest.
  package var needsNewerVersion: Bool {
    guard let kind else { return false }
    guard Schema.schema(of: kind) != nil else { return true }
    // Skip notes on events, which are not fields of a record, and the owner, which any kind may have.
    return writes.contains { write in
      let field = write.field.base
      return field > .owner && field != .disputed && !Schema.takes(write.value, in: field, of: kind)
    }
  }
}
