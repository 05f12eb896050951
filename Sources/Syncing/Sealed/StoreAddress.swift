package import Bytes
package import Platform

/// The place of a book's sealed store in a folder.
package struct StoreAddress: Hashable, Sendable {
  /// The folder, which may contain several stores.
  package var folder: Path
  /// The random id of the store, which names its directory in the folder.
  package var store: UniqueID
  /// The book whose events the store has.
  package var book: UniqueID

  package init(folder: Path, store: UniqueID, book: UniqueID) {
    (self.folder, self.store, self.book) = (folder, store, book)
  }

  /// The location of the store, by which a device remembers it.
  ///
  /// Some file systems write the name in capitals.
  package var location: Path { folder / store.hex }
}
