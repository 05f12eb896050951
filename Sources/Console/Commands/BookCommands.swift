import Bytes
import Daybook
import Domain
import Journaling
import Phrasing
import Platform

enum BookCommands {
  static let all = [rebuild, compact, status, places]

  private static let rebuild = CommandSpec(
    "rebuild", "Rebuild view.sqlite from the logs.", traits: .passesOn,
    examples: [
      "daybook rebuild", "daybook rebuild --verbose",
    ]
  ) { context in
    let rebuilt = try context.book().core.projector.rebuild()
    // Only the view contains a record of the erased bytes that were removed from the files. The files are therefore
    // read once after a rebuild.
    CommandEnd(context: context).finishErasures()
    if context.output.isJSON {
      return context.output.answer(.object(("events", .integer(Int64(clamping: rebuilt.events)))))
    }
    context.output.say("Rebuilt the view from \(rebuilt.events.counted("event")).")
  }

  private static let compact = CommandSpec(
    "compact", "Pack the logs into as few files as possible.",
    examples: ["daybook compact", "daybook compact --json"]
  ) { context in
    let done = try context.book().healer.compact()
    if context.output.isJSON {
      return context.output.answer(
        .object(("before", done.before.json), ("after", done.after.json)))
    }
    context.output.say("Packed \(done.before.words) into \(done.after.words).")
  }

  private static let status = CommandSpec(
    "status",
    "Show the state of the book, and its digest, which can be compared with the digest on another machine.",
    reading: .past, traits: .reportsLoss, examples: ["daybook status", "daybook status --json"],
    notes: [
      "The same digest on two machines means that all records have the same values. "
        + "Conflicts and history can still differ if a machine has events that the other lacks."
    ]
  ) { context in
    try ShowStatus(context: context).run()
  }

  private static let places = CommandSpec(
    "where", "Show where the book and its files are.", reading: .present,
    examples: [
      "daybook where", "daybook where --json",
    ]
  ) { context in
    let layout = Layout(folder: context.opener.folder)
    var places = [
      ("book", layout.folder), ("logs", layout.folder / "logs"), ("keys", layout.keys),
      ("view", layout.view),
    ]
    if let state = context.environment.stateFolder { places.append(("state", state)) }
    if let folder = context.environment.configurationFolder {
      places.append(("settings", folder / "daybook" / "config"))
    }
    if context.output.isJSON {
      return context.output.answer(
        .object(places.map { JSON.Member($0.0, .string($0.1.string)) }))
    }
    context.output.answer(rows: places.map { [Cell($0.0), Cell($0.1.string.visible)] })
    context.output.answer([
      context.output.paint.faint(
        "'daybook help environment' lists the variables that change these paths.")
    ])
  }
}

private struct ShowStatus {
  let context: CommandContext
  private var output: Output { context.output }

  private func pastStatus(at moment: Int64) throws {
    let status = try context.book().statusReader.status(at: moment)
    if output.isJSON {
      return output.answer(
        .object(
          ("time", .string(Instant.text(moment))),
          ("events", .integer(Int64(clamping: status.events))),
          ("digest", .string(Hex.encode(status.digest.bytes))),
          ("words", .string(status.words.joined(separator: "-"))),
          ("shownAlone", .integer(Int64(clamping: status.shownAlone))),
          ("counts", json(status.counts))))
    }
    let rows = [
      ["book", context.opener.folder.string.visible],
      ["events", "\(status.events) about records"],
      ["digest", status.words.joined(separator: "-")],
    ]
    output.answer(Table.lines(rows + Self.rows(of: status.counts)))
    OwnEventNotices(output: output).tellShownAlone(status.shownAlone)
  }

  private static func rows(of counts: [(kind: Kind, count: Int64)]) -> [[String]] {
    counts.filter { $0.count > 0 }.map { kind, count in
      [Schema.schema(of: kind)?.plural ?? kind.name, "\(count)"]
    }
  }

  private func json(_ counts: [(kind: Kind, count: Int64)]) -> JSON {
    .object(
      counts.map { kind, count in
        JSON.Member(Schema.schema(of: kind)?.plural ?? kind.name, .integer(count))
      })
  }

