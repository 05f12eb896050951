package import Bytes
package import Crypto
import Journaling
package import Platform
package import ReadModel
package import Syncing

/// Creates books in a folder, and joins the books of other devices.
package enum BookFactory {
  /// Opens the book in a folder, or creates one if there is none.
  static func openOrCreate(
    at folder: Path, on machine: Machine, deviceName: String
  ) throws(DaybookError) -> Book {
    do throws(DaybookError) { return try Book(at: folder, on: machine) } catch .noBook {}
    do throws(DaybookError) {
      return try create(at: folder, on: machine, deviceName: deviceName, canReplaceJoin: false)
    } catch .bookExists {
      // Another process has created the book in the meantime.
      return try Book(at: folder, on: machine)
    }
  }

  /// Creates a book in a folder, and writes its first event.
  ///
  /// Creates the folder if it is missing, and completes an interrupted founding.
  ///
  /// - Throws: `DaybookError.bookExists` if the folder already contains a book; `joinBegun` if a join was begun in it
  ///   and `canReplaceJoin` is not set.
  package static func create(
    at folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place? = nil,
    witness: Path? = nil, canReplaceJoin: Bool = true
  ) throws(DaybookError) -> Book {
    let book = try lay(out: folder, on: machine, deviceName: deviceName, view: place)
    if let witness { book.core.localDevice.witness = witness }
    try book.access.withLock { () throws(DaybookError) in
      // Another process may have founded the book after this process opened it.
      guard book.file.book == .none else { throw .bookExists(folder) }
      guard canReplaceJoin || !book.file.isJoining else { throw .joinBegun(folder) }
      let own = try book.ownLogKeeper.ownLogForWriting()
      let first = try wrap(DaybookError.journal) { () throws(JournalError) in
        try book.core.store.journal.hash(of: own, at: 1)
      }
      guard let first else { throw .journal(.damaged(own)) }
      book.core.store.folder.file.book = .book(firstHash: first)
      book.core.store.folder.file.isJoining = false
      try book.core.store.folder.saveFile()
      book.writer.rememberTrust()
    }
    return book
  }

  /// Creates the folder and the files of a book that has no events yet, to be founded or joined.
  static func lay(
    out folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place?,
    joining: Bool = false
  ) throws(DaybookError) -> Book {
    let layout = Layout(folder: folder)
    let disk = machine.disk
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.makeDirectories(folder)
    }
    let status = try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.status(layout.bookFile)
    }
    if status == nil {
      var file = BookFile(book: .none, device: deviceName)
      file.isJoining = joining
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try disk.makeDirectories(layout.keys)
        try disk.replace(layout.bookFile, with: file.bytes)
      }
    }
    // This initializer also opens a book whose founding was interrupted.
    let book = try Book(unfinishedAt: folder, on: machine, view: place)
    guard book.file.book == .none else { throw .bookExists(folder) }
    return book
  }
}

// MARK: - Joining

extension BookFactory {
  /// Joins the book of a peer, in a folder that may already contain a book.
  ///
  /// A book in the folder becomes part of the other book: it adopts the other book's id and keeps all its own events.
  /// These events take effect in the other book as soon as its members have admitted the devices that wrote them.
  ///
  /// If the folder contains a book, `confirm` is called with the id of that book before it joins. If a directory holds
  /// several books, `wanted` is the beginning of the id of the book to join. `pin` states which key a device must show.
  package static func join(
    at folder: Path, from peer: PeerAddress, on machine: Machine, deviceName: String,
    wanted: String? = nil, pin: Pin? = nil, view place: ReadModel.Place? = nil,
    witness: Path? = nil, confirm: (UniqueID) -> Bool
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let chosen = try choose(wanted, at: peer, on: machine)
    let book = try open(orLayOut: folder, on: machine, deviceName: deviceName, view: place)
    if let witness { book.core.localDevice.witness = witness }
    let former = book.file.book
    if former != .none, !confirm(former) { throw .declined }
    let before = try book.holdingsReader.holdings()
    var syncOutcome = try book.joiner.joining { () throws(DaybookError) in
      let syncOutcome = try book.replicator.exchange.run(with: peer, joining: chosen, pin: pin)
      guard let joined = syncOutcome.peerBook else { throw .sync(.noBook) }
      guard try book.joiner.holdsBeginning(of: joined) else {
        throw .beginningNotThere(syncOutcome.problems)
      }
      try book.joiner.become(joined)
      return syncOutcome
    }
    return try book.joiner.tellingThatItJoined { () throws(DaybookError) in
      try book.access.withLock { () throws(DaybookError) in
        try book.joiner.takeFreeName()
        _ = try book.ownLogKeeper.ownLogForWriting()
      }
      if !peer.isFile {
        // Other devices need the log of this device in order to admit it.
        syncOutcome.add(try book.replicator.exchange.run(with: peer, pin: pin))
      }
      try book.settler.settleAfterSync()
      try book.admin.allowWhatWasJoined()
      return (book, try book.receipts.receipt(syncOutcome, since: before))
    }
  }

