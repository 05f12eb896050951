import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Verifying

extension Verb {
  static let health = [verify, doctor]

  private static let verify = Verb(
    "verify", "Read every byte of the logs and check every hash and signature.",
    reading: .present,
    option(
      "repair", "PEER", "A peer, file, folder or tcp://HOST:PORT to take what is missing from."),
    flag("accept-loss", "Go on without the events that are missing, and tell of them no more."),
    examples: [
      "daybook verify", "daybook verify --repair /media/stick/book.bundle",
      "daybook verify --accept-loss",
    ]
  ) { context, source, acceptsLoss in
    if let source {
      try context.heal(from: context.knownPeer(source))
      if acceptsLoss { try context.acceptLoss() }
    } else if acceptsLoss {
      try context.acceptLoss()
    } else {
      try context.verify()
    }
  }

  private static let doctor = Verb(
    "doctor", "Look everything over that can go wrong, and say what to do about it.",
    reading: .present,
    flag("tidy", "Remove what crashes left half-done, where nobody can still be at it."),
    examples: ["daybook doctor", "daybook doctor --tidy"]
  ) { context, tidies in
    let diagnosis = try context.book().diagnose(tidying: tidies)
    // After the checks, which are to see the files as they were.
    context.finishErasures()
    try context.tell(diagnosis)
    // Reading the settings says what is wrong with them.
    _ = context.preferences
  }
}

// MARK: Verification

extension Context {
  fileprivate func verify() throws {
    let book = try book()
    let report = try book.verify()
    warnOfPlace()
    warnOfKey()
    let loss = try book.loss(in: report)
    finishErasures()
    if isJSON {
      answer(.object(members(report) + members(loss)))
    } else {
      answer(report.faults.map { paint.urgent($0.text) })
      tell(loss)
      noteTrust(report)
    }
    guard report.isClean else { throw ConsoleError.faultsFound(in: report) }
    if isJSON { return }
    answer([summary(report)])
    noteBodies(report)
  }

  /// A tail gets its signature only when it is sealed or sent.
  private func signatures(_ count: Int) -> String {
    count > 0
      ? count.counted("signature")
      : "no signature yet (the next sync signs what was written here)"
  }

  private func members(_ loss: Loss) -> [JSON.Member] {
    [
      JSON.Member("missing", .array(loss.gaps.map(\.json))),
      JSON.Member("titles", .array(loss.titles.map(JSON.string))),
    ]
  }

  private func noteTrust(_ report: VerificationReport) {
    guard report.remembered > 0 else { return }
    let events = report.remembered == 1 ? "1 event" : "\(report.remembered) events"
    note(
      "of those that say who may write, the logs have lost \(events); "
        + "the book remembers what was said, and it holds. "
        + "'daybook verify --repair PEER' takes \(report.remembered == 1 ? "it" : "them") from who "
        + "holds \(report.remembered == 1 ? "it" : "them").")
  }

  private func noteBodies(_ report: VerificationReport) {
    guard report.bodiless > 0 else { return }
    let bodies = report.bodiless == 1 ? "1 event has" : "\(report.bodiless) events have"
    note(
      "\(bodies) lost the body, and no erasure that is held here accounts for it; "
        + "a sync may bring the one or the other.")
  }

  private func summary(_ report: VerificationReport) -> String {
    func sum(_ count: (VerifiedLog) -> some BinaryInteger) -> Int {
      report.logs.reduce(0) { $0 + Int(clamping: count($1)) }
    }
    let whole = report.logs.count { !$0.isStrand }
    let branches = report.logs.count - whole
    let forks = branches == 0 ? "" : " with \(branches.counted("branch", "branches"))"
    let parts = [
      whole.counted("log") + forks, sum { $0.events }.counted("event"),
      sum { $0.frames }.counted("frame"), sum { $0.bytes }.counted("byte"),
      signatures(sum { $0.heads }),
    ]
    let counts = parts.joined(separator: ", ")
    guard report.accepted > 0 else { return "All is well: \(counts)." }
    return "What is here is sound: \(counts). \(report.accepted.counted("event")) accepted as lost."
  }

