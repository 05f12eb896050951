package import Bytes
package import Platform
package import ReadModel
package import Syncing

/// Begins joins through sealed stores, and continues those that wait for the inviter.
package enum StoreJoining {
  /// The result of a step of a join.
  package enum Step: Sendable {
    /// The device has knocked, and waits for the inviter's next sync with the store.
    case waiting
    case joined(Receipt)
  }

  /// Knocks at the store of an invitation, and joins the book if the inviter has already answered.
  ///
  /// As with other invitations, a book in the folder becomes part of the other book, if `confirm` agrees. The call can
  /// be repeated with the same invitation.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book, which need not exist.
  ///   - invitation: The invitation, with the place at which this device reaches the store.
  ///   - machine: The machine.
  ///   - deviceName: The name of this device, if it has none yet.
  ///   - place: The place of the read model; nil for the folder of the book.
  ///   - witness: The folder of the witness; nil for the default.
  ///   - confirm: Asks the user, with the id of the book in the folder.
  /// - Returns: The book, which has no id yet if it waits, and the result of the step.
  /// - Throws: ``DaybookError/storeJoin(_:)`` or another ``DaybookError``.
  package static func begin(
    at folder: Path, by invitation: StoreInvitation, on machine: Machine, deviceName: String,
    view place: ReadModel.Place? = nil, witness: Path? = nil, confirm: (UniqueID) -> Bool
  ) throws(DaybookError) -> (book: Book, step: Step) {
    // A wrong place is reported before anything is written.
    let isThere = try wrap(DaybookError.sync) { () throws(SyncError) in
      try SealedPeer(at: invitation.address, on: machine).isThere()
    }
    guard isThere else { throw .storeJoin(.noStore(invitation.address.place.location)) }
    let book = try BookFactory.open(
      orLayOut: folder, on: machine, deviceName: deviceName, view: place)
    if let witness { book.core.localDevice.witness = witness }
    let former = book.file.book
    var isOther = false
    if former != .none {
      guard try book.core.localDevice.shownKey != invitation.key else { throw .ownInvitation }
      isOther = try !book.joiner.knows(invitation.key)
    }
    if isOther, !confirm(former) { throw .declined }
    try book.joiner.prepareKnock(vouching: isOther)
    let file = StoreJoinFile(in: book.core.store)
    // The time of the first knock counts if the user repeats the command.
    var pending = try file.read()
    if pending?.invitation.secret != invitation.secret {
      pending = PendingStoreJoin(invitation: invitation, begun: book.core.store.folder.now)
    }
    pending?.invitation = invitation
    guard let pending else { preconditionFailure("a join has begun") }
    try file.write(pending)
    return (book, try step(of: book, pending))
  }

  /// The join that waits in a folder; nil if there is none.
  package static func pending(
    at folder: Path, on machine: Machine
  ) throws(DaybookError) -> PendingStoreJoin? {
    try StoreJoinFile(layout: Layout(folder: folder), disk: machine.disk).read()
  }

  /// Continues the join that waits in a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book.
  ///   - machine: The machine.
  ///   - place: The place of the read model; nil for the folder of the book.
  ///   - witness: The folder of the witness; nil for the default.
  /// - Returns: The book and the result of the step; nil if no join waits.
  /// - Throws: ``DaybookError/storeJoin(_:)`` if the join has ended without success, or another ``DaybookError``.
  package static func resume(
    at folder: Path, on machine: Machine, view place: ReadModel.Place? = nil,
    witness: Path? = nil
  ) throws(DaybookError) -> (book: Book, step: Step)? {
    guard let pending = try pending(at: folder, on: machine) else { return nil }
    let book = try Book(unfinishedAt: folder, on: machine, view: place)
    if let witness { book.core.localDevice.witness = witness }
    return (book, try step(of: book, pending))
  }

  private static func step(
    of book: Book, _ pending: PendingStoreJoin
  ) throws(DaybookError) -> Step {
    try StoreJoiner(book, pending).advance().map(Step.joined) ?? .waiting
  }
}
