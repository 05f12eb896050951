import Bytes
import Daybook
import Phrasing
import Platform

/// Revokes a device, and the devices that it alone admitted.
struct RevokeDevice {
  let context: CommandContext
  /// The device: a name, the words of a key, or an id.
  let device: String
  /// The devices to keep even though only the revoked device admitted them.
  let kept: [String]
  /// Whether the earlier events of the device are also revoked.
  let isWhole: Bool
  let isSure: Bool

  func run() throws {
    let book = try context.book()
    let plan = try plan(in: book)
    let presenter = RevocationPresenter(context: context, plan: plan)
    presenter.show(isSure)
    try warnOfLoss(plan.revoked, in: book)
    let pending = PendingDeletionPresenter(context: context)
    let deletions = try PendingDeletionReader(of: book).deletions(
      cutting: try book.revoker.lastCounted(after: plan))
    try context.output.require(
      isSure, presenter.question + (try pending.warning(of: deletions)))
    if isSure { presenter.tellOrigin() }
    let revocation = try book.revoker.revoke(by: plan)
    try pending.tell(deletions)
    presenter.tell(revocation)
    let openFolders = try book.contactBook.openFolders()
    if !openFolders.isEmpty {
      context.output.note(OpenFolderWords.text(openFolders, hasRevoked: true) + ".")
    }
    if !isWhole {
      try RevokedDeedsPresenter(context: context).tell(of: plan.revoked, in: book)
    }
    let deleted = try book.revoker.deletions(by: plan.revoked)
    try RevokedDeletionPresenter(context: context).tell(deleted, by: plan.revoked)
    if context.output.isJSON { try answer(revocation, plan, deleted, in: book) }
    if !revocation.hasTrustedDevice { context.output.note("\(Standing.nobodyIsLeft).") }
  }

  /// Finds the devices that the user named, and plans the revocation.
  private func plan(in book: Book) throws -> RevocationPlan {
    let names = CertainDevice(book: book, timekeeper: context.machine.timekeeper)
    let named = try names.device(called: device)
    if named.part != nil {
      context.output.note(
        "a revocation ends all logs and branches of a device, not only \(named.logName.visible)."
      )
    }
    let device = named.withoutPart
    if device.isThis { throw DaybookError.ownKey }
    let kept = try kept.map { try names.device(called: $0) }
    let plan = try book.revoker.revocationPlan(for: device, keeping: kept, whole: isWhole)
    for unneeded in kept where !plan.kept.contains(where: { $0.key == unneeded.key }) {
      context.output.note(
        "\(unneeded.words) stays anyway, because \(device.listedName.visible) is not the only device that admitted it."
      )
    }
    return plan
  }

  /// Answers with the state of the devices after the revocation, and with the deleted records, as JSON.
  private func answer(
    _ revocation: Revocation, _ plan: RevocationPlan, _ deleted: [RevokedDeletion], in book: Book
  ) throws {
    let missing = Set(try book.losses.gaps().map(\.log))
    let devices = try book.deviceList.devices()
    func listed(_ named: [Device]) -> JSON {
      let replicas = Set(named.map(\.replica))
      return .array(
        devices.filter { replicas.contains($0.replica) }.map { $0.json(missing: missing) })
    }
    context.output.answer(
      .object(
        ("revoked", listed(revocation.ended.map(\.device))), ("kept", listed(plan.kept)),
        (
          "deleted",
          .array(
            deleted.map { deletion in
              .object(
                (deletion.document.mention.members ?? [])
                  + [JSON.Member("deletedAt", .string(Instant.text(deletion.time)))])
            })
        ), ("refusedErasures", .integer(Int64(revocation.refused)))))
  }

  /// Warns of the devices' events that are missing here.
  ///
  /// A revocation names the last event that is stored here, so every device ignores any later event.
  private func warnOfLoss(_ revoked: [Device], in book: Book) throws {
    for gap in try book.losses.gaps() {
      guard let device = revoked.first(where: { $0.replica == gap.log }),
        !device.hasLog || device.last < gap.range.upperBound
      else { continue }
      context.output.note(
        "\(gap.words) \(gap.range.count == 1 ? "is" : "are") missing on this device. "
          + "After the revocation, all devices ignore the events of the revoked device that are not stored here. "
          + "To keep the missing events, first run 'daybook verify --repair PEER'.")
    }
  }
}
