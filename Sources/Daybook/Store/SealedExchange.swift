import Bytes
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

  /// Accepts keys, pulls events, shares keys, and pushes events.
  ///
  /// If `emptied` is given, it is the error with which a store that contains no objects is refused.
  func run(refusingEmpty emptied: DaybookError? = nil) throws(DaybookError) -> SyncOutcome {
    let peer = try opened()
    if let emptied {
      let isThere = try wrap(DaybookError.sync) { () throws(SyncError) in try peer.isThere() }
      if !isThere { throw emptied }
    }
    // Even if the exchange fails, the objects that were read until then need not be read again.
    defer { peer.saveMemory() }
    let guest = BookReplica(of: replica, beside: store.machine.beside)
    defer { guest.end() }
    var outcome = try pull(from: peer, into: guest)
    outcome.peerBook = store.file.book
    outcome.knocks = try knockExchange.knocks(at: peer.door, &outcome.problems)
    if let path = peer.readable { outcome.problems.append(.readable(path)) }
    guard let (ring, key) = try share(with: peer, &outcome.problems) else { return outcome }
    let pushed = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.push(from: guest, openedWith: ring, sealingWith: key)
    }
    outcome.takePush(pushed, from: guest)
    if !outcome.wasRefused, let problem = try answer(at: peer.door) {
      outcome.problems.append(problem)
    }
    peer.ringBell()
    return outcome
  }

  private var knockExchange: KnockExchange {
    KnockExchange(
      store: store, localDevice: replica.localDevice,
      identity: StoreIdentity(book: address.book, store: address.store))
  }

  /// Puts the answers to the invitations that have ended.
  private func answer(at door: StoreDoor) throws(DaybookError) -> SyncProblem? {
    try knockExchange.answer(at: door, knowing: try storeKeys.openedKeys())
  }

  /// Makes sure that the store has keys for all devices, and exchanges no events.
  ///
  /// - Returns: Whether the store now has the keys, and the problems.
  func shareKeys() throws(DaybookError) -> (isShared: Bool, problems: [SyncProblem]) {
    let peer = try opened()
    defer { peer.saveMemory() }
    var problems = try takeKeys(from: peer).problems
    let isShared = try share(with: peer, &problems) != nil
    if isShared { peer.ringBell() }
    return (isShared, problems)
  }

  /// Seals again all objects of the store that are not sealed with the key with which this device seals.
  ///
  /// No events are exchanged, so a sync should come first.
  func reseal() throws(DaybookError) -> ResealReport {
    let peer = try opened()
    defer { peer.saveMemory() }
    var problems = try takeKeys(from: peer).problems
    guard let (ring, key) = try share(with: peer, &problems) else {
      return ResealReport(problems: problems)
    }
    var report = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.reseal(openedWith: ring, sealingWith: key)
    }
    report.problems = problems + report.problems
    // Packages may have been put into the store although no object was sealed again.
    peer.ringBell()
    return report
  }

  /// The ids of the keys of this device with which objects are sealed; nil if the store has too many objects.
  func keysInUse() throws(DaybookError) -> Set<UniqueID>? {
    let (peer, ring) = (try opened(), try storeKeys.ring())
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.keysInUse(openedWith: ring)
    }
  }

  /// Removes the packages of keys with which no object is sealed any longer, and returns the ids of these keys.
  func removePackages(of keys: Set<UniqueID>) throws(DaybookError) -> Set<UniqueID> {
    let (peer, ring) = (try opened(), try storeKeys.ring())
    defer { peer.saveMemory() }
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.removePackages(of: keys, knowing: ring)
    }
  }

  private func opened() throws(DaybookError) -> SealedPeer {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedPeer(
        at: address, on: store.machine,
        remembering: store.layout.memory(of: address.location))
    }
  }

  /// Accepts the keys that the store contains for this device.
  private func takeKeys(from peer: SealedPeer) throws(DaybookError) -> PackageReading {
    let (ring, device) = (try storeKeys.ring(), try storeKeys.device())
    let read = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.readPackages(beside: ring, as: device)
    }
    if read.ring != ring {
      try storeKeys.change { ring throws(DaybookError) in
        for package in read.packages.map(\.package) {
          try wrap(DaybookError.storeKey) { () throws(StoreKeyError) in
            _ = try ring.take(package, with: device.agreement, knowing: device.members)
          }
        }
      }
    }
    peer.noteTaken(read.packages)
    return read
  }

  /// Accepts keys, and stores the events that the store contains and the book lacks.
  private func pull(
    from peer: SealedPeer, into guest: BookReplica
  ) throws(DaybookError) -> SyncOutcome {
    var keys = try takeKeys(from: peer)
    var (report, received) = (DirectoryReport(), [UniqueID: UInt64]())
    var (ring, hasNews) = (try storeKeys.ring(), true)
    while hasNews {
      let rejected = keys.keys(only: try storeKeys.rejectedPackagers())
      report = try wrap(DaybookError.sync) { [ring] () throws(SyncError) in
        try peer.pull(into: guest, openedWith: ring, rejecting: rejected)
      }
      received.merge(report.received, uniquingKeysWith: +)
      guard !report.received.isEmpty else { break }
      // The received events may admit devices, whose packages then take effect.
      keys = try takeKeys(from: peer)
      let next = try storeKeys.ring()
      hasNews = next != ring
      ring = next
    }
    var outcome = SyncOutcome()
    (outcome.received, outcome.brought) = (Set(received.keys), guest.brought)
    outcome.problems = keys.problems + report.problems
    return outcome
  }

  /// Shares the keys of this device through the store, together with a new key if none is fit.
  ///
  /// - Returns: The keys, and the key to seal with; the latter is nil if there is none, or if it could not be shared.
  private func share(
    with peer: SealedPeer, _ problems: inout [SyncProblem]
  ) throws(DaybookError) -> (ring: KeyRing, key: StoreKey)? {
    let choice: StoreKeyKeeper.KeyChoice
    do throws(DaybookError) {
      choice = try storeKeys.chooseKey()
    } catch .storeKey(let fault) {
      problems.append(.notSealed(address.location, fault))
      return nil
    }
    let problem = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.shareKeys(of: choice.ring, as: choice.device)
    }
    guard let problem else { return (choice.ring, choice.key) }
    problems.append(problem)
    return nil
  }
}

