import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel
import Syncing

extension Receipt {
  /// The number of events of each device.
  static func words(_ shares: [Share]) -> String {
    if shares.isEmpty { return "nothing" }
    // A device has several logs if its book was restored or copied.
    let events = Dictionary(shares.map { ($0.device, $0.events) }, uniquingKeysWith: +)
    return events.sorted { $0.key < $1.key }.map { device, events in
      "\(events) \(events == 1 ? "event" : "events") of \(device.visible)"
    }.joined(separator: ", ")
  }

  func json(_ conflicts: [JSON], joining book: UniqueID?) -> JSON {
    func devices(_ devices: [Device]) -> JSON {
      .array(
        devices.map { device in
          .object(
            ("device", .string(device.name)), ("replica", .string(device.replica.hex)),
            ("fingerprint", .string(device.fingerprint.joined(separator: "-"))))
        })
    }
    let waiting = JSON.array(
      zip(devices(waiting).array ?? [], waiting).map { shown, device in
        .object(
          (shown.members ?? []) + [JSON.Member("revokedSponsor", .words(device.sponsor?.name))])
      })
    func count(_ count: Int?) -> JSON { count.map { .integer(Int64($0)) } ?? .null }
    return .object(
      ("book", book.map { .string($0.hex) } ?? .null),
      ("sent", .array(sent.map(\.json))), ("received", .array(received.map(\.json))),
      ("healed", .array(healed.map(\.json))), ("withheld", .array(withheld.map(\.json))),
      ("untaken", .array(untaken.map(\.json))),
      ("went", .array(went.map(\.json))),
      ("came", .array(came.map(\.json))),
      ("conflicts", .array(conflicts)), ("cascades", .array(cascades.map(\.json))),
      ("closedFirst", .array(closedFirst.map(\.json))),
      ("survivors", .array(survivors.map(\.json))),
      ("heldErasures", .array(held.map(\.json))),
      ("uncounted", .array(uncounted.map(\.json))), ("admitted", devices(admitted)),
      ("letIn", devices(letIn)), ("guests", .array(guests.map(\.json))),
      ("waiting", waiting), ("couldNotAdmit", .boolean(couldNotAdmit)),
      ("isAdmitted", .boolean(isAdmitted)),
      ("removed", .array(removed.map { .string($0.string) })),
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
  /// The device and its events, as JSON.
  var json: JSON {
    .object(
      ("device", .string(device)), ("replica", .string(replica.hex)),
      ("events", .integer(Int64(clamping: events))))
  }
}

extension Receipt.Uncounted {
  /// How many of a device's events do not count, and why.
  var words: String {
    var parts: [String] = []
    if former > 0 {
      let verb = former == 1 ? "counts" : "count"
      parts.append("\(former.counted("event")) no longer \(verb) on this device")
    }
    if events > 0 {
      let verb = events == 1 ? "does" : "do"
      parts.append("\(events.counted("exchanged event")) \(verb) not count")
    }
    if isWaiting {
      return "\(device.visible) is waiting to be admitted: \(parts.joined(separator: ", and ")). "
        + "'daybook device admit \(device.quoted.visible)' makes \(former + events == 1 ? "it" : "them") count."
    }
    // The revoked device itself explains how to keep these changes. This device does not, because a thief may have made
    // them.
    return "\(device.visible) was revoked: \(parts.joined(separator: ", and "))."
  }

  fileprivate var json: JSON {
    .object(
      ("device", .string(device)), ("replica", .string(replica.hex)),
      ("events", .integer(Int64(clamping: events))),
      ("former", .integer(Int64(clamping: former))), ("isWaiting", .boolean(isWaiting)))
  }
}

extension Receipt.Changes {
  /// A device and its changes, such as `phone: added 2 birthdays; deleted 1 list, 3 todos; admitted desk; 1 bookkeeping
  /// event`.
  var words: String { "\(device.visible): \(deeds.joined(separator: "; "))" }

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

  /// The changes other than additions, edits, restorations and deletions.
  private var more: [String] {
    var told = pairs("merged", \.merged) + pairs("separated", \.parted) + devices.map(\.deed)
    // One erasure covers a record and its children, so it is not a count of records.
    if erased > held { told.append((erased - held).counted("erasure")) }
    if held > 0 { told.append(held.counted("held erasure")) }
    if emptied > 0 { told.append("\(emptied.counted("event")) about erased records") }
    if bookkeeping > 0 { told.append("\(bookkeeping.counted("bookkeeping event"))") }
    return told
  }

  /// The number of events that change neither records nor devices.
  private var bookkeeping: UInt64 { others - min(others, UInt64(devices.count) + erased) }

  /// Whether there are only events that change neither records nor devices.
  var isOnlyBookkeeping: Bool { bookkeeping > 0 && deeds.count == 1 }

  /// The changes in one line, such as `added todo Mop, list Home; admitted desk`, or as counts if there are many.
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

  /// The device and the counts of its changes, as JSON.
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
  /// The change as a phrase that follows a device's name.
  fileprivate var deed: String {
    switch self {
    case .named(let name, _): "named a device \(name.visible)"
    case .admitted(let name, _): "admitted \(name.visible)"
    case .revoked(let name): "revoked \(name.visible)"
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .named(let name, _): .object(("did", "named"), ("device", .string(name)))
    case .admitted(let name, _): .object(("did", "admitted"), ("device", .string(name)))
    case .revoked(let name): .object(("did", "revoked"), ("device", .string(name)))
    }
  }
}

extension Document {
  /// The record as JSON.
  var mention: JSON {
    .object(("kind", .string(kind.name)), ("id", .string(id.uuid)), ("title", .string(title)))
  }
}

extension Receipt.Survivor {
  fileprivate var json: JSON {
    .object((document.mention.members ?? []) + [JSON.Member("deletedBy", .words(deleter))])
  }
}

extension Kind {
  /// A count with its noun, such as `1 birthday` or `2 birthdays`.
  fileprivate func counted(_ count: Int) -> String {
    "\(count) " + (count == 1 ? name : Schema.schema(of: self)?.plural ?? name)
  }
}