  private func members(_ report: VerificationReport) -> [JSON.Member] {
    [
      JSON.Member("isClean", .boolean(report.isClean)),
      JSON.Member("events", .integer(Int64(report.logs.reduce(0) { $0 + $1.events }))),
      JSON.Member("bytes", .integer(Int64(report.logs.reduce(0) { $0 + $1.bytes }))),
      JSON.Member("accepted", .integer(Int64(clamping: report.accepted))),
      JSON.Member("remembered", .integer(Int64(clamping: report.remembered))),
      JSON.Member("bodiless", .integer(Int64(clamping: report.bodiless))),
      JSON.Member("faults", .array(report.faults.map(\.json))),
    ]
  }

  fileprivate func heal(from peer: PeerAddress) throws {
    let healing = try book().heal(from: peer)
    if isJSON {
      answer(
        .object(
          members(healing.after) + [
            JSON.Member("healed", .array(healing.healed.map(\.json))),
            JSON.Member("left", .array(healing.left.map(\.json))),
          ]))
    } else {
      tell(healing)
    }
    guard healing.after.isClean else { throw ConsoleError.faultsFound(in: healing.after) }
    if !healing.isWhole { exit = .dataFault }
    if !isJSON { answer([summary(healing.after)]) }
  }

  private func tell(_ healing: Healing) {
    answer(healing.healed.map { "Healed: \($0.words)." })
    for share in healing.receipt?.withheld ?? [] {
      note(
        "\(share.events.counted("event")) of \(share.device.visible) in that file cannot be believed: no "
          + "signature proves whose they are. Give the whole folder of the book, with its keys.")
    }
    // Nothing may have known of what was lost.
    if healing.healed.isEmpty, let received = healing.receipt?.received, !received.isEmpty {
      answer(["Came back: \(Receipt.words(received))."])
    }
    answer(healing.after.faults.map { paint.urgent($0.text) })
    for gap in healing.left {
      note(
        "\(gap.words): not to be had there. Try another device, a bundle or a backup of this folder; "
          + "if none has it, 'daybook verify --accept-loss' goes on without it.")
    }
    if let receipt = healing.receipt { tell(receipt.problems) }
  }
}

extension Fault {
  fileprivate var json: JSON {
    .object(
      ("file", .string(file)), ("offset", .integer(Int64(offset))),
      ("sequence", sequence.map { .integer(Int64(clamping: $0)) } ?? .null),
      ("text", .string(text)))
  }
}

// MARK: Diagnosis

extension Context {
  fileprivate func tell(_ diagnosis: Diagnosis) throws {
    if diagnosis.hasProblem { exit = max(exit, diagnosis.hasDamage ? .dataFault : .refused) }
    if isJSON { return answer(json(diagnosis)) }
    for path in diagnosis.removed { say("Removed \(path.string.visible).") }
    answer(
      Table.lines(
        diagnosis.findings.map { finding in
          [finding.verdict.rawValue, finding.subject, finding.text(at: machine.timekeeper)]
        }
      ).enumerated().map { line, text in
        diagnosis.findings[line].verdict == .problem ? paint.urgent(text) : text
      })
  }

  private func json(_ diagnosis: Diagnosis) -> JSON {
    .object(
      ("hasProblem", .boolean(diagnosis.hasProblem)),
      (
        "checks",
        .array(
          diagnosis.findings.map { finding in
            .object(
              ("subject", .string(finding.subject)), ("verdict", .string(finding.verdict.rawValue)),
              ("text", .string(finding.text(at: machine.timekeeper))))
          })
      ), ("removed", .array(diagnosis.removed.map { .string($0.string) })))
  }
}
