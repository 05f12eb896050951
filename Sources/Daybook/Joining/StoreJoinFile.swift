import Bytes
import Platform
package import Syncing

/// A join through a sealed store that has begun and has not finished.
package struct PendingStoreJoin: Hashable, Sendable {
  /// The invitation, with the place at which this device reaches the store.
  package var invitation: StoreInvitation
  /// The time at which this device first knocked, in milliseconds by the clock of this machine.
  package var begun: Int64

  /// Whether the invitation has expired, as far as this device knows.
  ///
  /// If the clock was set back, the time of the beginning is in the future.
  func isOver(at now: Int64) -> Bool {
    !(0...StoreInvitation.validMilliseconds).contains(now - begun)
  }
}

/// The file `store-join`, which exists while this device waits to join a book through a sealed store.
///
/// The file contains the secret of the invitation, so it is removed when the join ends.
struct StoreJoinFile {
  let layout: Layout
  let disk: any Disk

  init(layout: Layout, disk: any Disk) { (self.layout, self.disk) = (layout, disk) }

  init(in store: LogStore) { self.init(layout: store.layout, disk: store.machine.disk) }

  /// The join that has begun; nil if there is none, or the file is damaged.
  ///
  /// The user can repeat a join with the same invitation, so a damaged file is not reported.
  func read() throws(DaybookError) -> PendingStoreJoin? {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: layout.storeJoin, limit: 1 << 16)
    } catch {
      switch error.reason {
      case .notFound, .notADirectory, .tooLarge: return nil
      default: throw .disk(error)
      }
    }
    guard let json = try? JSON(parsing: bytes), let text = json["invitation"]?.string,
      var invitation = try? StoreInvitation(parsing: text), let begun = json["begun"]?.integer
    else { return nil }
    if let folder = json["folder"]?.string { invitation.address.place = .folder(Path(folder)) }
    return PendingStoreJoin(invitation: invitation, begun: begun)
  }

  func write(_ pending: PendingStoreJoin) throws(DaybookError) {
    var members = [
      JSON.Member("invitation", .string(pending.invitation.text)),
      JSON.Member("begun", .integer(pending.begun)),
    ]
    if let folder = pending.invitation.address.place.folder {
      members.append(JSON.Member("folder", .string(folder.string)))
    }
    let text = JSON.object(members).text(indented: true) + "\n"
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.replace(layout.storeJoin, with: Array(text.utf8))
    }
  }

  /// The error for a folder without a book: either a join waits in it, or there is nothing.
  func reasonForNoBook() throws(DaybookError) -> DaybookError {
    let place = try read()?.invitation.address.place.location
    return place.map { .storeJoin(.waiting($0)) } ?? .noBook(layout.folder)
  }

  func remove() throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      guard try disk.status(layout.storeJoin) != nil else { return }
      try disk.remove(layout.storeJoin)
      try disk.flushDirectory(layout.folder)
    }
  }
}
