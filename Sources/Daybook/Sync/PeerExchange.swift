import Bytes
import Domain
import Journaling
import Platform
import Syncing

/// Exchanges events with a peer of any kind, without folding what has arrived.
struct PeerExchange {
  let store: LogStore
  let localDevice: LocalDevice
  let storeKeys: StoreKeyKeeper
  let replica: SyncReplica

  init(_ storeKeys: StoreKeyKeeper, _ replica: SyncReplica) {
    (store, localDevice) = (replica.store, replica.localDevice)
    (self.storeKeys, self.replica) = (storeKeys, replica)
  }

  /// Exchanges events with a peer.
  ///
  /// While a device joins, `chosen` is the book to use in a folder.
  func run(
    with peer: PeerAddress, joining chosen: UniqueID? = nil, pin: Pin? = nil,
    proving proof: Proof? = nil, asked: () -> Void = {}
  ) throws(DaybookError) -> SyncOutcome {
    if let machine = peer.machine {
      return try run(with: machine, pin, proving: proof, asked: asked)
    }
    if case .store(let address) = peer {
      return try SealedExchange(replica: replica, storeKeys: storeKeys, address: address).run()
    }
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      switch peer {
      case .file(let path): try SyncOutcome(reading: path, into: replica)
      case .directory(let path): try SyncOutcome(in: path, with: replica, joining: chosen)
      case .store, .tcp, .ssh: preconditionFailure("stores and machines are handled above")
      }
    }
  }

  private func run(
    with machine: MachineAddress, _ pin: Pin?, proving proof: Proof?, asked: () -> Void
  ) throws(DaybookError) -> SyncOutcome {
    let (identity, allowedPeers) = (
      try localDevice.identity, try replica.peerAllowList.allowedPeers()
    )
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try SyncOutcome(
        dialling: machine, for: replica, as: identity, proving: proof, asked: asked
      ) {
        key in
        allowedPeers.admits(key, pinned: pin)
      }
    }
  }

  /// Whether a folder has nothing of any book now.
  func isEmptied(_ peer: PeerAddress) throws(DaybookError) -> Bool {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      switch peer {
      case .directory(let folder):
        try DirectoryPeer(at: folder, on: store.machine).books().isEmpty
      case .store(let address):
        try !SealedPeer(at: address, of: store.file.book, on: store.machine).isThere()
      case .file, .tcp, .ssh: false
      }
    }
  }

  /// The sealed store of this book in a folder, if the folder is one; otherwise the address itself.
  ///
  /// - Throws: ``SyncError/isSealed(_:)`` if the folder has only stores that this device cannot open. Plain files beside
  ///   them could be those of a book that its devices keep sealed.
  func resolved(
    _ peer: PeerAddress, knowing contacts: ContactBook
  ) throws(DaybookError) -> PeerAddress {
    guard case .directory(let folder) = peer else { return peer }
    // A damaged list of peers is reported when it is needed.
    let known = (try? contacts.contacts())?.compactMap(\.address).first { address in
      if case .store(let store) = address { store.folder == folder } else { false }
    }
    if let known { return known }
    let sealed = try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedFolder(folder, besides: store.file.book, on: store.machine)
    }
    guard !sealed.isEmpty else { return peer }
    if let own = try storeKeys.store(in: sealed) { return .store(own) }
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: store.machine).books()
    }
    guard books.contains(store.file.book) else { throw .sync(.isSealed(folder)) }
    return peer
  }
}
