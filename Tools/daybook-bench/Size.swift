import Daybook
import Interchange
import Journaling
import Platform
import PosixPlatform
import ReadModel

/// Measures the sizes of files.
enum Size {
  /// Returns the size of a compacted book without its view, in bytes per imported operation.
  static func bytesPerEvent(
    of workload: Workload, keepsUIDs: Bool, in parent: Path
  ) throws -> Double {
    let machine = Machine.bench
    let folder = BenchJournal.newFolder(in: parent, machine)
    let book = try BookFactory.create(at: folder, on: machine, deviceName: "bench", view: .memory)
    let report = try book.importer.importOperations(
      workload.lines, ImportOptions(keepsUIDs: keepsUIDs, isStrict: false))
    guard report.skipped.isEmpty else { throw BenchFailure.skippedLines(report.skipped.count) }
    _ = try book.healer.compact()
    let byteCount = try machine.disk.byteCount(in: folder, except: "view.sqlite")
    try machine.disk.removeAll(folder)
    return Double(byteCount) / Double(report.lines)
  }

  /// Returns the maximum number of bytes that a commit of one event adds to a tail, and the maximum size of a tail.
  static func commits(in parent: Path) throws -> (largest: Double, unsealed: Double) {
    let bench = try BenchJournal(in: parent)
    var (largest, unsealed) = (0, 0)
    var before = try bench.unsealedBytes()
    for command in bench.commands(0..<2_000) {
      try bench.append([command])
      let after = try bench.unsealedBytes()
      // If the tail has become smaller, it has been sealed, and the new tail contains only this commit.
      largest = max(largest, after > before ? after - before : after)
      unsealed = max(unsealed, after)
      before = after
    }
    try bench.remove()
    return (Double(largest), Double(unsealed))
  }
}
