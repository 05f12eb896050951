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
  let storeDesk: StoreDesk

  init(_ storeKeys: StoreKeyKeeper, _ replica: SyncReplica, _ storeDesk: StoreDesk) {
    (store, localDevice) = (replica.store, replica.localDevice)
    (self.storeKeys, self.replica, self.storeDesk) = (storeKeys, replica, storeDesk)
  }

  /// Exchanges events with a peer.
  ///
  /// While a device joins, `chosen` is the book to use in a folder. If `emptied` is given, it is the error for a folder
  /// that no longer contains anything of any book, or for a store that no longer contains anything at all.
  func run(
    with peer: PeerAddress, joining chosen: UniqueID? = nil, pin: Pin? = nil,
    proving proof: Proof? = nil, refusingEmpty emptied: DaybookError? = nil,
    asked: () -> Void = {}
  ) throws(DaybookError) -> SyncOutcome {
    if let machine = peer.machine {
      return try run(with: machine, pin, proving: proof, asked: asked)
    }
    if case .store(let address) = peer {
      // A bucket cannot be a disk that is not mounted, so a bucket that was emptied is filled again.
      return try SealedExchange(replica: replica, storeKeys: storeKeys, address: address)
        .run(refusingEmpty: address.place.folder == nil ? nil : emptied)
    }
    if let emptied, case .directory(let folder) = peer, try isEmpty(folder) { throw emptied }
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
    if let endpoint = machine.endpoint { try refuseOwn(endpoint, typed: machine) }
    let (identity, allowedPeers) = (
      try localDevice.identity, try replica.peerAllowList.allowedPeers()
    )
    let outcome = try wrap(DaybookError.sync) { () throws(SyncError) in
      try SyncOutcome(
        dialling: machine, for: replica, as: identity, proving: proof, asked: asked
      ) {
        key in
        allowedPeers.admits(key, pinned: pin)
      }
    }
    // The name of a host may turn out to be a name of this machine.
    if let reached = outcome.lineUse?.reached { try refuseOwn(reached, typed: machine) }
    return outcome
  }

  private func refuseOwn(
    _ endpoint: Endpoint, typed machine: MachineAddress
  ) throws(DaybookError) {
    guard ServiceFile(folder: store.folder).isOwn(endpoint) else { return }
    throw .sync(.ownAddress(machine.text))
  }

  private func isEmpty(_ folder: Path) throws(DaybookError) -> Bool {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: store.machine).books().isEmpty
    }
  }

  /// The address at which to sync with a peer; for a folder that contains a sealed store of this book, this is the
  /// store.
  ///
  /// The store is remembered, so that a sync never writes readable files into the folder. Two devices may each have begun
  /// a store before the other's files arrived. In that case, both devices use the store with the lower id from now on.
  ///
  /// - Throws: The errors of ``discovered(in:)``, because plain files next to stores that this device cannot open might
  ///   disclose a book that its devices keep sealed.
  func resolved(
    _ peer: PeerAddress, knowing contacts: ContactBook
  ) throws(DaybookError) -> PeerAddress {
    if case .store(let address) = peer, address.place.folder == nil {
      return try .store(lowest(address, remembering: contacts))
    }
    guard peer.memoryLocation != nil, let folder = peer.path else { return peer }
    // A damaged list of peers is reported when it is needed.
    let known = (try? contacts.contacts())?.compactMap(\.address).first { $0.isSame(as: peer) }
    if case .store(let address) = known ?? peer {
      return try .store(lowest(address, remembering: contacts))
    }
    let found = try discovered(in: folder) ?? peer
    if case .store(let address) = found { try contacts.seal(address) }
    return found
  }

  /// The sealed store of this book in a folder; nil if the folder contains no stores, or only stores that this device
  /// cannot open next to readable files of this book.
  ///
  /// - Throws: ``SyncError/isSealed(_:)`` if there are only stores that this device cannot open.
  func discovered(in folder: Path) throws(DaybookError) -> PeerAddress? {
    let sealed = try stores(in: .folder(folder))
    guard !sealed.isEmpty else { return nil }
    if let own = try storeKeys.store(in: sealed) { return .store(own) }
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: store.machine).books()
    }
    guard books.contains(store.file.book) else { throw .sync(.isSealed(folder)) }
    return nil
  }

  /// The store with the lowest id among the given store and this book's other stores in the same place.
  private func lowest(
    _ address: StoreAddress, remembering contacts: ContactBook
  ) throws(DaybookError) -> StoreAddress {
    guard address.book == store.file.book else { throw .formerStore(address.place.location) }
    let sealed = try stores(in: address.place, below: address.store)
    guard let own = try storeKeys.store(in: sealed) else { return address }
    try contacts.seal(own)
    return own
  }

  private func stores(
    in place: StorePlace, below limit: UniqueID? = nil
  ) throws(DaybookError) -> SealedStores {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedStores(in: place, besides: store.file.book, below: limit, on: store.machine)
    }
  }
}
