/// The options for an import.
package struct ImportOptions: Sendable {
  /// Whether source ids become uids of the records; if so, later imports find the records.
  package var keepsUIDs: Bool
  /// Whether an import stops at the first record that cannot be imported, and writes no records.
  ///
  /// If the import stops, records that an interrupted import of the same source has written are kept.
  package var isStrict: Bool

  package init(keepsUIDs: Bool = true, isStrict: Bool = false) {
    self.keepsUIDs = keepsUIDs
    self.isStrict = isStrict
  }
}
