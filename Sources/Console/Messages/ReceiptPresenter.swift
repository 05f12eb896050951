import Bytes
import Daybook
import Domain
import Journaling
import Phrasing
import Platform
import ReadModel
import Syncing

/// Reports the result of a sync.
struct ReceiptPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports the result of a sync, as text or JSON.
  func tell(_ receipt: Receipt, joining book: UniqueID? = nil) throws {
    if output.isJSON {
      output.answer(try json(of: receipt, joining: book))
    } else {
      try tellChanges(of: receipt)
    }
    tellRest(of: receipt)
    OwnEventNotices(output: output).tellStranded(try context.book().ownEvents.countOfStranded())
  }

  func json(of receipt: Receipt, joining book: UniqueID? = nil) throws -> JSON {
    let snapshot = try context.presentSnapshot()
    var receipt = receipt
    if receipt.digest == nil {
      receipt.digest = try context.book().statusReader.digest()
      receipt.shownAlone = try context.book().ownEvents.countOfShownAlone()
    }
    var members =
      receipt.json(
        try receipt.conflicts.map { try ConflictPresenter(context: context).json($0, snapshot) },
        joining: book
      ).members
      ?? []
    if !receipt.comparison.isEmpty {
      members.append(JSON.Member("logs", .array(receipt.comparison.map(\.json))))
    }
    if context.opener.trial != nil { members.append(JSON.Member("isDryRun", .boolean(true))) }
    return .object(members)
  }

  /// Reports the parts of a receipt other than the exchanged changes.
  func tellRest(of receipt: Receipt) {
    tellDevices(of: receipt)
    StandingNotices(context: context).tellForks(receipt.forked)
    HeldErasurePresenter(context: context).tellHeld(receipt.held)
    for uncounted in receipt.uncounted { output.note(uncounted.words) }
    OwnEventNotices(output: output).tellHidden(receipt.hidden)
    StandingNotices(context: context).tell(
      receipt.standing, hasTrustedDevice: receipt.hasTrustedDevice)
    if receipt.becameAdmitted {
      output.say(
        context.opener.trial == nil
          ? "This device is now admitted, so its changes count on all devices."
          : "This device would be admitted, so its changes would count on all devices.")
    }
    tellClocks(of: receipt)
    if let words = receipt.words?.joined(separator: "-") {
      output.say(
        context.opener.trial == nil ? "The digest is \(words)." : "The digest would be \(words).")
      OwnEventNotices(output: output).tellShownAlone(receipt.shownAlone)
      HeldErasurePresenter(context: context).tellDigestHolding(receipt.held)
    }
    for share in receipt.withheld {
      tellWithheld(share.events, of: share.device, share.replica, "sent")
    }
    tellRemoved(receipt.removed)
    tellUntaken(receipt.untaken)
    if !receipt.untaken.isEmpty { context.exit = max(context.exit, .network) }
    ProblemPresenter(context: context).tell(receipt.problems)
    if context.opener.trial != nil { output.say("This was a dry run: nothing was written.") }
  }

  /// Reports data that was removed while bodies were erased, if there is no receipt of a sync.
  func tell(_ stripped: StripReport) {
    tellRemoved(stripped.removed)
    ProblemPresenter(context: context).tell([stripped.problem].compactMap(\.self))
  }

  /// Reports in one line the files that were removed because they may contain erased data.
  func tellRemoved(_ files: [Path]) {
    if files.isEmpty { return }
    let verb = context.opener.trial == nil ? "Removed" : "Would remove"
    let names = files.prefix(Self.namedFiles).map(\.string.visible).joined(separator: ", ")
    let more = files.count - Self.namedFiles
    output.say(
      "\(verb) files that may still hold erased records: \(names)\(more > 0 ? " and \(more) more" : "")."
    )
  }

  /// The maximum number of removed files to list by name.
  private static let namedFiles = 5

  /// Reports events that were sent but that the peer did not keep.
  func tellUntaken(_ shares: [Receipt.Share]) {
    for share in shares {
      output.note(
        "the peer did not keep \(share.events.counted("event")) of \(share.device.visible). "
          + "That device may have reached its quota on the peer (to see the quota, run 'daybook device quota' there), "
          + "the peer's disk may be full, or earlier events may be missing on both sides. A later sync sends \(share.events == 1 ? "it" : "them") again.",
        isLoss: true
      )
    }
  }

  /// Reports events that were not passed on, because no signature for them is stored here and they cannot be signed.
  func tellWithheld(_ count: UInt64, of device: String, _ log: UniqueID, _ verb: String) {
    // An error in this detail must not prevent the message.
    let reached = (try? context.book().ownEvents.countReached(among: count, of: log)) ?? 0
    let others =
      reached == 0
      ? "" : " Other devices are known to have \(count == 1 ? "it" : "\(reached) of them")."
    let key = try? context.book().layout.key(of: log)
    let isThere = key.flatMap { try? context.machine.disk.status($0) } != nil
    output.note(
      "\(count.counted("event")) of \(device.visible) \(count == 1 ? "was" : "were") not \(verb), "
        + "because this device has no signature for \(count == 1 ? "it" : "them"), "
        + "and the key of \(count == 1 ? "its" : "their") log \(isThere ? "cannot be read or used" : "is not in keys/"). "
        + "Restore \(log.hex).pem from a backup; until then, this device cannot pass \(count == 1 ? "it" : "them") on.\(others)",
      isLoss: true)
    context.exit = max(context.exit, .dataFault)
  }

  func tellChanges(of receipt: Receipt) throws {
    ComparisonPresenter(context: context).tellComparison(of: receipt)
    let verbs =
      context.opener.trial == nil
      ? ["Sent", "received", "healed", "received from", "sent from"]
      : ["Would send", "would receive", "would heal", "would receive from", "would send from"]
    let healed = receipt.healed.isEmpty ? "" : "; \(verbs[2]) \(Receipt.words(receipt.healed))"
    let (sent, received) = (Receipt.words(receipt.sent), Receipt.words(receipt.received))
    let kept = Self.words(kept: receipt.untaken, of: receipt.sent)
    output.say("\(verbs[0]) \(sent)\(kept); \(verbs[1]) \(received)\(healed).")
    // Events of an admitted device may have been received earlier but take effect only now.
    let came = receipt.came.filter { !receipt.received.isEmpty || !$0.isOnlyBookkeeping }
    for changes in came { output.say("  \(verbs[3]) \(changes.words)") }
    for changes in receipt.went { output.say("  \(verbs[4]) \(changes.words)") }
    try CascadePresenter(context: context).tellCascades(of: receipt)
    try ClosedFirstPresenter(context: context).tellClosedFirst(of: receipt)
    try tellSurvivors(of: receipt)
    try tellConflicts(of: receipt)
  }

  /// How many of the sent events the peer has kept, after a comma; empty if it has kept all.
  private static func words(kept untaken: [Receipt.Share], of sent: [Receipt.Share]) -> String {
    guard !untaken.isEmpty, !sent.isEmpty else { return "" }
    let (all, left) = (sent.map(\.events).reduce(0, +), untaken.map(\.events).reduce(0, +))
    return ", of which the peer kept \(left < all ? "\(all - left)" : "none")"
  }

  /// Reports new conflicts, and the number of earlier conflicts.
  private func tellConflicts(of receipt: Receipt) throws {
    let count = receipt.conflicts.count
    guard count > 0 else { return }
    output.say(
      count == 1
        ? "1 new conflict to settle:" : "\(count) new conflicts to settle:")
    let snapshot = try context.presentSnapshot()
    let lines = try ConflictPresenter(context: context).lines(of: receipt.conflicts, snapshot)
    for line in lines { output.say(line) }
    let older = try snapshot.book.conflictReader.conflicts(in: snapshot.model).count - count
    guard older > 0 else { return }
    output.say(
      (older == 1 ? "1 older conflict is" : "\(older) older conflicts are")
        + " still open; 'daybook conflicts' lists all conflicts.")
  }

  /// Warns of devices that have sent events and have suspect clocks.
  private func tellClocks(of receipt: Receipt) {
    let came = Set(receipt.received.map(\.replica))
    // If the devices cannot be read now, `daybook devices` shows them later.
    guard !came.isEmpty, let devices = try? context.book().deviceList.devices() else { return }
    for device in devices where device.isClockSuspect && came.contains(device.replica) {
      output.note(
        "\(device.name.visible): \(device.clockWords) Set the clock of that device or, if this device's clock is wrong, the clock of this one. "
          + "Changes made in the meantime still count.")
    }
  }

  /// Reports records that remain although a record that they were merged with is erased or deleted.
  private func tellSurvivors(of receipt: Receipt) throws {
    guard !receipt.survivors.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    let erased = receipt.survivors.filter { $0.deleter == nil }.map(\.document)
    if !erased.isEmpty {
      output.say(
        "A device erased a record without knowing of all the records merged with it. "
          + (erased.count == 1 ? "This record remains:" : "These records remain:")
      )
    }
    for document in erased {
      let command = "daybook erase \(try snapshot.shortID(document.id))"
      output.say("  \(try snapshot.name(of: document)); '\(command)' also erases it")
    }
    for survivor in receipt.survivors {
      guard let device = survivor.deleter else { continue }
      let name = try snapshot.name(of: survivor.document)
      let id = try snapshot.shortID(survivor.document.id)
      output.say(
        "\(device.visible) deleted one of the records merged into \(name) without knowing of the merge, so the merged record remains. "
          + "To delete it as well, run: daybook delete \(id)")
    }
  }

  func tellDevices(of receipt: Receipt) {
    GuestPresenter(context: context).tell(receipt.guests)
    for device in receipt.admitted {
      let verb = context.opener.trial == nil ? "Admitted" : "Would admit"
      output.say("\(verb) \(device.name.visible) (\(device.fingerprint.joined(separator: "-"))).")
    }
    for device in receipt.letIn {
      guard let admission = device.admission else { continue }
      let (key, time) = (device.fingerprint.joined(separator: "-"), admission.time)
      let day = time.map { " on \(context.machine.timekeeper.localText(of: $0))" } ?? ""
      let way = admission.route.map { " \($0.words)" } ?? ""
      output.say(
        "\(admission.author.visible) admitted \(device.name.visible) (\(key))\(day)\(way).")
    }
    if receipt.couldNotAdmit {
      output.note("this device is not admitted, so it cannot admit others.")
    } else {
      let place = receipt.isAdmitted ? "" : " on an admitted device"
      for device in receipt.waiting {
        let (key, words) = (
          device.fingerprint.joined(separator: "-"),
          device.fingerprint.prefix(2).joined(separator: "-")
        )
        if let sponsor = device.sponsor {
          output.note(
            "\(device.name.visible) (\(key)) is waiting to be admitted: \(sponsor.words), so --admit does not admit it. "
              + "If the waiting device is not yours, run\(place): daybook device revoke \(words)\n"
              + "If it is yours, run\(place): daybook device admit \(words)")
          continue
        }
        output.note(
          "\(device.name.visible) (\(key)) is waiting to be admitted. "
            + "If you recognize it, run\(place): daybook device admit \(words)")
      }
    }
  }
}
