import Daybook
import Phrasing

/// Reports events of this device that are not shown on other devices, or on this device.
struct OwnEventNotices {
  let output: Output

  /// The advice on rewriting events that this device wrote under a former key.
  static let writingAgain = "to write the same changes again, \(rewriting)"

  /// The commands that write these events again under the present key.
  static let rewriting =
    "run 'daybook export --uncounted -o kept.jsonl', then 'daybook import kept.jsonl'"

  /// The description of machines that rejected the key of this device, and the advice, without a full stop.
  static func rejection(by machines: [String]) -> String {
    let names = machines.map(\.visible).joined(separator: ", ")
    let isOne = machines.count == 1
    let (they, verb, receive) = isOne ? ("it", "does", "receives") : ("they", "do", "receive")
    return
      "\(names) rejected this device at the last sync, either because \(they) \(verb) not admit this device's key "
      + "or because the key was revoked, so \(they) \(receive) no changes from this device. "
      + "Run 'daybook invite' on \(isOne ? "that machine" : "each of these machines"), "
      + "then 'daybook join' with the invitation on this one. "
      + "If this device was revoked, first make a new key with 'daybook device rekey'"
  }

  /// Reports which machines rejected the key of this device.
  func tellRejection(by machines: [String]) {
    if !machines.isEmpty { output.note("\(Self.rejection(by: machines)).") }
  }

  /// Reports the events of this device that peers did not keep at the last sync with them.
  func tellUntaken(by peers: [Finding.Counted]) {
    for peer in peers {
      output.note(
        "\(peer.name.visible) did not keep \(peer.count.counted("event")) of this device at the last sync. "
          + "This device may have reached its quota on that peer; "
          + "to see or raise the quota, run 'daybook device quota' there.",
        isLoss: true)
    }
  }

  /// The warning that other devices might not accept changes of this device, without a full stop; nil if the device
  /// has not written more than the default quota.
  static func excess(of own: Quota) -> String? {
    let usual = Quota.standard
    guard !own.fits(usual) else { return nil }
    let parts = [
      own.events > usual.events ? "\(own.events) of \(usual.events) events" : nil,
      own.bytes > usual.bytes ? "\(own.bytes >> 20) of \(usual.bytes >> 20) MiB" : nil,
      own.logs > usual.logs ? "\(own.logs) of \(usual.logs) logs" : nil,
    ].compactMap(\.self)
    return
      "this device has written more than other devices accept from it by default "
      + "(\(parts.joined(separator: ", "))), so they may not accept its next changes, "
      + "even from a folder or a bundle; to see or raise this device's quota, run 'daybook device quota' on those devices"
  }

  /// Reports that other devices might not accept changes of this device.
  func tellExcess(of own: Quota) {
    if let excess = Self.excess(of: own) { output.note("\(excess).", isLoss: true) }
  }

  /// Reports that the digest excludes events that take effect only on this device.
  ///
  /// Erasures are among these events, because they hide records here that other devices still show.
  func tellShownAlone(_ count: UInt64) {
    guard count > 0 else { return }
    let verb = count == 1 ? "takes" : "take"
    output.note(
      "do not compare this digest, because it excludes \(count.counted("event")) "
        + "that \(verb) effect only on this device.")
  }

  /// Reports that other devices cannot accept events of this device, and how to repair that.
  func tellStranded(_ count: UInt64) {
    guard count > 0 else { return }
    let (verb, it) = count == 1 ? ("follows", "it") : ("follow", "them")
    output.note(
      "\(count.counted("event")) of this device \(verb) missing events in its log, "
        + "so other devices cannot accept \(it). "
        + "To repair the log, run 'daybook verify --repair PEER', where PEER is a copy that contains the missing events, "
        + "such as a backup or a bundle. New changes go into a new log and reach other devices.",
      isLoss: true
    )
  }

  /// Reports that events of this device are no longer shown, and explains how to rewrite them.
  func tellHidden(_ count: UInt64) {
    guard count > 0 else { return }
    let verb = count == 1 ? "counts" : "count"
    output.note(
      "\(count.counted("event")) that this device wrote under a former key no longer \(verb), "
        + "and \(count == 1 ? "is" : "are") not shown; \(Self.writingAgain).")
  }
}
