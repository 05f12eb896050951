import Bytes
package import Platform

/// Reads every byte of a book's logs and says what is wrong with them.
///
/// What it finds never makes it throw; only a disk that cannot be read does.
package struct Verification {
  /// Larger files are not written.
  package static let fileLimit = 64 << 20

  /// How often a log is read that others change meanwhile.
  private static let attempts = 4

  private let folder: Path
  private let disk: any Disk
  private let beside: Machine.Beside?
  private let knownHoles: KnownHoles
  private var report = VerificationReport()
  /// Every `erase` of the book's logs.
  private var erasures: Set<EventMark> = []
  /// Every `erase` of the logs aside.
  private var erasuresAside: Set<EventMark> = []
  /// Which bodies were taken away, by which `erase`, for each log of the report.
  private var stripped: [[StrippedEvent]] = []
  /// Told of events that were checked, when it is done.
  private let checked: (_ events: UInt64) -> Void

  private init(
    _ folder: Path, on disk: any Disk, beside: Machine.Beside?,
    _ checked: @escaping (UInt64) -> Void
  ) throws(DiskError) {
    (self.folder, self.disk, self.beside) = (folder, disk, beside)
    self.checked = checked
    knownHoles = try KnownHoles(in: folder, disk)
    if !knownHoles.isReadable {
      report.faults.append(Fault(file: KnownHoles.name, offset: 0, kind: .knownHoles))
    }
  }

  /// Verifies the logs in a book's folder; `erase` events that are known beside them explain bodies, too.
  ///
  /// - Parameters:
  ///   - folder: The book's.
  ///   - disk: The disk it is on.
  ///   - beside: Runs something on another thread, where there is one.
  ///   - erases: The `erase` events that are known beside the logs.
  ///   - checked: Told, frame by frame, how many more events were checked; of logs that others change, again.
  /// - Returns: What was found.
  /// - Throws: ``DiskError`` where something cannot be read.
  package static func run(
    on folder: Path, disk: any Disk, beside: Machine.Beside? = nil,
    knowing erases: [EventMark] = [],
    checked: @escaping (_ events: UInt64) -> Void = { _ in }
  ) throws(DiskError) -> VerificationReport {
    var verification = try Verification(folder, on: disk, beside: beside, checked)
    verification.erasures.formUnion(erases)
    // A log that is admitted meanwhile moves from the one place to the other, and is still met.
    try verification.check("aside", isAside: true)
    try verification.check("logs", isAside: false)
    verification.settleErasures()
    return verification.sorted()
  }

  private mutating func check(_ place: String, isAside: Bool) throws(DiskError) {
    guard try disk.status(folder / place) != nil else { return }
    for name in try disk.list(folder / place) {
      let isDirectory = try disk.status(folder / place / name)?.kind == .directory
      guard isDirectory, let id = UniqueID(hex: name) else {
        report.faults.append(Fault(file: "\(place)/\(name)", offset: 0, kind: .strangeName))
        continue
      }
      try checkReplica(id, in: place, isAside: isAside)
    }
  }

  /// Checks all that is held of a replica, again where a fault may be a writer's doing.
  private mutating func checkReplica(
    _ id: UniqueID, in place: String, isAside: Bool
  ) throws(DiskError) {
    let directory = folder / place / id.hex
    for attempt in 1...Self.attempts {
      // What is gone by now has been moved to where it will be met.
      guard let before = try listing(of: directory) else { return }
      var check = ReplicaCheck(
        id, in: directory, called: "\(place)/\(id.hex)", isAside: isAside, disk, beside: beside,
        knownHoles, checked: checked)
      do throws(DiskError) {
        try check.run()
      } catch {
        guard error.reason == .notFound, attempt < Self.attempts else { throw error }
        continue
      }
      let isSteady = check.faults.isEmpty ? true : try listing(of: directory) == before
      if isSteady || attempt == Self.attempts { return take(check, isAside: isAside) }
    }
  }

  private mutating func take(_ check: ReplicaCheck, isAside: Bool) {
    report.faults += check.faults
    report.logs += check.strands.map(\.log)
    stripped += check.strands.map(\.stripped)
    for strand in check.strands {
      if isAside {
        erasuresAside.formUnion(strand.erasures)
      } else {
        erasures.formUnion(strand.erasures)
      }
    }
  }

  /// What lies in a folder and the folders in it, or nil where there is no such folder.
  private func listing(of directory: Path) throws(DiskError) -> [Path: FileStatus]? {
    guard try disk.status(directory) != nil else { return nil }
    var found: [Path: FileStatus] = [:]
    do throws(DiskError) {
      for name in try disk.list(directory) {
        guard let status = try disk.status(directory / name) else { continue }
        found[directory / name] = status
        guard status.kind == .directory else { continue }
        found.merge(try listing(of: directory / name) ?? [:]) { first, _ in first }
      }
    } catch {
      guard error.reason == .notFound else { throw error }
      return nil
    }
    return found
  }

  /// Tells which bodies are gone though no `erase` that is held accounts for it.
  ///
  /// An `erase` in a log aside accounts only for bodies of logs aside.
  private mutating func settleErasures() {
    for index in report.logs.indices {
      let isAside = report.logs[index].isAside
      let unexplained = stripped[index].filter {
        !erasures.contains($0.erase) && !(isAside && erasuresAside.contains($0.erase))
      }
      report.logs[index].bodiless = UInt64.ranges(of: unexplained.map(\.sequence))
    }
  }

  private func sorted() -> VerificationReport {
    var report = report
    report.faults.sort { ($0.file, $0.offset) < ($1.file, $1.offset) }
    report.logs.sort { left, right in
      let places = (left.isAside ? 1 : 0, right.isAside ? 1 : 0)
      return (places.0, left.replica, left.isStrand ? 1 : 0, left.id)
        < (places.1, right.replica, right.isStrand ? 1 : 0, right.id)
    }
    return report
  }
}

extension UInt64 {
  /// The ranges that ascending numbers make.
  fileprivate static func ranges(of numbers: [UInt64]) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }
}