  /// The id of the book to join in a directory; nil for other peers, which have only one book.
  private static func choose(
    _ wanted: String?, at peer: PeerAddress, on machine: Machine
  ) throws(DaybookError) -> UniqueID? {
    guard case .directory(let folder) = peer else { return nil }
    let directory = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: machine)
    }
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in try directory.books() }
    guard !books.isEmpty else {
      let sealed = try wrap(DaybookError.sync) { () throws(SyncError) in
        try SealedStores(in: .folder(folder), on: machine)
      }
      throw .sync(sealed.isEmpty ? .noBook : .joinSealed(folder))
    }
    let meant = books.filter { $0.hex.hasPrefix((wanted ?? "").lowercased()) }
    if meant.count == 1 { return meant.first }
    throw .severalBooks(
      try wrap(DaybookError.sync) { () throws(SyncError) in
        try books.map { book throws(SyncError) in try directory.survey(book) }
      }, wanted: wanted)
  }

  static func open(
    orLayOut folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place?
  ) throws(DaybookError) -> Book {
    do throws(DaybookError) {
      return try Book(at: folder, on: machine, view: place)
    } catch {
      switch error {
      // A join that waits can be begun again.
      case .noBook, .storeJoin(.waiting): break
      default: throw error
      }
      let book = try lay(
        out: folder, on: machine, deviceName: deviceName, view: place, joining: true)
      // A founding that was interrupted here becomes a join.
      if !book.file.isJoining {
        try book.access.withLock { () throws(DaybookError) in
          guard book.file.book == .none else { throw .bookExists(folder) }
          book.core.store.folder.file.isJoining = true
          try book.core.store.folder.saveFile()
        }
      }
      return book
    }
  }

  /// Joins the book of the device that made the invitation.
  ///
  /// A book in the folder becomes part of the other book, if `confirm` agrees. An interrupted join can be repeated with
  /// the same invitation until it expires or the inviter marks it as used. If the inviter asks its user, `asked` is
  /// called with the key of this device, so that both sides can compare its words.
  package static func join(
    at folder: Path, by invitation: Invitation, on machine: Machine, deviceName: String,
    view place: ReadModel.Place? = nil, witness: Path? = nil, asked: (PublicKey) -> Void = { _ in },
    confirm: (UniqueID) -> Bool
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let book = try open(orLayOut: folder, on: machine, deviceName: deviceName, view: place)
    if let witness { book.core.localDevice.witness = witness }
    let former = book.file.book
    if former != .none, try book.core.localDevice.shownKey == invitation.key {
      throw .ownInvitation
    }
    // If the inviter is known in this book, this device is waiting for admission to the same book. In that case, the
    // join needs no confirmation, and this device cannot vouch for other devices.
    var isOther = false
    if former != .none { isOther = try !book.joiner.knows(invitation.key) }
    if isOther, !confirm(former) { throw .declined }
    let (key, proof) = try book.joiner.prepareProof(for: invitation, vouching: isOther)
    let before = try book.holdingsReader.holdings()
    let peer = PeerAddress(invitation.address)
    let syncOutcome = try book.joiner.joining { () throws(DaybookError) in
      let syncOutcome = try book.replicator.exchange.run(
        with: peer, pin: .key(invitation.key), proving: proof
      ) {
        asked(key)
      }
      guard let joined = syncOutcome.peerBook else { throw .sync(.noBook) }
      try book.joiner.become(joined)
      return syncOutcome
    }
    return try book.joiner.tellingThatItJoined { () throws(DaybookError) in
      try book.settler.settleAfterSync()
      try book.admin.allowWhatWasJoined()
      try book.joiner.takeGivenName()
      let name = try book.deviceList.devicesWithoutClocks().first {
        $0.key == invitation.key.bytes
      }?.name
      try book.contactBook.meet(invitation.key, called: name ?? invitation.address.host, at: peer)
      return (book, try book.receipts.receipt(syncOutcome, since: before))
    }
  }
}

extension DaybookError {
  /// The error for a join by an invitation; if the inviting machine refused the connection, this is an error about the
  /// invitation.
  package func duringJoin(by invitation: Invitation) -> DaybookError {
    switch self {
    case .sync(.tls(.unknownKey)): .otherInviter(invitation.address.text)
    // A machine without an open invitation refuses connections from unknown devices.
    case .sync(.tls(.refused)): .closedInvitation
    default: self
    }
  }
}

extension PeerAddress {
  fileprivate var isFile: Bool { if case .file = self { true } else { false } }
}
