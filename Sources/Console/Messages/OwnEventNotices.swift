import Phrasing

/// Says what this device wrote and not every device shows.
struct OwnEventNotices {
  let output: Output

  /// How what a device wrote under a former key is written again.
  static let writingAgain =
    "'daybook export --uncounted -o kept.jsonl', then 'daybook import kept.jsonl' writes them again"

  /// Says that the digest is of less than is shown.
  func tellShownAlone(_ count: UInt64) {
    guard count > 0 else { return }
    let verb = count == 1 ? "is" : "are"
    output.note(
      "the digest is not to be compared: \(count.counted("event")) of this device \(verb) shown here and "
        + "on no other device, and the digest is of the book without \(count == 1 ? "it" : "them")."
    )
  }

  /// Says that something this device wrote is shown no more, and how it comes back.
  func tellHidden(_ count: UInt64) {
    guard count > 0 else { return }
    let verb = count == 1 ? "counts" : "count"
    output.note(
      "\(count.counted("event")) about records that this device wrote under a former key \(verb) no more, "
        + "and \(count == 1 ? "is" : "are") not shown: \(Self.writingAgain).")
  }
}
