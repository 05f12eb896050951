import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel
import Syncing

/// Says what a sync came to.
struct ReceiptPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Tells what a sync came to.
  func tell(_ receipt: Receipt, joining book: UniqueID? = nil) throws {
    if output.isJSON {
      output.answer(try json(of: receipt, joining: book))
    } else {
      try tellChanges(of: receipt)
    }
    tellRest(of: receipt)
  }

  /// The receipt for programs.
  func json(of receipt: Receipt, joining book: UniqueID? = nil) throws -> JSON {
    let snapshot = try context.presentSnapshot()
    var receipt = receipt
    if receipt.digest == nil {
      receipt.digest = try context.book().digest()
      receipt.shownAlone = try context.book().countOfShownAlone()
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
    if context.trial != nil { members.append(JSON.Member("isDryRun", .boolean(true))) }
    return .object(members)
  }

  /// Tells of a sync what goes beside what came and went.
  func tellRest(of receipt: Receipt) {
    tellDevices(of: receipt)
    HeldErasurePresenter(context: context).tellHeld(receipt.held)
    for uncounted in receipt.uncounted { output.note(uncounted.words) }
    OwnEventNotices(output: output).tellHidden(receipt.hidden)
    OwnEventNotices.tellStranded(once: context)
    StandingNotices(context: context).tell(receipt.standing)
    if receipt.becameAdmitted {
      let verb = context.trial == nil ? "is" : "would be"
      output.say("This device \(verb) admitted now: what is written here counts on all devices.")
    }
    tellClocks(of: receipt)
    if let words = receipt.words?.joined(separator: "-") {
      output.say(context.trial == nil ? "The digest is \(words)." : "The digest would be \(words).")
      OwnEventNotices(output: output).tellShownAlone(receipt.shownAlone)
      HeldErasurePresenter(context: context).tellDigestHolding(receipt.held)
    }
    for share in receipt.withheld {
      tellWithheld(share.events, of: share.device, share.replica, "sent")
    }
    tellUntaken(receipt.untaken)
    if !receipt.untaken.isEmpty { context.exit = max(context.exit, .network) }
    ProblemPresenter(context: context).tell(receipt.problems)
    if context.trial != nil { output.say("This was a dry run: nothing was written.") }
  }

  /// Reports events that were sent and that the peer did not keep.
  func tellUntaken(_ shares: [Receipt.Share]) {
    for share in shares {
      output.note(
        "the peer did not keep \(share.events.counted("event")) of \(share.device.visible). That device may have "
          + "reached its quota there ('daybook device quota' shows it there), or the disk is full. The next "
          + "sync sends what is missing.", isLoss: true)
    }
  }

  /// Says that events stay on this device, since nothing proves to others whose they are.
  func tellWithheld(_ count: UInt64, of device: String, _ log: UniqueID, _ verb: String) {
    // The message must not fail over a detail of it.
    let reached = (try? context.book().countReached(among: count, of: log)) ?? 0
    let others = reached == 0 ? "" : " Other devices are known to have \(reached) of them."
    output.note(
      "\(count.counted("event")) of \(device.visible) \(count == 1 ? "was" : "were") not \(verb): no "
        + "signature of them is kept here, and the key of that log is not in keys/. Put \(log.hex).pem "
        + "back from a backup; until then this device can give them to no other.\(others)",
      isLoss: true)
    context.exit = max(context.exit, .dataFault)
  }

  func tellChanges(of receipt: Receipt) throws {
    ComparisonPresenter(context: context).tellComparison(of: receipt)
    let verbs =
      context.trial == nil
      ? ["Sent", "received", "healed", "came from", "went out from"]
      : ["Would send", "would receive", "would heal", "would come from", "would go out from"]
    let healed = receipt.healed.isEmpty ? "" : "; \(verbs[2]) \(Receipt.words(receipt.healed))"
    let (sent, received) = (Receipt.words(receipt.sent), Receipt.words(receipt.received))
    output.say("\(verbs[0]) \(sent); \(verbs[1]) \(received)\(healed).")
    for changes in receipt.came { output.say("  \(verbs[3]) \(changes.words)") }
    for changes in receipt.went { output.say("  \(verbs[4]) \(changes.words)") }
    try CascadePresenter(context: context).tellCascades(of: receipt)
    try tellSurvivors(of: receipt)
    try tellConflicts(of: receipt)
  }

  /// Tells what is to be settled because of what came, and how much there was already.
  private func tellConflicts(of receipt: Receipt) throws {
    let count = receipt.conflicts.count
    guard count > 0 else { return }
    output.say(
      count == 1
        ? "1 new conflict is to be settled:" : "\(count) new conflicts are to be settled:")
    let snapshot = try context.presentSnapshot()
    let lines = try ConflictPresenter(context: context).lines(of: receipt.conflicts, snapshot)
    for line in lines { output.say(line) }
    let older = try snapshot.book.conflicts(in: snapshot.model).count - count
    guard older > 0 else { return }
    output.say(
      (older == 1 ? "1 older conflict is" : "\(older) older conflicts are")
        + " open, too: 'daybook conflicts' lists all.")
  }

  /// Says whose clock cannot be believed, of those from whom something has come.
  private func tellClocks(of receipt: Receipt) {
    let came = Set(receipt.received.map(\.replica))
    // What cannot be told now, 'daybook devices' tells.
    guard !came.isEmpty, let devices = try? context.book().devices() else { return }
    for device in devices where device.isClockSuspect && came.contains(device.replica) {
      output.note(
        "\(device.name.visible): \(device.clockWords) Set the clock there, or here if this one is "
          + "wrong; what is written meanwhile counts all the same.")
    }
  }

  private func tellSurvivors(of receipt: Receipt) throws {
    guard !receipt.survivors.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    output.say(
      "A record was erased by who did not know of all that it was joined with. This lives on:")
    for document in receipt.survivors {
      let command = "daybook erase \(try snapshot.shortID(document.id))"
      output.say("  \(try snapshot.name(of: document)), which '\(command)' erases, too")
    }
  }

  func tellDevices(of receipt: Receipt) {
    for device in receipt.admitted {
      let verb = context.trial == nil ? "Admitted" : "Would admit"
      output.say("\(verb) \(device.name.visible) (\(device.fingerprint.joined(separator: "-"))).")
    }
    for device in receipt.letIn {
      guard let admission = device.admission else { continue }
      let (key, time) = (device.fingerprint.joined(separator: "-"), admission.time)
      let day = time.map { " on \(context.machine.timekeeper.localText(of: $0))" } ?? ""
      let way = admission.route.map { " \($0.words)" } ?? ""
      output.say("\(admission.author.visible) let in \(device.name.visible) (\(key))\(day)\(way).")
    }
    if receipt.couldNotAdmit {
      output.note("this device is not admitted itself, so it can admit nobody.")
    } else {
      for device in receipt.waiting {
        let words = device.fingerprint.joined(separator: "-")
        output.note(
          "\(device.name.visible) (\(words)) waits to be admitted. If you know it: "
            + "daybook device admit \(device.fingerprint.prefix(2).joined(separator: "-"))")
      }
    }
  }
}

