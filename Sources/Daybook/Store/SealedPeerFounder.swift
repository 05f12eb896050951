import Bytes
import Platform
package import Syncing

/// Finds or begins the sealed store of a book in a folder or bucket.
package struct SealedPeerFounder {
  private let store: LogStore
  private let settler: SyncSettler
  private let exchange: PeerExchange
  private let contactBook: ContactBook

  package init(_ replicator: Replicator) {
    (store, settler) = (replicator.store, replicator.settler)
    (exchange, contactBook) = (replicator.exchange, replicator.contactBook)
  }

  package struct Founded: Sendable {
    /// Whether the store is now remembered as a peer; if not, the store would be new, and this device cannot put a key
    /// there.
    package let isRemembered: Bool
    /// Whether the store did not exist before.
    package let isNew: Bool
    package let problems: [SyncProblem]
  }

  /// Remembers the sealed store of this book at a place as a peer; begins one if there is none.
  ///
  /// The store receives the keys of this device immediately, so that another device of the book finds it.
  ///
  /// - Parameters:
  ///   - name: The name of the peer.
  ///   - place: The folder or bucket.
  ///   - isForced: Whether to begin a store even if there are stores that this device cannot open.
  /// - Returns: The store.
  /// - Throws: ``DaybookError/plainFolder(_:)`` if the folder contains readable files of this book;
  ///   ``DaybookError/unopenedStores(_:count:)`` if this device cannot open the stores in the place.
  package func add(
    _ name: String, in place: StorePlace, forcing isForced: Bool
  ) throws(DaybookError) -> Founded {
    try settler.prepareToSync()
    let sealed = try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedStores(in: place, besides: store.file.book, on: store.machine)
    }
    if let folder = place.folder { try refusePlain(folder) }
    let own = try sealed.isEmpty ? nil : exchange.storeKeys.store(in: sealed)
    guard own != nil || isForced || sealed.isEmpty else {
      throw .unopenedStores(place.location, count: sealed.count)
    }
    let fresh = UniqueID(store.machine.dice.bytes(16))
    let address = own ?? StoreAddress(in: place, store: fresh, book: store.file.book)
    let (isShared, problems) = try SealedExchange(
      replica: exchange.replica, storeKeys: exchange.storeKeys, address: address
    ).shareKeys()
    // A device that has only its keys left can open the store, but has not yet received its own admission.
    let isRemembered = isShared || own != nil
    if isRemembered { try contactBook.addPeer(name, at: .store(address)) }
    return Founded(isRemembered: isRemembered, isNew: own == nil, problems: problems)
  }

  /// Refuses a folder with readable files of this book, which sealing would not hide.
  private func refusePlain(_ folder: Path) throws(DaybookError) {
    let claims = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: store.machine).claims(of: store.file.book)
    }
    guard claims.isEmpty else { throw .plainFolder(folder) }
  }
}
