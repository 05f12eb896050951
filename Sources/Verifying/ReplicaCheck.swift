import Bytes
import Crypto
import Platform

/// Checks all strands of one replica: the log in its folder, and the branches in its subfolders.
struct ReplicaCheck {
  /// The result for one strand.
  struct Strand {
    var contents: StrandContents
    /// The strand's state at the events after which strands may fork.
    var forkPoints: [UInt64: ForkPoint]
    /// The strand's first file that has not been replaced.
    ///
    /// Faults concerning the fork refer to this file.
    var file = ""
    /// The event before the first event of the strand.
    var start: UInt64 = 0

    var log: VerifiedLog { contents.log }
  }

  /// The files of one strand.
  private struct Listing {
    var id: UniqueID
    var directory: Path
    var place: String
    var order: FileOrder

    /// The event that the strand follows.
    var start: UInt64 { (order.counting.first?.first ?? 1) - 1 }
  }

  private let replica: UniqueID
  private let directory: Path
  private let place: String
  private let isAside: Bool
  private let disk: any Disk
  private let beside: Machine.Beside?
  private let knownHoles: KnownHoles
  private let checked: (UInt64) -> Void
  private(set) var faults: [Fault] = []
  private(set) var strands: [Strand] = []

  init(
    _ replica: UniqueID, in directory: Path, called place: String, isAside: Bool, _ disk: any Disk,
    beside: Machine.Beside?, _ knownHoles: KnownHoles, checked: @escaping (UInt64) -> Void
  ) {
    self.checked = checked
    (self.replica, self.directory, self.place) = (replica, directory, place)
    (self.isAside, self.disk, self.beside) = (isAside, disk, beside)
    self.knownHoles = knownHoles
  }

  mutating func run() throws(DiskError) {
    var branches: [UniqueID] = []
    let root = try list(replica, directory, place, branches: &branches)
    var listings = [root]
    for branch in branches {
      var none: [UniqueID] = []
      let inside = try list(
        branch, directory / branch.hex, "\(place)/\(branch.hex)", branches: &none)
      // A crash can leave behind an empty folder for a new strand.
      if !inside.order.counting.isEmpty { listings.append(inside) }
    }
    let points = Set(listings.dropFirst().map(\.start))
    var key: PublicKey?
    for listing in listings { try check(listing, points, &key) }
    for index in strands.indices.dropFirst() { checkFork(of: strands[index]) }
  }

  /// Lists a strand's files; only the replica's own folder may contain branches.
  private mutating func list(
    _ id: UniqueID, _ directory: Path, _ place: String, branches: inout [UniqueID]
  ) throws(DiskError) -> Listing {
    var files: [ListedFile] = []
    for name in try disk.list(directory) {
      if let file = ListedFile(name) {
        files.append(file)
      } else if id == replica, let branch = UniqueID(hex: name),
        try disk.status(directory / name)?.kind == .directory
      {
        branches.append(branch)
      } else if !(name.hasPrefix(".") && name.hasSuffix(".draft")) {
        // A crash can leave behind a draft file, which has no meaning.
        faults.append(Fault(file: "\(place)/\(name)", offset: 0, kind: .strangeName))
      }
    }
    let order = try FileOrder(files) { tail throws(DiskError) in
      try lastEvent(of: tail, in: directory)
    }
    return Listing(id: id, directory: directory, place: place, order: order)
  }

