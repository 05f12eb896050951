package import Bytes
package import Platform
package import S3

/// The place of a book's sealed store.
package struct StoreAddress: Hashable, Sendable {
  /// The folder or bucket that contains the store, and possibly other stores.
  package var place: StorePlace
  /// The random id of the store, which is the name of its directory in the folder or bucket.
  package var store: UniqueID
  /// The book whose events the store contains.
  package var book: UniqueID

  package init(in place: StorePlace, store: UniqueID, book: UniqueID) {
    (self.place, self.store, self.book) = (place, store, book)
  }

  /// Creates the address of a store in a folder.
  package init(folder: Path, store: UniqueID, book: UniqueID) {
    self.init(in: .folder(folder), store: store, book: book)
  }

  /// The location of the store, by which a device remembers it.
  ///
  /// Some file systems write the directory's name in capitals, but the location always contains it in lower case.
  package var location: Path { place.location / store.hex }
}

/// A place that may contain sealed stores.
package enum StorePlace: Hashable, Sendable {
  case folder(Path)
  /// A bucket of object storage, or a part of it.
  case bucket(BucketAddress)

  /// The folder; nil for a bucket.
  package var folder: Path? { if case .folder(let path) = self { path } else { nil } }

  /// The location as messages show it.
  package var location: Path {
    switch self {
    case .folder(let path): path
    case .bucket(let address): Path(tidy: address.text)
    }
  }

  /// A name for a peer at this place.
  package var name: String {
    switch self {
    case .folder(let path): path.name
    case .bucket(let address): address.prefix.isEmpty ? address.bucket : location.name
    }
  }
}
