import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Verifying

enum HealthCommands {
  static let all = [verify, doctor]

  private static let verify = CommandSpec(
    "verify", "Read every byte of the logs and check every hash and signature.",
    reading: .present, traits: .reportsLoss,
    option(
      "repair", "PEER",
      "Restore the missing events from a peer, file, folder, tcp://HOST:PORT or ssh://HOST."),
    flag("accept-loss", "Accept the missing events as lost, and stop reporting them."),
    examples: [
      "daybook verify", "daybook verify --repair /media/stick/book.bundle",
      "daybook verify --accept-loss",
    ]
  ) { context, source, acceptsLoss in
    if let source {
      try VerifyBook(context: context).heal(from: PeerReader(context: context).knownPeer(source))
      if acceptsLoss { try LossPresenter(context: context).acceptLoss() }
    } else if acceptsLoss {
      try LossPresenter(context: context).acceptLoss()
    } else {
      try VerifyBook(context: context).verify()
    }
  }

  private static let doctor = CommandSpec(
    "doctor", "Check the book and this machine for problems, and explain what to do about them.",
    reading: .present, traits: .reportsLoss,
    flag(
      "tidy",
      "Remove unfinished files that a crash left behind, and make the keys readable only by you."
    ),
    examples: ["daybook doctor", "daybook doctor --tidy"]
  ) { context, tidies in
    var diagnosis = try context.book().healthCheck.diagnose(tidying: tidies)
    // Erasures are finished after the checks, which must see the files unchanged.
    CommandEnd(context: context).finishErasures()
    if try context.book().eraser.hasFailed { diagnosis.findings.append(.erasureLeft) }
    try DiagnosisPresenter(context: context).tell(diagnosis)
    // Reading the settings reports their faults.
    _ = context.preferences
  }
}

/// Verifies the logs, and repairs them from a peer.
private struct VerifyBook {
  let context: CommandContext
  private var output: Output { context.output }

  func verify() throws {
    let book = try context.book()
    let report = try book.verifier.verify()
    LossPresenter(context: context).warnOfPlace()
    LossPresenter(context: context).warnOfKey()
    let loss = try book.losses.loss(in: report)
    CommandEnd(context: context).finishErasures()
    if output.isJSON {
      output.answer(.object(members(report) + members(loss)))
    } else {
      output.answer(report.faults.map { output.paint.urgent($0.text) })
      LossPresenter(context: context).tell(loss)
      noteTrust(report)
    }
    guard report.isClean else { throw ConsoleError.faultsFound(in: report) }
    if output.isJSON { return }
    output.answer([summary(report)])
    noteBodies(report)
  }

  /// Returns a phrase for the number of signatures.
  ///
  /// A tail is signed only when it is sealed or sent.
  private func signatures(_ count: Int) -> String {
    count > 0
      ? count.counted("signature")
      : "no signature yet (the next sync signs these events)"
  }

  private func members(_ loss: Loss) -> [JSON.Member] {
    [JSON.Member("missing", .array(loss.gaps.map(\.json)))]
      + LossPresenter(context: context).members(loss)
  }

  private func noteTrust(_ report: VerificationReport) {
    guard report.remembered > 0 else { return }
    let (events, it) =
      report.remembered == 1 ? ("1 event", "it") : ("\(report.remembered) events", "them")
    output.note(
      "the logs have lost \(events) about who may write; the book remembers the content, which still applies. "
        + "To restore \(it) from a peer that has \(it), run 'daybook verify --repair PEER'.")
  }

  private func noteBodies(_ report: VerificationReport) {
    guard report.bodiless > 0 else { return }
    let isOne = report.bodiless == 1
    let events =
      isOne ? "1 event has lost its body" : "\(report.bodiless) events have lost their bodies"
    output.note(
      "\(events), and no erasure on this device explains why; a sync may fetch \(isOne ? "the body or the erasure" : "the bodies or the erasures")."
    )
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
    let accepted = [
      report.accepted > 0 ? report.accepted.counted("event") : nil,
      report.acceptedBodies > 0
        ? "the content of \(report.acceptedBodies.counted("event"))" : nil,
    ].compactMap(\.self).joined(separator: " and ")
    if accepted.isEmpty { return "No faults found: \(counts)." }
    return "No further faults found: \(counts). Accepted as lost: \(accepted)."
  }