  func run() throws {
    if let moment = try context.viewed.milliseconds() { return try pastStatus(at: moment) }
    let status = try context.book().statusReader.status()
    let conflicts = try context.book().conflictReader.conflicts().count
    let waitingPeers = try context.book().contactBook.waitingPeers()
    if output.isJSON {
      return output.answer(
        json(
          status, conflicts: conflicts, waiting: waitingPeers.compactMap(\.waitingJSON),
          joining: try context.book().healthCheck.openJoins()))
    }
    let waiting = status.devices.filter { $0.standing == .waiting && !$0.isThis }
    var rows = [
      ["book", context.opener.folder.string.visible],
      ["events", "\(status.held), \(status.events) of them about records"],
      ["digest", status.words.joined(separator: "-")],
      [
        "devices",
        "\(Set(status.devices.map(\.key)).count)"
          + (waiting.isEmpty ? "" : ", \(waiting.count) waiting"),
      ],
    ]
    let heldBack = status.usage.filter(\.isHeldBack).map(\.device.listedName.visible)
    if !heldBack.isEmpty {
      let names = heldBack.joined(separator: ", ")
      rows.append(
        [
          "quotas",
          "events from \(names) exceed \(heldBack.count == 1 ? "its quota" : "their quotas") and are not accepted yet; see 'daybook device quota'",
        ])
    } else if let fullest = status.usage.max(by: { $0.percent < $1.percent }) {
      rows.append(
        [
          "quotas",
          "\(fullest.device.listedName.visible) has used \(fullest.percent)% of its quota, the highest share of any device; see 'daybook device quota'",
        ])
    }
    for peer in waitingPeers {
      guard let text = peer.waiting?.text(context.machine.timekeeper) else { continue }
      rows.append(["waiting", "\(text) in \(peer.name.visible)"])
    }
    for text in try context.book().healthCheck.openJoins()?.texts(context.machine.timekeeper) ?? []
    {
      rows.append(["joining", text])
    }
    rows += Self.rows(of: status.counts)
    if conflicts > 0 { rows.append(["conflicts", "\(conflicts), see 'daybook conflicts'"]) }
    if status.hidden > 0 {
      rows.append(
        [
          "hidden",
          "\(status.hidden.counted("event")) written under former keys of this device; \(OwnEventNotices.writingAgain)",
        ])
    }
    output.answer(Table.lines(rows))
    OwnEventNotices(output: output).tellShownAlone(status.shownAlone)
    HeldErasurePresenter(context: context).tellHeld(status.heldErasures)
    HeldErasurePresenter(context: context).tellDigestHolding(status.heldErasures)
    let names = status.missing.isEmpty ? [:] : try context.book().deviceList.deviceNames()
    for (replica, range) in status.missing {
      let name = names[replica] ?? replica.hex
      output.note(
        "\(range.asEvents) of \(name.visible) cannot be read; "
          + "another device may still have \(range.count == 1 ? "it" : "them").")
    }
    OwnEventNotices(output: output).tellStranded(try context.book().ownEvents.countOfStranded())
    if try context.book().eraser.isErasureUnconfirmed() {
      output.note(Finding.unconfirmedErasureWords + ".")
    }
    LossPresenter(context: context).warnOfPlace()
    LossPresenter(context: context).warnOfKey()
    tell(status.newer)
    StandingNotices(context: context).tellForks(status.forked)
    OwnEventNotices(output: output).tellUntaken(
      by: try context.book().receipts.untakenAtLastSync())
    OwnEventNotices(output: output).tellExcess(of: status.ownAmount)
    OwnEventNotices(output: output).tellRejection(
      by: try context.book().healthCheck.rejectingMachines())
    StandingNotices(context: context).tell(
      status.standing, hasTrustedDevice: status.hasTrustedDevice)
  }

