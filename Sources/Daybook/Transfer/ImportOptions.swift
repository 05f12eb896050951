/// The options of an import.
package struct ImportOptions: Sendable {
  /// Whether source ids become uids of the records, so that later imports find them.
  package var keepsUIDs: Bool
  /// Whether an import stops at the first record that cannot be taken, and writes no record.
  ///
  /// What an interrupted import of the same source has written stays as it is then.
  package var isStrict: Bool

  package init(keepsUIDs: Bool = true, isStrict: Bool = false) {
    self.keepsUIDs = keepsUIDs
    self.isStrict = isStrict
  }
}
