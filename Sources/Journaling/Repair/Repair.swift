package import Platform

/// What recovery did to a file.
package struct Repair: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// So many bytes that are no frame were copied to the second path and cut off.
    case trimmed(byteCount: Int, copiedTo: Path)
    /// The file was removed, because another holds all of its events.
    case removedCovered
    /// The file was removed: it is a write that was cut short before it had a name.
    case removedDraft
    /// The file was written anew from what the disk had kept, because a flush had failed.
    case renewed
  }

  package var file: Path
  package var kind: Kind

  package init(file: Path, kind: Kind) {
    self.file = file
    self.kind = kind
  }
}
