import Daybook
import Phrasing
import Platform

/// Describes a revocation before it is carried out, and reports it afterwards.
struct RevocationPresenter {
  let context: CommandContext
  let plan: RevocationPlan
  private var output: Output { context.output }

  /// The maximum number of devices to list, because a hostile device may have admitted thousands.
  private static let namedDevices = 20
  private static let namedInQuestion = 5

  /// Shows the other devices that the revocation ends, and those that it keeps.
  ///
  /// - Parameter isSure: Whether the revocation follows at once, so that advice on its options would come too late.
  func show(_ isSure: Bool) {
    let name = plan.device.listedName.visible
    list(plan.formerKeys, "Earlier keys of \(name), revoked with it:")
    let advice = isSure ? "" : " (--keep NAME keeps one)"
    list(plan.dependents, "Admitted only through \(name), revoked with it\(advice):")
    list(plan.kept, "Admitted only through \(name), and kept:")
    guard let successor = plan.successor else { return }
    if successor.isThis {
      output.say("\(name) is a former key of this device. The present key is not revoked.")
    } else {
      list(
        [successor],
        "New key of \(name), not revoked with it; revoke the new key by name if it is not yours:")
    }
  }

  private func list(_ devices: [Device], _ heading: String) {
    guard !devices.isEmpty else { return }
    output.say(heading)
    let timekeeper = context.machine.timekeeper
    for device in devices.prefix(Self.namedDevices) {
      let events = device.hasLog ? device.events.counted("event") : "has written nothing"
      let parts = [
        device.words, events, device.admission?.text(at: timekeeper),
        device.renaming?.text(at: timekeeper),
      ]
      output.say("  \(parts.compactMap(\.self).joined(separator: ", "))")
    }
    let others = devices.count - Self.namedDevices
    if others > 0 { output.say("  and \(others) more") }
  }

  /// The question to ask before the revocation.
  var question: String {
    let (whose, start) = plan.revoked.count == 1 ? ("its", "Its") : ("their", "Their")
    let warning =
      plan.isWhole
      ? " All \(whose) changes are rejected, and additions by others to \(whose) records are hidden. "
        + "\(start) erasures no longer count, but only a backup can bring back what they removed."
      : ""
    let origin = plan.device.originSentences(at: context.machine.timekeeper).map { " " + $0 }
      .joined()
    let others = plan.revoked.dropFirst().map(\.listedName.visible)
    guard !others.isEmpty else {
      return "Revoke \(plan.device.words)?\(origin) It can never use this key again.\(warning)"
    }
    let more = others.count - Self.namedInQuestion
    let names =
      others.prefix(Self.namedInQuestion).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
    return "Revoke \(plan.device.words) and, with it, \(names)?\(origin) "
      + "Their keys can never be used again.\(warning)"
  }

  /// Reports the origin of the device's name, if the question that contains it is not asked.
  func tellOrigin() {
    let sentences = plan.device.originSentences(at: context.machine.timekeeper)
    guard !sentences.isEmpty else { return }
    output.note("revoking \(plan.device.words). \(sentences.joined(separator: " "))")
  }

  /// Reports the devices that were revoked, and those that were kept.
  func tell(_ revocation: Revocation) {
    for ended in revocation.ended.prefix(Self.namedDevices) {
      let verb = ended.kept == 1 ? "counts" : "count"
      output.say(
        plan.isWhole
          ? "Revoked \(ended.device.words); nothing it wrote counts any more."
          : "Revoked \(ended.device.words); \(ended.kept) of its events still \(verb).")
    }
    let others = revocation.ended.count - Self.namedDevices
    if others > 0 {
      output.say(
        "Also revoked \(others) more; 'daybook devices --all' lists \(others == 1 ? "it" : "them")."
      )
    }
    if revocation.refused > 0 {
      let records = revocation.refused.counted("record")
      output.say(
        "\(records) that \(plan.revoked.count == 1 ? "it" : "they") erased "
          + "\(revocation.refused == 1 ? "stays" : "stay"), "
          + "because the \(revocation.refused == 1 ? "erasure was" : "erasures were") held on this device "
          + "and \(revocation.refused == 1 ? "is" : "are") now refused.")
    }
    for device in plan.kept {
      output.say("Kept \(device.words), because this device now vouches for it.")
    }
    output.say(
      "\(plan.revoked.count == 1 ? "Its" : "Their") later changes are kept but do not count. "
        + "Other devices learn of this at their next sync.")
  }
}
