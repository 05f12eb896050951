import Bytes
import Daybook
import Domain
import Journaling
import Platform

/// Whether what a device has just written is dated by its clock.
struct DateCheck {
  private let book: Book

  init(_ book: Book) { self.book = book }

  /// The date of the latest event of this device, where it is not what the clock says and the clock can be believed.
  ///
  /// It cannot where it was never set, or where the others have written more than a day ahead of it.
  func wrongTime() throws(DaybookError) -> String? {
    let clock = book.machine.timekeeper.now().milliseconds
    guard let log = try book.deviceList.devices().first(where: \.isThis)?.replica,
      clock >= Self.release, latestTimeOfOthers(than: log) <= clock + Self.day,
      let dated = latestDate(in: log)
    else { return nil }
    return abs(dated - clock) <= Self.slack ? nil : "\(dated) at \(clock)"
  }

  /// When the last event of a log happened, as the log has it; nil where that cannot be read.
  private func latestDate(in log: UniqueID) -> Int64? {
    guard let end = book.core.store.journal.end(of: log, on: .logs),
      var reader = try? book.core.store.journal.reader(of: log, from: end.sequence),
      let frame = try? reader.read()?.frame, let last = frame.events.last
    else { return nil }
    return last.when ?? last.time
  }

  /// A copy of this device writes other logs, though under its key.
  private func latestTimeOfOthers(than log: UniqueID) -> Int64 {
    let others = book.core.store.journal.logs.filter {
      book.core.store.journal.lineage(of: $0.key).replica != log
    }
    return others.values.map(\.time).max() ?? .min
  }

  private static let slack: Int64 = 60_000
  private static let day: Int64 = 24 * 60 * 60 * 1000
  /// 2026-01-01: a clock that tells less was never set.
  private static let release: Int64 = 1_767_225_600_000
}
