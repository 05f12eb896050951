package import Platform

/// A fault in the files of a log.
package struct Damage: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Bytes that are no frame; the error is the first one.
    case hole(byteCount: Int, FrameError)
    /// Bytes at the end of a tail that are no frame, from an interrupted write.
    case tornTail(byteCount: Int)
    /// The frame does not continue the frame before it.
    case unjoined
    /// Events that are in no file.
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
