package import Bytes
import Journaling
package import Platform
package import ReadModel
import Syncing

extension Book {
  /// Takes part in the book of another holder, on a machine that has none yet or with the book it has.
  ///
  /// A book that was begun apart becomes part of the other one: it takes that one's id and keeps all its
  /// events, which count in the other as soon as its devices are admitted there.
  ///
  /// Before that it is asked whether the book with this id shall. Where a folder has files of several books, the one
  /// is joined whose id begins as `wanted` says. A machine is talked with if it shows the key it is pinned to.
  package static func join(
    at folder: Path, from peer: PeerAddress, on machine: Machine, deviceName: String,
    wanted: String? = nil, pin: Pin? = nil, view place: ReadModel.Place? = nil,
    witness: Path? = nil, confirm: (UniqueID) -> Bool
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let chosen = try choose(wanted, at: peer, on: machine)
    let book = try open(orLayOut: folder, on: machine, deviceName: deviceName, view: place)
    book.witness = witness
    let former = book.file.book
    if former != .none, !confirm(former) { throw .declined }
    let before = try book.holdings()
    var talk = try book.joining { () throws(DaybookError) in
      let talk = try book.talk(with: peer, joining: chosen, pin: pin)
      guard let joined = talk.peerBook else { throw .sync(.noBook) }
      guard try book.holdsBeginning(of: joined) else { throw .beginningNotThere(talk.problems) }
      try book.become(joined)
      return talk
    }
    return try book.tellingThatItJoined { () throws(DaybookError) in
      try book.withLock { () throws(DaybookError) in
        try book.takeFreeName()
        _ = try book.ownLogForWriting()
      }
      if !peer.isFile {
        // Others admit a device by its log, so they need it.
        talk.add(try book.talk(with: peer, pin: pin))
      }
      try book.settleAfterSync()
      try book.allowWhatWasJoined()
      return (book, try book.receipt(talk, since: before))
    }
  }

  /// The book of a folder that is meant; whatever else a peer may be has one book.
  private static func choose(
    _ wanted: String?, at peer: PeerAddress, on machine: Machine
  ) throws(DaybookError) -> UniqueID? {
    guard case .directory(let folder) = peer else { return nil }
    let directory = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: machine)
    }
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in try directory.books() }
    guard !books.isEmpty else { throw .sync(.noBook) }
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
    } catch .noBook {
      return try lay(out: folder, on: machine, deviceName: deviceName, view: place)
    } catch {
      throw error
    }
  }

  private func holdsBeginning(of book: UniqueID) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      for log in Set(journal.logs.keys).union(journal.aside.keys) {
        if try journal.hash(of: log, at: 1).map(UniqueID.book) == book { return true }
      }
      return false
    }
  }

  /// Takes the id of another book and trusts whom that one trusts.
  func become(_ book: UniqueID) throws(DaybookError) {
    try withLock { () throws(DaybookError) in
      guard file.book != book else { return }
      if file.book != .none, !file.formerly.contains(file.book) { file.formerly.append(file.book) }
      file.book = book
      try saveFile()
    }
    try settleShelves()
    try rebuild()
  }
}

extension Book {
  /// Tells this device from another of its name, before it says its own for the first time.
  private func takeFreeName() throws(DaybookError) {
    guard try lastOwnLog == nil else { return }
    let taken = Set(try devices().map(\.name))
    guard taken.contains(file.device) else { return }
    file.device = file.device.made(freeFrom: taken)
    try saveFile()
  }
}

extension PeerAddress {
  fileprivate var isFile: Bool { if case .file = self { true } else { false } }
}