extension Receipt {
  /// How many events of whom.
  static func words(_ shares: [Share]) -> String {
    if shares.isEmpty { return "nothing" }
    // A device has several logs where its book was restored or copied.
    let events = Dictionary(shares.map { ($0.device, $0.events) }, uniquingKeysWith: +)
    return events.sorted { $0.key < $1.key }.map { device, events in
      "\(events) \(events == 1 ? "event" : "events") of \(device.visible)"
    }.joined(separator: ", ")
  }

  /// The receipt for programs.
  fileprivate func json(_ conflicts: [JSON], joining book: UniqueID?) -> JSON {
    func devices(_ devices: [Device]) -> JSON {
      .array(
        devices.map { device in
          .object(
            ("device", .string(device.name)), ("replica", .string(device.replica.hex)),
            ("fingerprint", .string(device.fingerprint.joined(separator: "-"))))
        })
    }
    func count(_ count: Int?) -> JSON { count.map { .integer(Int64($0)) } ?? .null }
    return .object(
      ("book", book.map { .string($0.hex) } ?? .null),
      ("sent", .array(sent.map(\.json))), ("received", .array(received.map(\.json))),
      ("healed", .array(healed.map(\.json))), ("withheld", .array(withheld.map(\.json))),
      ("untaken", .array(untaken.map(\.json))),
      ("went", .array(went.map(\.json))),
      ("came", .array(came.map(\.json))),
      ("conflicts", .array(conflicts)), ("cascades", .array(cascades.map(\.json))),
      ("survivors", .array(survivors.map(\.mention))),
      ("heldErasures", .array(held.map(\.json))),
      ("uncounted", .array(uncounted.map(\.json))), ("admitted", devices(admitted)),
      ("letIn", devices(letIn)),
      ("waiting", devices(waiting)), ("couldNotAdmit", .boolean(couldNotAdmit)),
      ("isAdmitted", .boolean(isAdmitted)),
      ("problems", .array(problems.map { .string($0.text) })),
      ("bytesSent", count(traffic?.bytesSent)), ("bytesReceived", count(traffic?.bytesReceived)),
      ("roundTrips", count(traffic?.roundTrips)),
      ("digest", digest.map { .string($0.hex) } ?? .null),
      ("words", words.map { .string($0.joined(separator: "-")) } ?? .null),
      ("shownAlone", .integer(Int64(clamping: shownAlone))),
      ("hidden", .integer(Int64(clamping: hidden))))
  }
}

extension Receipt.Share {
  /// Whose, and how many, for programs.
  var json: JSON {
    .object(
      ("device", .string(device)), ("replica", .string(replica.hex)),
      ("events", .integer(Int64(clamping: events))))
  }
}