extension StoreKeyKeeper {
  /// This device, with its current view of the members.
  func device() throws(DaybookError) -> SealingDevice {
    let keys = try ownKeys()
    return SealingDevice(
      signing: keys.signing, agreement: keys.agreement, members: try members())
  }

  /// This device, with what it needs to share its keys with devices that may not know all members.
  private func sharingDevice() throws(DaybookError) -> SealingDevice {
    var device = try device()
    let introducer = try KeyIntroducer(localDevice, trustReader, try shelves.postingOfAllLogs())
    let own = device.signing.publicKey
    device.members.unfamiliar = introducer.unfamiliar(to: device.members.recipients, seenBy: own)
    device.former = introducer.formerKeys(of: own)
    return device
  }

  /// A fit key, its key ring, and this device with the members that it knew when it found the key fit.
  struct KeyChoice {
    let ring: KeyRing
    let key: StoreKey
    let device: SealingDevice
  }

  /// Chooses the key to seal with, or makes a new one if none is fit.
  ///
  /// The choice is valid for the events that the journal now contains. A push that follows must send no other events,
  /// because these may revoke a device that has the key.
  ///
  /// - Throws: ``DaybookError/storeKey(_:)`` if no key is fit and this device cannot make one.
  func chooseKey() throws(DaybookError) -> KeyChoice {
    let fresh = StoreKey(store.machine.dice.bytes(StoreKey.byteCount))
    return try change { ring throws(DaybookError) in
      let device = try sharingDevice()
      if let key = ring.sealingKey(knowing: device.members) {
        return KeyChoice(ring: ring, key: key, device: device)
      }
      try wrap(DaybookError.storeKey) { () throws(StoreKeyError) in
        try ring.make(
          fresh, at: store.folder.now, knowing: device.members, signedBy: device.signing)
      }
      return KeyChoice(ring: ring, key: fresh, device: device)
    }
  }

  /// The store of this book among those in a place; nil if this device can open none.
  func store(in stores: SealedStores) throws(DaybookError) -> StoreAddress? {
    let (ring, device) = (try ring(), try device())
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try stores.store(openedWith: ring, as: device)
    }
  }
}
