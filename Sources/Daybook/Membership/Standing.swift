/// The standing of this device in the book.
package enum Standing: Hashable, Sendable {
  /// The event that founded the book is missing here, so it is not known who may write.
  case beginningMissing
  /// The device has written nothing yet, so there is nothing to admit.
  case unknown
  case admitted
  /// No member has admitted the device.
  case waiting
  /// The key of the device was revoked permanently.
  case revoked(Removal)

  /// A revocation: its author, its time by the author's clock, and the number of events that it cut off.
  package struct Removal: Hashable, Sendable {
    package var author: String
    /// The time of the revocation; nil if the event can no longer be read.
    package var time: Int64?
    /// The number of the device's events that have no effect.
    package var cut: UInt64

    package init(author: String, time: Int64?, cut: UInt64) {
      (self.author, self.time, self.cut) = (author, time, cut)
    }
  }
}
