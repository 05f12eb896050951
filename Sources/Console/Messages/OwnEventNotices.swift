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

  /// Says that something this device wrote cannot be taken by others, and what may help.
  func tellStranded(_ count: UInt64) {
    guard count > 0 else { return }
    let (verb, it) = count == 1 ? ("stands", "it") : ("stand", "them")
    output.note(
      "\(count.counted("event")) of this device \(verb) behind what is missing in its log, so other devices "
        + "cannot take \(it). 'daybook verify --repair PEER' with a copy that still has the missing events, "
        + "such as a backup or a bundle, lets \(it) through; what is written from now on goes into a new "
        + "log and reaches them.", isLoss: true)
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
