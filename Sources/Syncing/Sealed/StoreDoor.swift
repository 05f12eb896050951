package import Bytes
package import Platform
import Sealing

/// The knocks and answers in a store, by which devices join the book.
package struct StoreDoor {
  private let bucket: any Bucket

  init(_ bucket: any Bucket) { self.bucket = bucket }

  /// Reads a knock or an answer.
  ///
  /// - Parameter id: The id in its name.
  /// - Returns: The bytes; nil if the store lists no such object, or the object is gone by now.
  /// - Throws: ``SyncError`` if the store cannot be read.
  package func read(_ id: UniqueID) throws(SyncError) -> [UInt8]? {
    for name in try names(of: id) {
      if case .found(let bytes) = try bucket.get(name, limit: KnockSecret.objectBytes) {
        return bytes
      }
    }
    return nil
  }

  /// Puts a knock or an answer, unless the store already contains the same bytes.
  package func put(_ bytes: [UInt8], as id: UniqueID) throws(SyncError) {
    if try read(id) == bytes { return }
    try bucket.prepare()
    try bucket.put(bytes, as: ObjectName.knock(id).text)
  }

  /// Removes a knock or an answer, if it is there.
  package func remove(_ id: UniqueID) throws(SyncError) {
    for name in try names(of: id) { try bucket.delete(name) }
  }

  /// The location of an object, to be shown to the user.
  package func location(of id: UniqueID) -> Path {
    bucket.path(of: ObjectName.knock(id).text)
  }

  /// The problem that corresponds to an error of ``put(_:as:)`` or ``remove(_:)``; nil if reading may fail as well.
  package func refusal(for error: SyncError) -> SyncProblem? { bucket.refusal(for: error)?.problem }

  /// The names under which the store lists an object, in capitals if its file system has only those.
  private func names(of id: UniqueID) throws(SyncError) -> [String] {
    let text = ObjectName.knock(id).text
    return try bucket.list()?.map(\.name).filter { $0.lowercased() == text } ?? [text]
  }
}
