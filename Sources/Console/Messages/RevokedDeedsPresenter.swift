import Daybook
import Domain
import Phrasing
import Platform

/// Sums up the latest changes of revoked devices, which still count, and says how to list and undo them.
struct RevokedDeedsPresenter {
  let context: CommandContext

  /// The length of the period that is summed up; a lost device is usually missed within a week.
  private static let milliseconds: Int64 = 7 * 24 * 60 * 60 * 1000
  /// The maximum number of devices to report.
  private static let namedDevices = 5

  func tell(of devices: [Device], in book: Book) throws {
    let timekeeper = context.machine.timekeeper
    let past = Moment(milliseconds: timekeeper.now().milliseconds - Self.milliseconds)
    guard let day = timekeeper.localDay(of: past)?.iso else { return }
    let start = try context.reader.pastInstant(day, wholeDay: .beginning).milliseconds
    for device in devices.prefix(Self.namedDevices) {
      let deeds = try RecentDeeds(of: device, since: start, in: book)
      guard let words = deeds.words else { continue }
      let key = device.fingerprint.prefix(2).joined(separator: "-")
      context.output.say("Since \(day), \(device.listedName.visible) \(words).")
      context.output.say("To list these changes: daybook log --by \(key) --since \(day)")
      guard deeds.canBeUndone else { continue }
      let exception = deeds.erased == 0 ? "" : ", except erasures"
      context.output.say(
        "To undo these changes\(exception): daybook undo --by \(key) --since \(day)")
    }
  }
}

/// The numbers of records that a device added, changed, and so on, since a given time by its own clock.
private struct RecentDeeds {
  let added: Int
  let changed: Int
  let restored: Int
  let deleted: Int
  let erased: Int

  init(of device: Device, since start: Int64, in book: Book) throws {
    var (added, changed): (Set<EventKey>, Set<EventKey>) = ([], [])
    var (restored, deleted): (Set<EventKey>, Set<EventKey>) = ([], [])
    let wish = HistoryWish(device: device, since: start)
    for entry in try book.historyReader.history(wish).entries where !entry.isErased {
      var subject = entry.fact.key
      if case .entity(let entity) = entry.fact.body.target { subject = entity }
      // A date of a repeating to-do is a part of the to-do.
      switch entry.fact.body.verb {
      case _ where entry.document?.isOccurrence ?? false: changed.insert(subject)
      case .add: added.insert(subject)
      case .restore: restored.insert(subject)
      case .delete: deleted.insert(subject)
      default: changed.insert(subject)
      }
    }
    self.added = added.count
    self.changed = changed.subtracting(added).subtracting(deleted).subtracting(restored).count
    self.restored = restored.count
    self.deleted = deleted.count
    let logs = try book.historyReader.replicas(of: device)
    let erasures = try book.historyReader.deviceEvents().filter { event in
      event.action == .erased(isHeld: false) && event.time >= start
        && logs.contains(event.replica)
    }
    erased = Set(erasures.map(\.name)).count
  }

  var canBeUndone: Bool { added + changed + restored + deleted > 0 }

  /// The counts as the predicate of a sentence; nil if there are none.
  var words: String? {
    let parts = [
      (added, "added"), (changed, "changed"), (restored, "restored"), (deleted, "deleted"),
      (erased, "erased"),
    ].filter { $0.0 > 0 }.map { count, verb in "\(verb) \(count.counted("record"))" }
    guard let last = parts.last else { return nil }
    let others = parts.dropLast().joined(separator: ", ")
    return others.isEmpty ? last : "\(others) and \(last)"
  }
}
