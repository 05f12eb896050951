import Daybook
import Interchange
import Journaling
import Platform
import PosixPlatform
import ReadModel

/// How many bytes things take.
enum Size {
  /// Of a whole book but its view, sealed, for each operation it was made from.
  static func bytesPerEvent(
    of workload: Workload, keepsUIDs: Bool, in parent: Path
  ) throws -> Double {
    let machine = Machine.system
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

  /// How much a commit of one event adds at most before it is sealed, and how much ever waits for that.
  static func commits(in parent: Path) throws -> (largest: Double, unsealed: Double) {
    let bench = try BenchJournal(in: parent)
    var (largest, unsealed) = (0, 0)
    var before = try bench.unsealedBytes()
    for command in bench.commands(0..<2_000) {
      try bench.append([command])
      let after = try bench.unsealedBytes()
      // The first of a new tail stands alone in it; the largest there is has to fit, too.
      largest = max(largest, after > before ? after - before : after)
      unsealed = max(unsealed, after)
      before = after
    }
    try bench.remove()
    return (Double(largest), Double(unsealed))
  }
}
