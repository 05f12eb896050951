import Bytes
import Daybook
import Domain
import Phrasing
import Platform

/// Shows erasures by other devices that are held here.
struct HeldErasurePresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports the held erasures of each device, and what to do about them.
  func tellHeld(_ held: [HeldErasures]) {
    for erasures in held {
      let kept = erasures.records == 1 ? "The record is kept" : "The records are kept"
      output.note(
        "\(erasures.words). \(kept) on this device until you decide: \(erasures.advice).")
    }
  }

  /// Reports that the digest differs from the digest of devices that have applied the erasures.
  func tellDigestHolding(_ held: [HeldErasures]) {
    guard !held.isEmpty else { return }
    let records = held.reduce(0) { $0 + $1.records }
    output.note(
      "the digest differs from the digest on devices that have erased \(records == 1 ? "the record" : "the records")."
    )
  }

  /// Lists the records whose erasures are held.
  func listHeld() throws {
    let records = try context.book().held.heldRecords()
    if output.isJSON { return output.answer(.array(records.map(\.json))) }
    guard !records.isEmpty else { return output.say("No erasures are held.") }
    output.answer(
      rows: records.map { record in
        let time = record.time.map { context.machine.timekeeper.localText(of: $0) }
        return [
          Cell(record.kind?.name ?? "", .faint),
          Cell(record.title?.visible ?? "a record not yet received"),
          Cell("erased by \(record.device.visible)"), Cell(time ?? "", .faint),
        ]
      })
    tellHeld(try context.book().held.heldErasures())
  }
}

extension HeldErasures {
  /// The number of records and the device, such as `120 records were erased by laptop (giduj-mahon)`.
  var words: String {
    "\(records.counted("record")) \(records == 1 ? "was" : "were") erased by \(device.visible) (\(key))"
  }

  /// The commands that list, accept and refuse the erasures.
  var advice: String {
    let it = records == 1 ? "it" : "them"
    return
      "'daybook erase --held' lists \(it), 'daybook erase --accept \(key)' also erases \(it) on this device, "
      + "and 'daybook device revoke \(key)' refuses the \(records == 1 ? "erasure" : "erasures")"
  }

  /// The name of the device in a command.
  private var key: String {
    fingerprint.isEmpty ? replica.hex : fingerprint.prefix(2).joined(separator: "-")
  }

  /// The device and the number of records, as JSON.
  var json: JSON {
    .object(
      ("device", .string(device)), ("replica", .string(replica.hex)),
      ("fingerprint", .string(fingerprint.joined(separator: "-"))),
      ("records", .integer(Int64(records))))
  }
}

extension HeldRecord {
  fileprivate var json: JSON {
    .object(
      ("id", id.map { .string($0.uuid) } ?? .null),
      ("kind", kind.map { .string($0.name) } ?? .null),
      ("title", title.map { .string($0) } ?? .null), ("device", .string(device)),
      ("time", time.map { .string(Instant.text($0)) } ?? .null))
  }
}
