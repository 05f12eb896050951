/// How a source is to be taken in.
package struct ImportOptions: Sendable {
  /// Whether source ids become uids of the records, so that later imports find them.
  package var keepsUIDs: Bool
  /// Whether a record that cannot be taken stops everything, with nothing written.
  package var isStrict: Bool

  package init(keepsUIDs: Bool = true, isStrict: Bool = false) {
    self.keepsUIDs = keepsUIDs
    self.isStrict = isStrict
  }
}
