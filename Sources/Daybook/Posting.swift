import Bytes
import Domain
import Journaling
import ReadModel

/// Events on their way from the journal to the records: what they saw, whom they trust, and what they say.
///
/// Every event is posted, also of logs that are not folded, since trust and pasts come from all of them.
struct Posting {
  var causality: Causality
  var ledger: Ledger
  /// What the events posted had newly seen, for the read model to remember.
  private(set) var notes: [Sighting] = []
  /// What the commands that undid others are, by their first events and those that belong to them.
  private(set) var undoing: [EventKey: Undoer] = [:]

  init(causality: Causality, ledger: Ledger) {
    self.causality = causality
    self.ledger = ledger
  }

  /// Posts those of a frame's events that are asked for, and hands on the facts among them.
  ///
  /// The table holds the ids that the log's indices stand for, as of its end. An event names only those that
  /// its author had told by then: else what it says would depend on when it is read.
  mutating func post(
    _ frame: borrowing Frame, of log: UniqueID, _ events: ClosedRange<UInt64>,
    table: [UniqueID], _ take: (Fact) -> Void
  ) {
    let number = causality.number(of: log, replica: log)
    var told = frame.information.tableCount
    for event in frame.events {
      // The frame was checked when it was read, so a header that fails now cannot be; it names nothing.
      let header = event.hasExtras ? try? frame.header(of: event) : nil
      told += UInt64(header?.introduced.count ?? 0)
      guard events.contains(event.sequence) else { continue }
      let table = table.prefix(Int(clamping: told))
      let key = EventKey(log: number, sequence: event.sequence)
      if event.sequence == 1 { ledger.firstHashes[log] = event.hash.prefix16 }
      if let header { noteSeen(header, of: key, table: table) }
      guard let verb = event.verb else { continue }
      let body = frame.content.span.extracting(event.body)
      if JournalVerb.domain.contains(verb) {
        guard let fact = fact(of: event, body: body, key: key, table: table) else { continue }
        take(fact)
      } else if JournalVerb.trust.contains(verb) {
        // A verb of a newer version is kept in the log and means nothing here yet.
        guard let verb = (try? TrustVerb.decode(body)) ?? nil else { continue }
        ledger.trustEvents.append(TrustEvent(log: log, sequence: event.sequence, verb: verb))
      }
    }
  }

  private mutating func fact(
    of event: EventRecord, body: Span<UInt8>, key: EventKey, table: ArraySlice<UniqueID>
  ) -> Fact? {
    let decoded: Body?
    do throws(BodyError) {
      decoded = try Body.decode(body, author: key.log) { index in
        index < UInt64(table.count) ? causality.number(of: table[Int(index)]) : nil
      }
    } catch {
      // Total by design: what does not read as a domain event changes nothing and stays in the log.
      return nil
    }
    guard let decoded else { return nil }
    return Fact(
      key: key, time: event.time, when: event.when, hash: event.hash.prefix16, body: decoded)
  }

  private mutating func noteSeen(
    _ header: Header, of key: EventKey, table: ArraySlice<UniqueID>
  ) {
    if let link = header.link, let log = number(of: link, in: key.log, table) {
      let undone = EventKey(log: log, sequence: link.sequence)
      let undoer: Undoer = undoing[undone] == .undo ? .redo : .undo
      for sequence in key.sequence...(key.sequence + header.more) {
        undoing[EventKey(log: key.log, sequence: sequence)] = undoer
      }
    }
    for seen in header.seen {
      let other: UniqueID
      switch seen.log {
      case .introduced(let id): other = id
      case .index(let index):
        guard index < UInt64(table.count) else { continue }
        other = table[Int(index)]
      }
      saw(
        Sighting(
          event: key, other: causality.number(of: other, replica: other), upTo: seen.sequence,
          exceptions: seen.missing))
    }
  }

  /// The log that a reference of an author's leads to.
  private func number(
    of reference: Reference, in author: UInt32, _ table: ArraySlice<UniqueID>
  ) -> UInt32? {
    guard let index = reference.index else { return author }
    return index < UInt64(table.count) ? causality.number(of: table[Int(index)]) : nil
  }

  /// Notes what the author of an event had folded by then.
  mutating func saw(_ sighting: Sighting) {
    causality.note(sighting)
    notes.append(sighting)
  }

  /// Called when the read model remembers the notes.
  mutating func forgetNotes() { notes = [] }

  /// Remembers the time of an event that is folded, unless its clock cannot be believed.
  mutating func witness(_ time: Int64, now: Int64) {
    if time > ledger.latestTime, time <= now + Posting.credulityMilliseconds {
      ledger.latestTime = time
    }
  }

  /// How far ahead of ours another device's clock may be before ours stops following it.
  static let credulityMilliseconds: Int64 = 24 * 60 * 60 * 1000
}

/// What a command that took another back was to its user.
package enum Undoer: Sendable {
  case undo
  /// The undo of an undo.
  case redo
}