extension Receipt.Uncounted {
  /// How much of whose does not count, why, and what to do.
  var words: String {
    var parts: [String] = []
    if former > 0 { parts.append("\(former.counted("event")) had counted here and no more") }
    if events > 0 {
      let verb = events == 1 ? "counts" : "count"
      parts.append("\(events.counted("event")) that went over \(verb) nowhere")
    }
    if isWaiting {
      return "of \(device.visible), \(parts.joined(separator: ", and ")): it waits to be admitted. "
        + "'daybook device admit' with its name shows them again."
    }
    return
      "of \(device.visible), \(parts.joined(separator: ", and ")): it was revoked. What it says is "
      + "seen there alone, until that device gets a new key; 'daybook export --uncounted -o kept.jsonl' "
      + "there keeps it, and 'daybook import kept.jsonl' then writes it again."
  }

  fileprivate var json: JSON {
    .object(
      ("device", .string(device)), ("replica", .string(replica.hex)),
      ("events", .integer(Int64(clamping: events))),
      ("former", .integer(Int64(clamping: former))), ("isWaiting", .boolean(isWaiting)))
  }
}

extension Receipt.Changes {
  /// Whose, and what: `phone: added 2 birthdays; deleted 1 list, 3 todos; admitted desk; 1 event of bookkeeping`.
  fileprivate var words: String { "\(device.visible): \(deeds.joined(separator: "; "))" }

  private var deeds: [String] {
    let parts: [(String, (Tally) -> Int)] = [
      ("added", \.added), ("changed", \.changed), ("restored", \.restored),
      ("deleted", \.deleted),
    ]
    let told = parts.compactMap { verb, count -> String? in
      let kinds = tallies.filter { count($0) > 0 }.map { $0.kind.counted(count($0)) }
      return kinds.isEmpty ? nil : "\(verb) \(kinds.joined(separator: ", "))"
    }
    return told + more
  }

  /// What was done beside adding, changing and deleting.
  private var more: [String] {
    var told = pairs("merged", \.merged) + pairs("parted", \.parted) + devices.map(\.deed)
    // One erasure covers a record and what belongs to it, so it is not a count of records.
    if erased > held { told.append((erased - held).counted("erasure")) }
    if held > 0 { told.append("\(held.counted("erasure")), held here") }
    let rest = others - min(others, UInt64(devices.count) + erased)
    if emptied > 0 { told.append("\(emptied.counted("event")) about what is erased") }
    if rest > 0 { told.append("\(rest.counted("event")) of bookkeeping") }
    return told
  }

  /// What, in a line: `added todo Mop, list Home; admitted desk`, or in numbers where they are many.
  var brief: String {
    var told: [String] = []
    let deeds: [(String, Tally.Deed)] = [
      ("added", .added), ("changed", .changed), ("restored", .restored), ("deleted", .deleted),
    ]
    for (verb, deed) in deeds {
      let records = few.filter { $0.deed == deed }.map { record in
        record.title.isEmpty ? record.kind.name : "\(record.kind.name) \(record.title.visible)"
      }
      if !records.isEmpty { told.append("\(verb) \(records.joined(separator: ", "))") }
    }
    return (told.isEmpty ? self.deeds : told + more).joined(separator: "; ")
  }

  private func pairs(_ verb: String, _ count: (Tally) -> Int) -> [String] {
    let kinds = tallies.filter { count($0) > 0 }.map { tally in
      let plural = Schema.schema(of: tally.kind)?.plural ?? tally.kind.name
      return "\(UInt64(count(tally)).counted("pair")) of \(plural)"
    }
    return kinds.isEmpty ? [] : ["\(verb) \(kinds.joined(separator: ", "))"]
  }

  /// Whose, and how much, for programs.
  var json: JSON {
    let records = tallies.map { tally in
      JSON.object(
        ("kind", .string(tally.kind.name)), ("added", .integer(Int64(tally.added))),
        ("changed", .integer(Int64(tally.changed))),
        ("restored", .integer(Int64(tally.restored))), ("deleted", .integer(Int64(tally.deleted))),
        ("merged", .integer(Int64(tally.merged))), ("parted", .integer(Int64(tally.parted))))
    }
    return .object(
      ("device", .string(device)), ("replica", .string(replica.hex)), ("records", .array(records)),
      ("devices", .array(devices.map(\.json))), ("erased", .integer(Int64(clamping: erased))),
      ("held", .integer(Int64(clamping: held))),
      ("emptied", .integer(Int64(clamping: emptied))),
      ("others", .integer(Int64(clamping: others))))
  }
}

extension LastingChange {
  /// What a device did, behind its name.
  fileprivate var deed: String {
    switch self {
    case .named(let name): "called a device \(name.visible)"
    case .admitted(let name): "admitted \(name.visible)"
    case .revoked(let name): "revoked \(name.visible)"
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .named(let name): .object(("did", "named"), ("device", .string(name)))
    case .admitted(let name): .object(("did", "admitted"), ("device", .string(name)))
    case .revoked(let name): .object(("did", "revoked"), ("device", .string(name)))
    }
  }
}

extension Document {
  /// Which it is, for programs.
  var mention: JSON {
    .object(("kind", .string(kind.name)), ("id", .string(id.uuid)), ("title", .string(title)))
  }
}

extension Kind {
  /// So many of the kind: `1 birthday`, `2 birthdays`.
  fileprivate func counted(_ count: Int) -> String {
    "\(count) " + (count == 1 ? name : Schema.schema(of: self)?.plural ?? name)
  }
}
