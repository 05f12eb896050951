package import Platform

/// A fault in the files of a log.
package struct Damage: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Bytes that do not belong to a frame, with the first error in them.
    case hole(byteCount: Int, FrameError)
    /// Bytes at the end of a tail that do not belong to a frame, left by an interrupted write.
    case tornTail(byteCount: Int)
    /// A frame that does not continue the frame before it.
    case unjoined
    /// Events that no file contains.
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
