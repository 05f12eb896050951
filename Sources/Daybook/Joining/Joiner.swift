import Bytes
import Crypto
import Journaling
import Platform
import Syncing

/// Makes the book part of another book.
struct Joiner {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList
  let shelves: ShelfKeeper
  let service: ServiceFile

  func holdsBeginning(of book: UniqueID) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      for log in Set(store.journal.logs.keys).union(store.journal.aside.keys) {
        if try store.journal.hash(of: log, at: 1).map(UniqueID.book) == book { return true }
      }
      return false
    }
  }

  /// Adopts the id and the trust of another book.
  ///
  /// The former id is kept in `formerly`. The shelves are settled again, and the projection is rebuilt.
  func become(_ book: UniqueID) throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in
      guard store.file.book != book else { return }
      if store.file.book != .none,
        !store.file.formerly.contains(store.file.book)
      {
        store.folder.file.formerly.append(store.file.book)
      }
      store.folder.file.book = book
      store.folder.file.isJoining = false
      try store.folder.saveFile()
    }
    try shelves.settleShelves()
    try projector.rebuild()
  }

  /// Gives this device a name that no other device has, unless it already has a log.
  func takeFreeName() throws(DaybookError) {
    guard try localDevice.lastOwnLog == nil else { return }
    let taken = Set(try deviceList.devicesWithoutClocks().map(\.name))
    guard taken.contains(store.file.device) else { return }
    store.folder.file.device = store.file.device.made(freeFrom: taken)
    try store.folder.saveFile()
  }

  /// Whether a key is known in this book; if so, an invitation by its holder is an invitation to this book.
  func knows(_ key: PublicKey) throws(DaybookError) -> Bool {
    try projector.trust().knownKeys
      .contains(key)
  }

  /// Prepares the key and the proof with which this device answers an invitation.
  ///
  /// Ensures that this device has a log by which other devices can identify it. If `vouching` is set, the log also
  /// admits the other devices of the book.
  func prepareProof(
    for invitation: Invitation, vouching: Bool
  ) throws(DaybookError) -> (key: PublicKey, proof: Proof) {
    let (key, port) = try access.withLock { () throws(DaybookError) in
      (try beginLog(vouching: vouching), try portToTell(invitation.address.endpoint))
    }
    let code = Invitation.proof(
      secret: invitation.secret, inviter: invitation.key, joiner: key)
    let proof = Proof(
      code: code, name: nameToTell, port: port, secretName: Invitation.name(of: invitation.secret))
    return (key, proof)
  }

  /// Prepares this device to knock at a store, as for an invitation to a machine.
  func prepareKnock(vouching: Bool) throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in _ = try beginLog(vouching: vouching) }
  }

  /// The name of this device, as it fits into a proof or a knock.
  var nameToTell: String { store.file.device.asProofName }

  /// Ensures that this device has a log, and returns its key; the caller holds the lock.
  private func beginLog(vouching: Bool) throws(DaybookError) -> PublicKey {
    let key = try writer.ownKey()
    if vouching { try vouchForOthers() }
    try wrap(DaybookError.journal) { () throws(JournalError) in try store.settleJournal() }
    return key
  }

  /// The port at which this machine serves the book; nil if there is none that the inviter can reach.
  private func portToTell(_ inviter: Endpoint?) throws(DaybookError) -> UInt16? {
    // Over ssh, the inviter does not see the address of this machine.
    guard let inviter, let own = try service.served(), !own.isLoopback || inviter.isLoopback else {
      return nil
    }
    return own.port
  }

  /// Admits the trusted devices of this book in this device's own log, so that a book that trusts this device also
  /// trusts them.
  ///
  /// Does nothing if this device itself is not trusted.
  private func vouchForOthers() throws(DaybookError) {
    var posting = try projector.posting()
    let roster = Roster(try trustReader.trust(by: posting.ledger), by: posting.ledger)
    let trust = roster.trust
    guard try deviceList.isTrusted(by: trust), let own = try localDevice.ownLog else { return }
    var vouched: Set<[UInt8]> = []
    for event in posting.ledger.trustEvents where trust.keys[event.log] == trust.keys[own] {
      if case .admit(let key, _, _, _) = event.verb { vouched.insert(key.bytes) }
    }
    var verbs: [TrustVerb] = []
    for device in try deviceList.devicesWithoutClocks(by: roster)
    where device.isTrusted && !device.isThis {
      let key = try deviceList.publicKey(of: device)
      guard key != trust.keys[own], vouched.insert(device.key).inserted else { continue }
      verbs.append(.admit(key, name: device.name))
    }
    _ = try writer.append([], trusting: verbs, knowing: &posting)
  }

  /// Adopts the name under which this device was admitted, for its next log.
  func takeGivenName() throws(DaybookError) {
    guard let name = try deviceList.devicesWithoutClocks().first(where: \.isThis)?.name,
      name != store.file.device
    else { return }
    try access.withLock { () throws(DaybookError) in
      store.folder.file.device = name
      try store.folder.saveFile()
    }
  }

  /// Receives the logs of another book and joins that book; if this fails, removes the logs.
  ///
  /// The logs are kept if the connection failed or the peer refused, because the next attempt continues from them. The
  /// logs are also kept if the book had joined before the failure.
  func joining(_ join: () throws(DaybookError) -> SyncOutcome) throws(DaybookError) -> SyncOutcome {
    let former = store.file.book
    let before = try logNames()
    store.folder.isJoining = true
    defer { store.folder.isJoining = false }
    do throws(DaybookError) { return try join() } catch {
      guard !error.isOfTheLine else { throw error }
      try store.folder.reloadFile()
      // Once the book has joined, it needs the logs.
      if store.file.book != former {
        throw error.diskFault == nil ? error : .storedBefore(.joining, error)
      }
      let cause = error
      do throws(DaybookError) { try removeLogs(besides: before) } catch {
        throw .storedBefore(.arrivals, cause)
      }
      throw cause
    }
  }

  /// Completes a join; a disk error in this step is reported together with the fact that the book has joined.
  func tellingThatItJoined<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    do throws(DaybookError) { return try body() } catch {
      throw error.diskFault == nil ? error : .storedBefore(.joining, error)
    }
  }

  private func logNames() throws(DaybookError) -> Set<String> {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      let folder = store.layout.logs
      guard try store.machine.disk.status(folder) != nil else { return [] }
      return Set(try store.machine.disk.list(folder))
    }
  }

  /// Removes the other book's logs that were not already here.
  private func removeLogs(besides names: Set<String>) throws(DaybookError) {
    let new = try logNames().subtracting(names)
    if new.isEmpty { return }
    try access.withLock { () throws(DaybookError) in
      // Another process may have received a log of this book in the meantime, and the sender assumes that it is stored.
      let known = try projector.trust().known
      let keys = try wrap(DaybookError.disk) { () throws(DiskError) in
        Set(
          try store.machine.disk.list(store.layout.keys).compactMap(
            Layout.replica(ofKey:)))
      }
      let disk = store.machine.disk
      try wrap(DaybookError.disk) { () throws(DiskError) in
        let logs = store.layout.logs
        for name in new.sorted() {
          // A log that this device has begun in the meantime is not part of the other book.
          guard let log = UniqueID(hex: name), !keys.contains(log), !known.contains(log),
            !store.file.writers.values.contains(log)
          else { continue }
          // The last file is removed first, so that an interruption leaves a log that ends earlier.
          for file in try disk.list(logs / name).sorted().reversed() {
            try disk.remove(logs / name / file)
          }
          try disk.removeDirectory(logs / name)
        }
        try disk.flushDirectory(logs)
      }
      try store.reloadJournal()
    }
  }
}

extension DaybookError {
  /// Whether the next attempt continues from the logs that have arrived.
  fileprivate var isOfTheLine: Bool {
    switch self {
    case .sync(.network), .sync(.ssh), .sync(.cut), .sync(.tooSlow), .sync(.refused), .network: true
    default: false
    }
  }
}

extension String {
  /// The part of a name that fits into a proof, without control characters; "device" if that is empty.
  fileprivate var asProofName: String {
    var name = ""
    for letter in self where letter.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
      guard name.utf8.count + letter.utf8.count <= Limit.proofNameBytes else { break }
      name.append(letter)
    }
    return name.isEmpty ? "device" : name
  }
}

extension Device {
  /// Whether the device's events count.
  fileprivate var isTrusted: Bool { standing == .founder || standing == .admitted }
}
