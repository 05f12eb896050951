/// How this device stands in the book.
package enum Standing: Hashable, Sendable {
  /// The event that began the book is missing here, so nothing tells who may write.
  case beginningMissing
  /// It has written nothing here yet, so there is nothing to admit.
  case unknown
  case admitted
  /// Nobody has admitted it.
  case waiting
  /// Its key was taken out of the book, for good.
  case revoked(Removal)

  /// Who took a device out of a book, and when by that one's clock.
  package struct Removal: Hashable, Sendable {
    package var author: String
    /// Nil where the event cannot be read any more.
    package var time: Int64?
    /// The events of the device's that do not count.
    package var cut: UInt64

    package init(author: String, time: Int64?, cut: UInt64) {
      (self.author, self.time, self.cut) = (author, time, cut)
    }
  }
}
