import Bytes
package import Platform

/// Reads every byte of a book's logs and reports faults.
///
/// Faults are part of the report. Only a disk error is thrown.
package struct Verification {
  /// The maximum size of a segment file, in bytes.
  package static let fileLimit = 64 << 20

  /// The maximum number of times that a replica is checked while other processes change its files.
  private static let attempts = 4

  private let folder: Path
  private let disk: any Disk
  private let beside: Machine.Beside?
  private let knownHoles: KnownHoles
  private var report = VerificationReport()
  /// All `erase` events in the book's logs, and the additional `erase` events that the caller has passed.
  private var erasures: Set<EventMark> = []
  /// All `erase` events in the logs in `aside`.
  private var erasuresAside: Set<EventMark> = []
  /// The stripped events of each log in the report, with the `erase` event that each of them names.
  private var stripped: [[StrippedEvent]] = []
  /// Called after each frame with its number of events.
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

  /// Verifies the logs in a book's folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book.
  ///   - disk: The disk that contains the folder.
  ///   - beside: Runs a closure on another thread; nil on a machine without threads.
  ///   - erases: Additional `erase` events, which also explain missing bodies.
  ///   - checked: Called after each frame with its number of events. The events of a log are counted again if another
  ///     process changes the log and the check is repeated.
  /// - Returns: The report.
  /// - Throws: ``DiskError`` if a file or folder cannot be read.
  package static func run(
    on folder: Path, disk: any Disk, beside: Machine.Beside? = nil,
    knowing erases: [EventMark] = [],
    checked: @escaping (_ events: UInt64) -> Void = { _ in }
  ) throws(DiskError) -> VerificationReport {
    var verification = try Verification(folder, on: disk, beside: beside, checked)
    verification.erasures.formUnion(erases)
    // A log that is admitted in the meantime moves from `aside` to `logs`, so `aside` is checked first.
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

  /// Checks all strands of a replica, and repeats the check if it finds faults and the files have changed.
  private mutating func checkReplica(
    _ id: UniqueID, in place: String, isAside: Bool
  ) throws(DiskError) {
    let directory = folder / place / id.hex
    for attempt in 1...Self.attempts {
      // If the folder is missing, it has been moved and will be found in `logs`.
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
    stripped += check.strands.map(\.contents.stripped)
    for strand in check.strands {
      if isAside {
        erasuresAside.formUnion(strand.contents.erasures)
      } else {
        erasures.formUnion(strand.contents.erasures)
      }
    }
  }

  /// Returns the status of all entries in a folder and its subfolders, or nil if the folder is missing.
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

  /// Lists the missing bodies that no known `erase` event explains.
  ///
  /// An `erase` event of a log in `aside` explains only missing bodies of logs in `aside`.
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
  /// Joins ascending numbers into ranges.
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
