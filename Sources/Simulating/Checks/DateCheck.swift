import Bytes
import Daybook
import Domain
import Journaling
import Platform

/// Checks that the date of an event that a device has just written agrees with the device's clock.
struct DateCheck {
  private let book: Book

  init(_ book: Book) { self.book = book }

  /// Returns the date of the device's latest event and the time of the device's clock if they differ by more than a
  /// minute.
  ///
  /// The result is nil if the clock cannot be trusted because it has never been set, or because other replicas have
  /// written events that are dated more than a day ahead of it.
  func wrongTime() throws(DaybookError) -> String? {
    let clock = book.machine.timekeeper.now().milliseconds
    guard let log = try book.deviceList.devices().first(where: \.isThis)?.replica,
      clock >= Self.release, latestTimeOfOthers(than: log) <= clock + Self.day,
      let dated = latestDate(in: log)
    else { return nil }
    return abs(dated - clock) <= Self.slack ? nil : "\(dated) at \(clock)"
  }

  /// The date of the last event of the given log; nil if the event cannot be read.
  private func latestDate(in log: UniqueID) -> Int64? {
    guard let end = book.core.store.journal.end(of: log, on: .logs),
      var reader = try? book.core.store.journal.reader(of: log, from: end.sequence),
      let frame = try? reader.read()?.frame, let last = frame.events.last
    else { return nil }
    return last.when ?? last.time
  }

  /// The latest time in the logs of other replicas.
  ///
  /// The other replicas include the logs of copies of this device, which write under its key.
  private func latestTimeOfOthers(than log: UniqueID) -> Int64 {
    let others = book.core.store.journal.logs.filter {
      book.core.store.journal.lineage(of: $0.key).replica != log
    }
    return others.values.map(\.time).max() ?? .min
  }

  private static let slack: Int64 = 60_000
  private static let day: Int64 = 24 * 60 * 60 * 1000
  /// The start of 2026-01-01, in ms since 1970.
  ///
  /// If a clock shows an earlier time, it has never been set.
  private static let release: Int64 = 1_767_225_600_000
}