  private func tell(_ newer: Status.Newer) {
    guard !newer.isNothing else { return }
    let records = newer.records == 1 ? "1 record" : "\(newer.records) records"
    let events = newer.events == 1 ? "1 event" : "\(newer.events) events"
    let parts = [
      newer.records == 0 ? nil : "parts of \(records)", newer.events == 0 ? nil : events,
    ]
    let isOne = newer.records == 0 && newer.events == 1
    output.note(
      "\(parts.compactMap(\.self).joined(separator: " and ")) cannot be shown, because a newer daybook wrote \(isOne ? "it" : "them"). "
        + "\(isOne ? "It is" : "They are") kept and passed on; update daybook to see \(isOne ? "it" : "them")."
    )
  }

  private func json(
    _ status: Status, conflicts: Int, waiting: [JSON], joining: OpenJoins?
  ) -> JSON {
    .object(
      ("events", .integer(Int64(clamping: status.events))),
      ("held", .integer(Int64(clamping: status.held))),
      ("digest", .string(Hex.encode(status.digest.bytes))),
      ("words", .string(status.words.joined(separator: "-"))),
      ("shownAlone", .integer(Int64(clamping: status.shownAlone))),
      ("hidden", .integer(Int64(clamping: status.hidden))),
      ("heldErasures", .array(status.heldErasures.map(\.json))),
      (
        "version",
        .object(
          status.version.map {
            JSON.Member($0.replica.hex, .integer(Int64(clamping: $0.sequence)))
          })
      ),
      ("counts", json(status.counts)), ("conflicts", .integer(Int64(conflicts))),
      (
        "newer",
        .object(
          ("records", .integer(status.newer.records)),
          ("events", .integer(Int64(clamping: status.newer.events))))
      ), ("isAdmitted", .boolean(status.isAdmitted)),
      ("quotas", .array(status.usage.map(\.json))),
      ("hasTrustedDevice", .boolean(status.hasTrustedDevice)),
      ("standing", status.standing.json),
      (
        "missing",
        .array(
          status.missing.map { replica, range in
            .object(
              ("replica", .string(replica.hex)),
              ("first", .integer(Int64(clamping: range.lowerBound))),
              ("last", .integer(Int64(clamping: range.upperBound))))
          })
      ), ("waiting", .array(waiting)), ("joining", .array(joining?.json ?? [])))
  }
}

/// Reports devices whose standing needs the user's attention.
struct StandingNotices {
  let context: CommandContext
  private var output: Output { context.output }

  /// Tells the user what to do about devices whose logs have forked.
  func tellForks(_ names: [String]) {
    for name in names {
      output.note(
        "either \(name.visible) wrote to an old copy of its folder, or two machines use its key. "
          + "Changes that reached another device are not lost. "
          + "If two machines use the key, run 'daybook device rekey' on one of them, "
          + "then the 'daybook device revoke WORDS' that it prints, "
          + "with --keep NAME for each other device that the old key alone admitted. "
          + "The other machine is then revoked, so run 'daybook device rekey' there as well, and admit its new key."
      )
    }
  }

  /// Warns if this device's writes might not take effect on other devices, or if no trusted device is left.
  func tell(_ standing: Standing, hasTrustedDevice: Bool) {
    if hasTrustedDevice, standing == .unknown || standing == .admitted { return }
    output.note(
      "\(standing.text(at: context.machine.timekeeper, hasTrustedDevice: hasTrustedDevice)).")
  }
}

extension Standing {
  fileprivate var json: JSON {
    switch self {
    case .beginningMissing: Self.json("beginningMissing", nil)
    case .unknown: Self.json("unknown", nil)
    case .admitted: Self.json("admitted", nil)
    case .waiting: Self.json("waiting", nil)
    case .revoked(let removal): Self.json("revoked", removal)
    }
  }

  private static func json(_ word: String, _ removal: Removal?) -> JSON {
    .object(
      ("is", .string(word)), ("by", removal.map { .string($0.author) } ?? .null),
      ("time", removal?.time.map { .string(Instant.text($0)) } ?? .null),
      ("cut", .integer(Int64(clamping: removal?.cut ?? 0))))
  }
}

extension Compaction.Count {
  fileprivate var words: String { "\(files) \(files == 1 ? "file" : "files") (\(bytes) bytes)" }
  fileprivate var json: JSON {
    .object(("files", .integer(Int64(files))), ("bytes", .integer(Int64(bytes))))
  }
}
