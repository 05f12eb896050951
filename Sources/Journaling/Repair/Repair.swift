package import Platform

/// A change that recovery made to a file.
package struct Repair: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Bytes outside frames were copied to the given path and cut off.
    case trimmed(byteCount: Int, copiedTo: Path)
    /// The file was removed because another file holds all of its events.
    case removedCovered
    /// The file was moved to the given path, because its name does not fit its events and other files hold all of them.
    case moved(byteCount: Int, to: Path)
    /// The file was removed because it was a draft, whose write was interrupted before the file got its name.
    case removedDraft
    /// The file was rewritten from the bytes that the disk had stored, because a flush had failed.
    case renewed
  }

  package var file: Path
  package var kind: Kind

  package init(file: Path, kind: Kind) {
    self.file = file
    self.kind = kind
  }
}
