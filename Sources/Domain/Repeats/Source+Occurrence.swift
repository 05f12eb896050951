package import Bytes
internal import Crypto

extension Source {
  /// The importer whose records are occurrences of repeating to-dos.
  package static let seriesImporter: UInt64 = 9

  /// The source that the first write to an occurrence assigns to it.
  ///
  /// The source is computed from the series and the slot, so occurrences that two devices add for the same slot become
  /// one document.
  ///
  /// - Parameters:
  ///   - slot: A complete date.
  ///   - series: The source of the series, which is the source of its member with the lowest stamp among the members
  ///     that have a source.
  ///   - id: The id of the shown member of the series; it is used if no member has a source.
  package init(occurrence slot: CivilDate, of series: Source?, id: UniqueID) {
    var hash = SHA256()
    hash.update(Array("daybook occurrence v1".utf8))
    hash.update(series?.encoded ?? id.bytes)
    hash.update((0..<8).map { UInt8(truncatingIfNeeded: slot.packed >> (56 - 8 * $0)) })
    self.init(importer: Self.seriesImporter, uid: UniqueID(version8: hash.finish().prefix16))
  }
}
