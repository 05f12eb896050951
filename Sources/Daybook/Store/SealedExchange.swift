import Crypto
import Journaling
import Platform
import Sealing
import Syncing

/// One exchange of a book with a sealed store.
struct SealedExchange {
  let replica: SyncReplica
  let storeKeys: StoreKeyKeeper
  let address: StoreAddress

  private var store: LogStore { replica.store }

  /// Takes keys, pulls, shares keys and pushes.
  func run() throws(DaybookError) -> SyncOutcome {
    let peer = try opened()
    // If the exchange fails, what was read until then need not be read again.
    defer { peer.saveMemory() }
    let guest = BookReplica(of: replica, beside: store.machine.beside)
    defer { guest.end() }
    var outcome = SyncOutcome()
    outcome.peerBook = store.file.book
    let keys = try pull(from: peer, into: guest, &outcome)
    guard let key = try share(keys, with: peer, &outcome) else { return outcome }
    try push(to: peer, from: guest, sealingWith: key, &outcome)
    peer.ringBell()
    return outcome
  }

  /// Makes sure that the store has keys for all devices, and exchanges no events.
  ///
  /// - Returns: The problems.
  func shareKeys() throws(DaybookError) -> [SyncProblem] {
    let peer = try opened()
    defer { peer.saveMemory() }
    var outcome = SyncOutcome()
    outcome.problems = try takeKeys(from: peer)
    if try share(storeKeys.ring(), with: peer, &outcome) != nil { peer.ringBell() }
    return outcome.problems
  }

  private func opened() throws(DaybookError) -> SealedPeer {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedPeer(
        at: address, of: store.file.book, on: store.machine,
        remembering: store.layout.memory(of: address.location))
    }
  }

  // MARK: Keys

  /// Takes the keys that the store has for this device, and returns the problems with packages.
  private func takeKeys(from peer: SealedPeer) throws(DaybookError) -> [SyncProblem] {
    let (ring, device) = (try storeKeys.ring(), try storeKeys.device())
    let read = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.readPackages(beside: ring, knowing: device.members)
    }
    guard !read.packages.isEmpty else { return read.problems }
    return try storeKeys.change { ring in
      read.problems + peer.take(read.packages, into: &ring, as: device)
    }
  }

  /// Shares the keys of this device through the store, with a new one if none is fit.
  ///
  /// - Returns: The key to seal with; nil if there is none, or if it could not be shared.
  private func share(
    _ keys: KeyRing, with peer: SealedPeer, _ outcome: inout SyncOutcome
  ) throws(DaybookError) -> StoreKey? {
    let device = try storeKeys.device()
    let (ring, key): (KeyRing, StoreKey)
    do throws(DaybookError) {
      (ring, key) = try storeKeys.keyToSealWith(as: device)
    } catch .storeKey(let fault) {
      outcome.problems.append(.notSealed(address.location, fault))
      return nil
    }
    let problem = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.shareKeys(of: ring, as: device)
    }
    guard let problem else { return key }
    outcome.problems.append(problem)
    return nil
  }

  // MARK: Events

  /// Takes keys and stores the events that the store has and the book lacks.
  ///
  /// - Returns: The keys of this device afterwards.
  private func pull(
    from peer: SealedPeer, into guest: BookReplica, _ outcome: inout SyncOutcome
  ) throws(DaybookError) -> KeyRing {
    var keyProblems = try takeKeys(from: peer)
    var report = DirectoryReport()
    var ring: KeyRing
    repeat {
      ring = try storeKeys.ring()
      let (current, received) = (ring, report.received)
      report = try wrap(DaybookError.sync) { () throws(SyncError) in
        try peer.pull(into: guest, openedWith: current)
      }
      report.received.merge(received, uniquingKeysWith: +)
      // What has arrived may admit devices whose packages count now.
      keyProblems = try takeKeys(from: peer)
    } while try storeKeys.ring() != ring
    (outcome.received, outcome.brought) = (Set(report.received.keys), guest.brought)
    outcome.problems = keyProblems + report.problems
    return ring
  }

  private func push(
    to peer: SealedPeer, from guest: BookReplica, sealingWith key: StoreKey,
    _ outcome: inout SyncOutcome
  ) throws(DaybookError) {
    let ring = try storeKeys.ring()
    let pushed = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.push(from: guest, openedWith: ring, sealingWith: key)
    }
    outcome.takePush(pushed, from: guest)
  }
}

extension StoreKeyKeeper {
  /// This device, with what it knows about the members now.
  func device() throws(DaybookError) -> SealingDevice {
    let keys = try ownKeys()
    return SealingDevice(
      signing: keys.signing, agreement: keys.agreement, members: try members())
  }

  /// The key to seal with, which is a new one if none is fit, and all keys.
  ///
  /// - Throws: ``DaybookError/storeKey(_:)`` if none is fit and this device may make none.
  func keyToSealWith(
    as device: SealingDevice
  ) throws(DaybookError) -> (ring: KeyRing, key: StoreKey) {
    let fresh = StoreKey(store.machine.dice.bytes(StoreKey.byteCount))
    return try change { ring throws(DaybookError) in
      if let key = ring.sealingKey(knowing: device.members) { return (ring, key) }
      try wrap(DaybookError.storeKey) { () throws(StoreKeyError) in
        try ring.make(
          fresh, at: store.folder.now, knowing: device.members, signedBy: device.signing)
      }
      return (ring, fresh)
    }
  }

  /// The store of this book among those in a folder; nil if this device can open none.
  func store(in folder: SealedFolder) throws(DaybookError) -> StoreAddress? {
    let (ring, device) = (try ring(), try device())
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try folder.store(openedWith: ring, as: device)
    }
  }
}
