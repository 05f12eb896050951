import Bytes
import Crypto
import Platform
import Sealing
import Syncing

/// Joins the book of an inviter through a sealed store, in steps that can be repeated.
///
/// The device knocks, and then waits until the inviter's device has put keys for it into the store. Keys are accepted
/// only from the inviter, whose key is in the invitation.
struct StoreJoiner {
  private let book: Book
  private let invitation: StoreInvitation
  private let begun: Int64
  private let secret: KnockSecret

  init(_ book: Book, _ pending: PendingStoreJoin) {
    self.book = book
    (invitation, begun) = (pending.invitation, pending.begun)
    secret = invitation.knockSecret
  }

  private var store: LogStore { book.core.store }
  private var file: StoreJoinFile { StoreJoinFile(in: store) }
  private var pending: PendingStoreJoin { PendingStoreJoin(invitation: invitation, begun: begun) }

  /// Does everything that is possible now.
  ///
  /// - Returns: The receipt if the book has joined; nil if this device has to wait for the inviter.
  /// - Throws: ``DaybookError/storeJoin(_:)`` if the join has ended without success, or another ``DaybookError``, after
  ///   which the step can be repeated.
  func advance() throws(DaybookError) -> Receipt? {
    let keys = try book.core.localDevice.shownKeys()
    let peer = try opened()
    guard try wrap(DaybookError.sync, { () throws(SyncError) in try peer.isThere() }) else {
      throw .storeJoin(.noStore(invitation.address.place.location))
    }
    let inviter = MemberKeys(admitted: [invitation.key], revoked: [])
    let device = SealingDevice(
      signing: keys.signing, agreement: keys.agreement, members: inviter)
    // Keys from an earlier membership do not count, because only the inviter's packages show that it has answered.
    let read = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.readPackages(beside: KeyRing(book: invitation.address.book), as: device)
    }
    // A device that was in the book before may still find keys that were made for it then.
    let isAnswer = !read.packages.isEmpty && store.file.book != invitation.address.book
    if !isAnswer {
      guard try isAdmitted(keys, at: peer.door), !read.packages.isEmpty else { return nil }
    }
    var ring = try StoreKeyFile(store: store, of: invitation.address.book).ring()
    try wrap(DaybookError.storeKey) { () throws(StoreKeyError) in
      for opened in read.packages {
        _ = try ring.take(opened.package, with: keys.agreement, knowing: inviter)
      }
    }
    return try finish(through: peer, openedWith: ring)
  }

  private func opened() throws(DaybookError) -> SealedPeer {
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedPeer(at: invitation.address, on: store.machine)
    }
  }

  // MARK: Knocking

  /// Makes sure that the knock is in the store, unless the invitation has ended.
  ///
  /// - Returns: Whether the inviter has answered that the device is admitted. Its keys may still be on their way, because
  ///   a program can copy the objects of a folder in any order.
  private func isAdmitted(_ keys: DeviceKeys, at door: StoreDoor) throws(DaybookError) -> Bool {
    let own = keys.signing.publicKey
    let (answer, present) = try wrap(DaybookError.sync) { () throws(SyncError) in
      (try door.read(secret.id(of: .answer)), try door.read(secret.id(of: .knock)))
    }
    let knocked = present.flatMap { try? Knock(opening: $0, with: secret) }
    // An answer that does not open was changed or replaced, so it says nothing.
    if let answer = answer.flatMap({ try? KnockAnswer(opening: $0, with: secret) }) {
      guard answer.outcome == KnockAnswer.admitted else {
        throw try ended(.refused(answer.outcome))
      }
      if answer.key != own { throw try ended(.used) }
      return true
    }
    if let knocked, knocked.joiner.signing != own { throw try ended(.used) }
    if pending.isOver(at: store.folder.now) {
      if knocked != nil { try? door.remove(secret.id(of: .knock)) }
      throw try ended(.unanswered)
    }
    if knocked != nil { return false }
    let knock = try wrap({ [layout = store.layout] in DaybookError.keys(layout.keys, $0) }) {
      () throws(CryptoError) in
      try Knock(by: keys, called: book.joiner.nameToTell, with: secret)
    }
    try wrap(DaybookError.sync) { () throws(SyncError) in
      try door.put(knock.sealed(with: secret), as: secret.id(of: .knock))
    }
    return false
  }

  /// Ends the join, and returns the error that states why.
  private func ended(_ fault: StoreJoinFault) throws(DaybookError) -> DaybookError {
    try file.remove()
    return .storeJoin(fault)
  }

  // MARK: Joining

  /// Receives the book, joins it, and syncs with the store as a device of the book.
  private func finish(
    through peer: SealedPeer, openedWith ring: KeyRing
  ) throws(DaybookError) -> Receipt {
    let address = invitation.address
    let before = try book.holdingsReader.holdings()
    var outcome = try book.joiner.joining { () throws(DaybookError) in
      let outcome = try pull(from: peer, openedWith: ring)
      guard try book.joiner.holdsBeginning(of: address.book) else {
        throw .beginningNotThere(outcome.problems)
      }
      // The keys come first, so that a device that has joined never lacks them.
      try StoreKeyFile(store: store, of: address.book).write(ring)
      try book.joiner.become(address.book)
      return outcome
    }
    return try book.joiner.tellingThatItJoined { () throws(DaybookError) in
      _ = try book.contactBook.meet(.store(address), called: address.place.name)
      try book.settler.settleAfterSync()
      try book.admin.allowWhatWasJoined()
      try book.joiner.takeGivenName()
      try book.settler.prepareToSync()
      outcome.add(try book.replicator.exchange.run(with: .store(address)))
      try book.settler.settleAfterSync()
      try file.remove()
      return try book.receipts.receipt(outcome, since: before)
    }
  }

  private func pull(
    from peer: SealedPeer, openedWith ring: KeyRing
  ) throws(DaybookError) -> SyncOutcome {
    let guest = BookReplica(of: book.replica, beside: store.machine.beside)
    defer { guest.end() }
    let report = try wrap(DaybookError.sync) { () throws(SyncError) in
      try peer.pull(into: guest, openedWith: ring)
    }
    var outcome = SyncOutcome()
    (outcome.received, outcome.brought) = (Set(report.received.keys), guest.brought)
    (outcome.problems, outcome.peerBook) = (report.problems, invitation.address.book)
    return outcome
  }
}
