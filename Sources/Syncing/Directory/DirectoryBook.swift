package import Bytes

/// A book whose files are in a directory, as those files describe it.
package struct DirectoryBook: Hashable, Sendable {
  package var id: UniqueID
  /// The name of the device that founded the book; nil if its first event is not in the directory.
  package var founder: String?
  /// The number of devices that have written files.
  package var devices: Int
  package var events: UInt64
  /// The time of the latest write by any device, according to that device's clock; nil if no file can be read.
  package var lastWritten: Int64?

  package init(
    id: UniqueID, founder: String?, devices: Int, events: UInt64, lastWritten: Int64?
  ) {
    (self.id, self.founder) = (id, founder)
    (self.devices, self.events, self.lastWritten) = (devices, events, lastWritten)
  }
}
