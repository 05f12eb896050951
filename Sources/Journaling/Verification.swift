import Bytes
package import Platform

/// Reads every byte of a book's logs and says what is wrong with them.
///
/// What it finds never makes it throw; only a disk that cannot be read does.
package struct Verification {
  /// Larger files are not written.
  package static let fileLimit = 64 << 20

  private let folder: Path
  private let disk: any Disk
  private var report = VerificationReport()

  private init(_ folder: Path, on disk: any Disk) {
    self.folder = folder
    self.disk = disk
  }

  package static func run(
    on folder: Path, disk: any Disk
  ) throws(DiskError) -> VerificationReport {
    var verification = Verification(folder, on: disk)
    try verification.check("logs", isAside: false)
    try verification.check("aside", isAside: true)
    verification.report.faults.sort { ($0.file, $0.offset) < ($1.file, $1.offset) }
    return verification.report
  }

  private mutating func check(_ place: String, isAside: Bool) throws(DiskError) {
    guard try disk.status(folder / place) != nil else { return }
    for name in try disk.list(folder / place) {
      let isDirectory = try disk.status(folder / place / name)?.kind == .directory
      guard isDirectory, let id = UniqueID(hex: name) else {
        report.faults.append(Fault(file: "\(place)/\(name)", offset: 0, what: .strangeName))
        continue
      }
      try checkLog(id, in: place, isAside: isAside)
    }
  }

  private mutating func checkLog(
    _ id: UniqueID, in folderName: String, isAside: Bool
  ) throws(DiskError) {
    let directory = folder / folderName / id.hex
    let place = "\(folderName)/\(id.hex)"
    var check = LogCheck(id, isAside: isAside)
    var files: [ListedFile] = []
    for name in try disk.list(directory) {
      if let file = ListedFile(name) {
        files.append(file)
      } else if !(name.hasPrefix(".") && name.hasSuffix(".draft")) {
        // A draft is what a crash leaves of a file being written; it means nothing.
        check.faults.append(Fault(file: "\(place)/\(name)", offset: 0, what: .strangeName))
      }
    }
    let order = FileOrder(files)
    // What replaced files hold is known before the files that count are read.
    check.isReplaced = true
    for file in order.replaced {
      check.chain = nil
      check.lastBlock = nil
      check.file = "\(place)/\(file.name)"
      try read(file, in: directory, with: &check)
    }
    check.start()
    for file in order.counting {
      if order.overlapping.contains(file.name) {
        check.faults.append(Fault(file: "\(place)/\(file.name)", offset: 0, what: .overlap))
      }
      check.file = "\(place)/\(file.name)"
      try read(file, in: directory, with: &check)
      check.finish(file)
    }
    check.finish()
    report.logs.append(check.log)
    report.faults += check.faults
  }

  private func read(
    _ file: ListedFile, in directory: Path, with check: inout LogCheck
  ) throws(DiskError) {
    check.offset = 0
    let path = directory / file.name
    do throws(DiskError) {
      let bytes = try disk.contents(of: path, limit: Self.fileLimit)
      check.check(bytes.span, of: file)
    } catch {
      guard error.reason == .tooLarge else { throw error }
      check.report(.tooLarge)
    }
  }
}

/// Which files of a log count, by their names alone.
struct FileOrder {
  private(set) var counting: [ListedFile] = []
  private(set) var replaced: [ListedFile] = []
  private(set) var overlapping: Set<String> = []

  init(_ files: [ListedFile]) {
    let sorted = files.sorted { ($0.first, $1.last ?? 0) < ($1.first, $0.last ?? 0) }
    var end: UInt64 = 0
    for file in sorted {
      // A tail that begins within a sealed file was sealed into it and then not removed.
      if (file.last ?? file.first) <= end {
        replaced.append(file)
      } else {
        if file.first <= end { overlapping.insert(file.name) }
        counting.append(file)
        end = max(end, file.last ?? end)
      }
    }
  }
}