  private func members(_ report: VerificationReport) -> [JSON.Member] {
    [
      JSON.Member("isClean", .boolean(report.isClean)),
      JSON.Member("events", .integer(Int64(report.logs.reduce(0) { $0 + $1.events }))),
      JSON.Member("bytes", .integer(Int64(report.logs.reduce(0) { $0 + $1.bytes }))),
      JSON.Member("accepted", .integer(Int64(clamping: report.accepted))),
      JSON.Member("acceptedBodies", .integer(Int64(clamping: report.acceptedBodies))),
      JSON.Member("remembered", .integer(Int64(clamping: report.remembered))),
      JSON.Member("bodiless", .integer(Int64(clamping: report.bodiless))),
      JSON.Member("faults", .array(report.faults.map(\.json))),
    ]
  }

  func heal(from peer: PeerAddress) throws {
    let healing = try context.book().healer.heal(from: peer)
    if output.isJSON {
      output.answer(
        .object(
          members(healing.after) + [
            JSON.Member("healed", .array(healing.healed.map(\.json))),
            JSON.Member("left", .array(healing.left.map(\.json))),
            try LossPresenter(context: context).repairs(),
          ]))
    } else {
      try tellHealing(healing, from: peer)
    }
    guard healing.after.isClean else { throw ConsoleError.faultsFound(in: healing.after) }
    if !healing.isWhole { context.exit = .dataFault }
    if !output.isJSON { output.answer([summary(healing.after)]) }
  }

  private func tellHealing(_ healing: Healing, from peer: PeerAddress) throws {
    try LossPresenter(context: context).tellRepairs()
    output.answer(healing.healed.map { "Healed: \($0.words)." })
    try tellUnproved(healing.receipt?.withheld ?? [], from: peer)
    // The lost events might not have been known to be missing before.
    if healing.healed.isEmpty, let received = healing.receipt?.received, !received.isEmpty {
      output.answer(["Recovered: \(Receipt.words(received))."])
    }
    output.answer(healing.after.faults.map { output.paint.urgent($0.text) })
    for gap in healing.left {
      output.note(
        "\(gap.words): the peer does not have \(gap.range.count == 1 ? "it" : "them"). "
          + "Try another device, a bundle or a backup of the book's folder; "
          + "if none has \(gap.range.count == 1 ? "it" : "them"), "
          + "accept the loss with 'daybook verify --accept-loss'.")
    }
    if let receipt = healing.receipt {
      ReceiptPresenter(context: context).tellRemoved(receipt.removed)
      ProblemPresenter(context: context).tell(receipt.problems)
    }
  }
}

extension VerifyBook {
  /// Reports events in copies of logs that were not accepted because they are not signed, and says what to use instead.
  fileprivate func tellUnproved(_ shares: [Receipt.Share], from peer: PeerAddress) throws {
    guard !shares.isEmpty else { return }
    let devices = try context.book().deviceList.devices()
    let own = devices.first(where: \.isThis)?.key
    let isFolder = if case .directory = peer { true } else { false }
    for share in shares {
      let device = share.device.visible
      let isOwn = own != nil && devices.first { $0.replica == share.replica }?.key == own
      let advice =
        !isOwn
        ? "Sync with \(device), or use a bundle that it has written."
        : isFolder
          ? "If that folder is a copy of this book, put the key of this device into its keys/ folder."
          : "Use the whole folder of the book, with its keys."
      output.note(
        "\(share.events.counted("event")) of \(device) in that \(isFolder ? "folder" : "file") cannot be trusted, "
          + "because no signature proves who wrote \(share.events == 1 ? "it" : "them"). \(advice)")
    }
  }
}

/// Shows the findings of `doctor`.
private struct DiagnosisPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  func tell(_ diagnosis: Diagnosis) throws {
    if diagnosis.hasProblem {
      context.exit = max(context.exit, diagnosis.hasDamage ? .dataFault : .refused)
    }
    if output.isJSON { return output.answer(json(diagnosis)) }
    for path in diagnosis.removed { output.say("Removed \(path.string.visible).") }
    for path in diagnosis.restricted {
      output.say("Only you can access \(path.string.visible) now.")
    }
    output.answer(
      Table.lines(
        diagnosis.findings.map { finding in
          [finding.verdict.rawValue, finding.subject, finding.text(at: context.machine.timekeeper)]
        }
      ).enumerated().map { line, text in
        diagnosis.findings[line].verdict == .problem ? output.paint.urgent(text) : text
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
              ("text", .string(finding.text(at: context.machine.timekeeper))))
          })
      ), ("removed", .array(diagnosis.removed.map { .string($0.string) })),
      ("restricted", .array(diagnosis.restricted.map { .string($0.string) })))
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
