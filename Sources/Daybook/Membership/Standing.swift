/// The standing of this device in the book.
package enum Standing: Hashable, Sendable {
  /// The event that founded the book is missing here, so it is not known who may write.
  case beginningMissing
  /// It has written nothing yet, so there is nothing to admit.
  case unknown
  case admitted
  /// No member has admitted it.
  case waiting
  /// Its key was revoked, permanently.
  case revoked(Removal)

  /// Which device has revoked a device, and when, by its own clock.
  package struct Removal: Hashable, Sendable {
    package var author: String
    /// nil if the event cannot be read any more.
    package var time: Int64?
    /// The number of events of the device that do not count.
    package var cut: UInt64

    package init(author: String, time: Int64?, cut: UInt64) {
      (self.author, self.time, self.cut) = (author, time, cut)
    }
  }
}
