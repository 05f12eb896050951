import Bytes
import Daybook
import Domain
import Phrasing
import Platform

/// Revokes a device, and the devices that only it admitted.
struct RevokeDevice {
  let context: CommandContext
  /// The device: a name, the words of a key, or an id.
  let device: String
  /// The devices to keep even though only the revoked device admitted them.
  let kept: [String]
  /// Whether the earlier events of the device are revoked too.
  let isWhole: Bool
  let isSure: Bool

  /// The maximum number of devices to list, because a hostile device may have admitted thousands.
  private static let namedDevices = 20
  /// The maximum number of deleted records to list.
  private static let namedDeletions = 10

  func run() throws {
    let book = try context.book()
    let named = try book.deviceList.device(called: device)
    if named.part != nil {
      context.output.note(
        "a revocation ends all logs and branches of a device, not only \(named.logName.visible)."
      )
    }
    let device = named.withoutPart
    if device.isThis { throw DaybookError.ownKey }
    let kept = try kept.map { try book.deviceList.device(called: $0) }
    let plan = try book.revoker.revocationPlan(for: device, keeping: kept, whole: isWhole)
    for unneeded in kept where !plan.kept.contains(where: { $0.key == unneeded.key }) {
      context.output.note(
        "\(unneeded.words) stays anyway, because \(device.listedName.visible) is not the only device that admitted it."
      )
    }
    if !plan.dependents.isEmpty || !plan.formerKeys.isEmpty || plan.successor != nil { show(plan) }
    try warnOfLoss(plan.revoked, in: book)
    let pending = PendingDeletionPresenter(context: context)
    let deletions = try PendingDeletionReader(of: book).deletions(
      cutting: try book.revoker.lastCounted(after: plan))
    try context.output.require(isSure, question(plan) + (try pending.warning(of: deletions)))
    let revocation = try book.revoker.revoke(by: plan)
    try pending.tell(deletions)
    for ended in revocation.ended.prefix(Self.namedDevices) {
      let verb = ended.kept == 1 ? "counts" : "count"
      context.output.say(
        isWhole
          ? "Revoked \(ended.device.words); nothing it wrote counts any more."
          : "Revoked \(ended.device.words); \(ended.kept.counted("event")) of it still \(verb).")
    }
    let others = revocation.ended.count - Self.namedDevices
    if others > 0 {
      context.output.say("Also revoked \(others) more; 'daybook devices --all' lists them.")
    }
    if revocation.refused > 0 {
      let records = revocation.refused.counted("record")
      context.output.say(
        "\(records) erased by \(plan.revoked.count == 1 ? "it" : "them") "
          + "\(revocation.refused == 1 ? "stays" : "stay"), "
          + "because the \(revocation.refused == 1 ? "erasure was" : "erasures were") held on this device, "
          + "and no longer \(revocation.refused == 1 ? "counts" : "count").")
    }
    for device in plan.kept {
      context.output.say("Kept \(device.words), because this device now vouches for it.")
    }
    context.output.say(
      "\(plan.revoked.count == 1 ? "Its" : "Their") later changes are kept but do not count. "
        + "Other devices learn of this at their next sync.")
    try nameDeletions(by: plan.revoked, in: book)
    if context.output.isJSON { try answer(revocation.ended.map(\.device), in: book) }
    if !revocation.hasTrustedDevice { context.output.note("\(Standing.nobodyIsLeft).") }
  }

  /// Answers with the state of the devices after the revocation, as JSON.
  private func answer(_ revoked: [Device], in book: Book) throws {
    let replicas = Set(revoked.map(\.replica))
    let missing = Set(try book.losses.gaps().map(\.log))
    context.output.answer(
      .array(
        try book.deviceList.devices().filter { replicas.contains($0.replica) }.map {
          $0.json(missing: missing)
        }))
  }

  /// Warns of the devices' events that are missing here.
  ///
  /// A revocation names the last event that is here, so every device ignores any event after it.
  private func warnOfLoss(_ revoked: [Device], in book: Book) throws {
    for gap in try book.losses.gaps() {
      guard let device = revoked.first(where: { $0.replica == gap.log }),
        !device.hasLog || device.events < gap.range.upperBound
      else { continue }
      context.output.note(
        "\(gap.words) \(gap.range.count == 1 ? "is" : "are") missing on this device. "
          + "Once the device is revoked, no device counts its events after the last event that this device has. "
          + "To keep those events, first run 'daybook verify --repair PEER'.")
    }
  }

  /// Shows the other devices that the revocation ends, and those that it keeps.
  private func show(_ plan: RevocationPlan) {
    let name = plan.device.listedName.visible
    func list(_ devices: [Device], _ heading: String) {
      guard !devices.isEmpty else { return }
      context.output.say(heading)
      for device in devices.prefix(Self.namedDevices) {
        let admission =
          device.admission.map { ", \($0.text(at: context.machine.timekeeper))" } ?? ""
        let events = device.hasLog ? device.events.counted("event") : "has written nothing"
        context.output.say("  \(device.words), \(events)\(admission)")
      }
      let others = devices.count - Self.namedDevices
      if others > 0 { context.output.say("  and \(others) more") }
    }
    list(plan.formerKeys, "Earlier keys of \(name), revoked with it:")
    list(
      plan.dependents, "Admitted only through \(name), revoked with it (--keep NAME keeps one):")
    list(plan.kept, "Admitted only through \(name), and kept:")
    list(
      plan.successor.map { [$0] } ?? [],
      "New key of \(name), not revoked with it; revoke it by name if it is not yours:"
    )
  }

  private func question(_ plan: RevocationPlan) -> String {
    let warning =
      isWhole
      ? " All its changes are rejected, and additions by others to its records are hidden."
      : ""
    return plan.revoked.count == 1
      ? "Revoke \(plan.device.words)? It can never use this key again.\(warning)"
      : "Revoke these \(plan.revoked.count) keys, \(plan.device.words) first? "
        + "None can ever be used again.\(warning)"
  }

  /// Lists the records that the devices deleted, and how to restore them.
  private func nameDeletions(by devices: [Device], in book: Book) throws {
    let deleted = try book.revoker.deletions(by: devices)
    guard !deleted.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    let named = deleted.prefix(Self.namedDeletions)
    let ids = try snapshot.shortIDs(named.map(\.id))
    let whose = devices.count == 1 ? "it" : "they"
    context.output.say("\(deleted.count.counted("record")) that \(whose) deleted:")
    for document in named {
      context.output.say("  \(document.kind.name) \(document.datedTitle.visible)")
    }
    if deleted.count > named.count {
      context.output.say(
        "  and \(deleted.count - named.count) more: daybook log --by \(devices[0].fingerprint.prefix(2).joined(separator: "-"))"
      )
    }
    let words = named.map { ids[$0.id] ?? $0.id.uuid }.joined(separator: " ")
    context.output.say(
      "To bring \(deleted.count == 1 ? "it" : "them") back, run: daybook restore \(words)")
  }
}
