package import Bytes
package import Platform

/// The place of a sealed store in a folder.
package struct StoreAddress: Hashable, Sendable {
  /// The folder, which may contain several stores.
  package var folder: Path
  /// The random id of the store, which names its directory in the folder.
  package var store: UniqueID

  package init(folder: Path, store: UniqueID) { (self.folder, self.store) = (folder, store) }

  /// The directory with the objects.
  package var location: Path { folder / store.hex }
}