  /// The last event of a tail; nil if the tail has no frame of the replica.
  private func lastEvent(of tail: ListedFile, in directory: Path) throws(DiskError) -> UInt64? {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: directory / tail.name, limit: Verification.fileLimit)
    } catch {
      guard Self.fault(of: error) != nil else { throw error }
      return nil
    }
    // The file's faults are reported when the file is checked.
    var faults = FaultCollector()
    var scanner = SegmentScanner(bytes, of: tail, replica: replica, beside: beside)
    var last: UInt64?
    while let frame = scanner.next(&faults) { last = max(frame.last, last ?? 0) }
    return last
  }

  private mutating func check(
    _ listing: Listing, _ points: Set<UInt64>, _ key: inout PublicKey?
  ) throws(DiskError) {
    var check = LogCheck(
      listing.id, of: replica, isAside: isAside, forkingAt: points, key: key, checked: checked)
    // Replaced files are read first, so their hashes are known when the other files are read.
    for file in listing.order.replaced {
      check.begin("\(listing.place)/\(file.name)")
      try read(file, of: listing, with: &check)
    }
    check.start(behind: listing.id == replica ? 0 : listing.start)
    for file in listing.order.counting {
      check.begin("\(listing.place)/\(file.name)")
      if listing.order.overlapping.contains(file.name) { check.report(.overlap) }
      try read(file, of: listing, with: &check)
      check.finish(file)
    }
    let result = check.finish()
    if key == nil { key = result.key }
    faults += result.faults.map { fault in
      guard case .missing(let range) = fault.kind, knownHoles.covers(range, of: listing.id) else {
        return fault
      }
      return Fault(file: fault.file, offset: fault.offset, kind: .knownHole(range))
    }
    strands.append(
      Strand(
        contents: result.contents, forkPoints: result.forkPoints,
        file: "\(listing.place)/\(listing.order.counting.first?.name ?? "")",
        start: listing.start))
  }

  /// Reads the current file.
  private func read(
    _ file: ListedFile, of listing: Listing, with check: inout LogCheck
  ) throws(DiskError) {
    let path = listing.directory / file.name
    do throws(DiskError) {
      let bytes = try disk.contents(of: path, limit: Verification.fileLimit)
      check.check(bytes, of: file, beside: beside)
    } catch {
      guard let fault = Self.fault(of: error) else { throw error }
      check.report(fault)
    }
  }

  /// The fault of a file that cannot be read; nil if the disk failed.
  private static func fault(of error: DiskError) -> Fault.Kind? {
    switch error.reason {
    case .tooLarge: .tooLarge
    case .isADirectory: .folder
    default: nil
    }
  }

  // MARK: Forks

  /// Checks that a strand follows an event of another strand, and that its name matches its events.
  private mutating func checkFork(of strand: Strand) {
    // If the first frame is unreadable, this has already been reported, and the fork is unknown.
    guard let own = strand.forkPoints[strand.start] else { return }
    var what: [Fault.Kind] = []
    // If the first command of a branch is lost, the rest of the branch is named after the event that it follows.
    if let next = own.next, ![next, own.hash].map(Self.branchID).contains(strand.log.id) {
      what.append(.branch)
    }
    let others = strands.filter { $0.log.id != strand.log.id }
    let holder = others.compactMap { other in
      other.holds(strand.start) ? other.forkPoints[strand.start] : nil
    }.first { $0.hash == own.hash }
    if let holder {
      if holder.time != own.time { what.append(.unjoined(.time)) }
      if holder.when != own.when { what.append(.unjoined(.when)) }
      if holder.differsInTable(from: own) { what.append(.unjoined(.table)) }
      if !holder.endsCommand { what.append(.midCommand) }
    } else if !others.contains(where: { $0.isMissing(strand.start) }) {
      what.append(.unrooted)
    }
    let goesOnAlike = others.contains { other in
      let point = other.forkPoints[strand.start]
      return point?.hash == own.hash && point?.next != nil && point?.next == own.next
    }
    if goesOnAlike { what.append(.unforked) }
    faults += what.map { what in
      Fault(file: strand.file, offset: 0, sequence: strand.start + 1, kind: what)
    }
  }

  /// Returns the name of a branch whose first command ends with the given chain hash.
  private static func branchID(_ hash: Digest) -> UniqueID {
    SHA256.digest(of: Array("daybook branch v1".utf8) + hash.bytes).prefix16
  }
}

extension ReplicaCheck.Strand {
  /// Whether an event is in the strand's range, even if the event is missing.
  fileprivate func holds(_ sequence: UInt64) -> Bool { !log.isStrand || start < sequence }

  /// Whether an event is in the strand's range but is missing.
  fileprivate func isMissing(_ sequence: UInt64) -> Bool {
    holds(sequence) && log.missing.contains { $0.contains(sequence) }
  }
}
