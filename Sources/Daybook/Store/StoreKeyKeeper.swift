import Bytes
package import Crypto
import Journaling
import Platform
package import Sealing

/// Keeps the keys of sealed stores, and determines what this device knows about the devices that may have them.
package struct StoreKeyKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let shelves: ShelfKeeper
  let deviceList: DeviceList

  private var file: StoreKeyFile { StoreKeyFile(store: store) }

  /// The store keys of this device.
  package func ring() throws(DaybookError) -> KeyRing { try file.ring() }

  /// Changes the store keys of this device, after reading the changes of other processes.
  ///
  /// Nothing is written if nothing changes, or if the function throws. When this call returns, the keys are durable, so
  /// that objects can be sealed with them.
  ///
  /// - Parameter body: The function that changes the keys.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or ``DaybookError`` if the keys cannot be read or written.
  package func change<Value>(
    _ body: (inout KeyRing) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try store.withFolderLock { isNew throws(DaybookError) in
      // The id of the book and the revocations must be current.
      if isNew { try store.reloadJournal() }
      let before = try file.ring()
      var ring = before
      let value = try body(&ring)
      if ring != before { try file.write(ring) }
      return value
    }
  }

  /// Makes a new key, so that the next sync seals with it.
  ///
  /// - Returns: The key, as in ``listedKeys()``.
  /// - Throws: ``DaybookError/storeKey(_:)`` if this device cannot make a key, or another ``DaybookError``.
  package func rotate() throws(DaybookError) -> ListedStoreKey {
    let made = StoreKey(store.machine.dice.bytes(StoreKey.byteCount))
    return try change { ring throws(DaybookError) in
      let (signer, members) = (try ownKeys().signing, try members())
      // The sync makes the missing packages for all keys.
      try wrap(DaybookError.storeKey) { () throws(StoreKeyError) in
        try ring.make(made, at: store.folder.now, knowing: members, signedBy: signer)
      }
      guard let listed = try list(ring, members).first(where: { $0.id == made.id }) else {
        preconditionFailure("a key that was made is in the ring")
      }
      return listed
    }
  }
}

// MARK: - Members

extension StoreKeyKeeper {
  /// The keys of this device: the signing key under which it makes keys, and the agreement key with which it opens
  /// packages.
  package func ownKeys() throws(DaybookError) -> DeviceKeys { try localDevice.shownKeys() }

  /// The state of the devices of the book, according to all events that are held now.
  ///
  /// A device must seal only with a key whose maker had seen every revocation that the device holds. Therefore, the
  /// result also covers events that other processes have received, and logs that are set aside although their devices
  /// are known by now.
  package func members() throws(DaybookError) -> MemberKeys {
    try store.lookAgain()
    let ledger = try shelves.ledgerOfAllLogs()
    let trust = try trustReader.trust(by: ledger)
    var recipients = Set(ledger.trustEvents.compactMap(KeyRecipient.init(opening:)))
    if let own = ownRecipient { recipients.insert(own) }
    // A device that was admitted through a store needs its keys before its log arrives.
    let invitations = try StoreInvitationFile(store: store).read()
    recipients.formUnion(invitations.entries.compactMap(\.recipient))
    return MemberKeys(
      admitted: trust.admittedKeys, revoked: trust.revokedKeys, recipients: recipients.sorted())
  }

  /// The signing keys of the devices whose logs have arrived.
  func openedKeys() throws(DaybookError) -> Set<PublicKey> {
    Set(
      try shelves.ledgerOfAllLogs().trustEvents.compactMap { event in
        guard event.sequence == 1, case .open(let opening) = event.verb else { return nil }
        return opening.publicKey
      })
  }

  /// The devices from which this device will accept no key unless a member admits them: those that were revoked without
  /// ever being admitted, and those that a revoked device let in.
  package func rejectedPackagers() throws(DaybookError) -> Set<PublicKey> {
    let trust = try trustReader.trust(by: try shelves.ledgerOfAllLogs())
    return trust.revokedKeys.subtracting(trust.admittedKeys).union(trust.sponsors.keys)
  }

  /// This device, which has no log before its first event; nil if it has no usable key.
  private var ownRecipient: KeyRecipient? {
    // Another check reports a key that cannot be read. Without its key, this device cannot make store keys or open
    // packages.
    guard let keys = (try? localDevice.storedKeys()) ?? nil else { return nil }
    return try? KeyRecipient(
      signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
  }
}

// MARK: - List

extension StoreKeyKeeper {
  /// The reason why this device cannot make a key now; nil if it can.
  package func obstacle() throws(DaybookError) -> StoreKeyObstacle? {
    let members = try members()
    guard let own = ownRecipient?.signing, members.admitted.contains(own) else {
      return .notAdmitted
    }
    if members.revoked.contains(own) { return .revoked }
    let count = members.revoked.count
    return count > KeyOrigin.revokedLimit ? .tooManyRevoked(count) : nil
  }

  /// The store keys of this device, latest first.
  package func listedKeys() throws(DaybookError) -> [ListedStoreKey] {
    let ring = try ring()
    return ring.keys.isEmpty ? [] : try list(ring, try members())
  }

  private func list(
    _ ring: KeyRing, _ members: MemberKeys
  ) throws(DaybookError) -> [ListedStoreKey] {
    let used = ring.sealingKey(knowing: members)?.id
    let names = Dictionary(
      try deviceList.devicesWithoutClocks().map { ($0.key, $0.withoutPart.listedName) }
    ) {
      name, _ in name
    }
    return ring.keys.reversed().map { held in
      let maker = held.origin.maker
      return ListedStoreKey(
        id: held.key.id, made: held.origin.time, makerName: names[maker.bytes],
        makerWords: maker.fingerprint,
        state: held.key.id == used ? .used : held.origin.state(knowing: members))
    }
  }
}

extension KeyOrigin {
  fileprivate func state(knowing members: MemberKeys) -> ListedStoreKey.State {
    if members.revoked.contains(maker) { return .old(.makerRevoked) }
    if !members.admitted.contains(maker) { return .old(.makerUnknown) }
    return isFit(knowing: members) ? .fit : .old(.laterRevocation)
  }
}

extension KeyRecipient {
  /// The device that begins a log; nil for other events.
  ///
  /// Only the first event of a log is proof of its device. A later `open` event could name the key of another device
  /// together with an agreement key of the author.
  fileprivate init?(opening event: TrustEvent) {
    guard event.sequence == 1, case .open(let opening) = event.verb else { return nil }
    do throws(CryptoError) {
      try self.init(signing: opening.publicKey, agreement: opening.agreement)
    } catch {
      return nil
    }
  }
}

extension Set<KeyRecipient> {
  fileprivate func sorted() -> [KeyRecipient] {
    sorted { left, right in
      left.signing == right.signing
        ? left.agreement.lexicographicallyPrecedes(right.agreement) : left.signing < right.signing
    }
  }
}
