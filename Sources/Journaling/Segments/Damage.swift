package import Platform

/// Something in a log's files that is not as it should be.
package struct Damage: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// So many bytes are no frame; the error is that of the first of them.
    case hole(byteCount: Int, FrameError)
    /// Bytes at the end of a tail that are no frame: a write that was cut short.
    case tornTail(byteCount: Int)
    /// The frame does not go on where the one before it ends.
    case unjoined
    /// Events that no file holds.
    case missing(ClosedRange<UInt64>)
  }

  package var file: Path
  package var offset: Int
  package var kind: Kind

  package init(file: Path, offset: Int, kind: Kind) {
    self.file = file
    self.offset = offset
    self.kind = kind
  }
}
