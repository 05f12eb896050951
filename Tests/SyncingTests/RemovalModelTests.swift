import Bytes
import Crypto
import Syncing
import Testing

/// All orders in which devices can tidy one folder at the same time, each according to the files it has seen.
struct RemovalModelTests {
  /// A file of a log of three events; the second event was erased.
  struct File: Hashable {
    var events: ClosedRange<UInt64>
    /// Whether the body of the second event is stripped from the file.
    var isStripped = false
    var copy: UInt8 = 0

    var holdsErased: Bool { events.contains(2) }

    /// The file as seen by a device that either knows of the erasure or does not.
    func seen(knowing isKnown: Bool) -> VerifiedFile {
      let verdict: Verdict =
        !holdsErased
        ? .clean
        : isKnown
          ? isStripped ? .clean : .hasBodyToStrip
          : isStripped ? .hasUnexplained : .clean
      let digest = UniqueID([copy, isStripped ? 1 : 0] + [UInt8](repeating: 0, count: 14))
      let hashes = (events.lowerBound - 1...events.upperBound).map {
        ($0, SHA256.digest(of: [UInt8($0)]))
      }
      return VerifiedFile(
        DirectoryName(events: events, digest: digest), verdict: verdict,
        hashes: Dictionary(uniqueKeysWithValues: hashes))
    }
  }

  typealias Rule = (_ old: VerifiedFile, _ new: VerifiedFile) -> Bool

  /// The result of a rule for each pair of files, without and with knowledge of the erasure.
  struct Table {
    let rows: [[[Bool]]]

    init(_ files: [File], by rule: Rule) {
      rows = [false, true].map { isKnown in
        let seen = files.map { $0.seen(knowing: isKnown) }
        return seen.map { old in seen.map { rule(old, $0) } }
      }
    }
  }

  /// A folder with some files, and all steps that devices can perform on it.
  ///
  /// The state is one number: a bit for each file that is present and, for each device, the file that it is about to
  /// remove and whether it knows of the erasure.
  struct Model {
    let devices: Int
    let files: Int
    /// The files that can replace each file, for a device without and with knowledge of the erasure.
    private let mayGo: [[Int]]
    /// The files that contain each event.
    private let holders: [Int]
    /// The files that contain the erased body.
    private let bodies: Int
    private let width: Int

    init(_ files: [File], devices: Int, by rule: Rule) {
      self.init(files.indices.map(\.self), of: files, Table(files, by: rule), devices: devices)
    }

    /// A model of some of the files in a table.
    init(_ chosen: [Int], of all: [File], _ table: Table, devices: Int) {
      let files = chosen.map { all[$0] }
      func mask(_ isIn: (File) -> Bool) -> Int {
        files.indices.reduce(0) { isIn(files[$1]) ? $0 | 1 << $1 : $0 }
      }
      (self.devices, self.files) = (devices, files.count)
      width = files.count < 4 ? 2 : 3
      mayGo = table.rows.map { rows in
        chosen.map { old in
          chosen.indices.reduce(0) { rows[old][chosen[$1]] ? $0 | 1 << $1 : $0 }
        }
      }
      holders = (1...3).map { event in mask { $0.events.contains(event) } }.filter { $0 != 0 }
      bodies = mask { $0.holdsErased && !$0.isStripped }
    }

    private func place(of device: Int) -> Int { files + device * (width + 1) }

    /// Visits every order of steps and returns the number of states in which data is lost.
    func losses() -> Int {
      var seen = [Bool](repeating: false, count: 1 << place(of: devices))
      var (open, lost) = ([(1 << files) - 1], 0)
      seen[open[0]] = true
      while let state = open.popLast() {
        if isLoss(state) {
          lost += 1
          continue
        }
        forEachStep(from: state) { next in
          if !seen[next] { open.append(next) }
          seen[next] = true
        }
      }
      return lost
    }

    /// One step of one device: it learns of the erasure, compares two files, or removes a file.
    private func forEachStep(from state: Int, _ visit: (Int) -> Void) {
      for device in 0..<devices {
        let place = place(of: device)
        let pending = state >> place & (1 << width - 1)
        let isKnowing = state >> (place + width) & 1
        if isKnowing == 0 { visit(state | 1 << (place + width)) }
        if pending > 0 {
          visit(state & ~(1 << (pending - 1)) & ~((1 << width - 1) << place))
          continue
        }
        for old in 0..<files where state >> old & 1 == 1 && mayGo[isKnowing][old] & state != 0 {
          visit(state | (old + 1) << place)
        }
      }
    }

    /// Whether an event is no longer in any file, or a body is lost before any device knows of the erasure.
    private func isLoss(_ state: Int) -> Bool {
      if holders.contains(where: { $0 & state == 0 }) { return true }
      // As long as no device knows of the erasure, the body must not be removed permanently.
      let isKnown = (0..<devices).contains { state >> (place(of: $0) + width) & 1 == 1 }
      return bodies != 0 && bodies & state == 0 && !isKnown
    }
  }

  /// The possible files: every range, whole and stripped, and some of them twice.
  static let kinds: [File] = {
    let ranges: [ClosedRange<UInt64>] = [1...1, 2...2, 3...3, 1...2, 2...3, 1...3]
    let once = ranges.flatMap { range in
      range.contains(2)
        ? [File(events: range), File(events: range, isStripped: true)] : [File(events: range)]
    }
    let twice = once.filter { $0.events.count > 1 && $0.events.upperBound == 3 }
    return once + twice.map { File(events: $0.events, isStripped: $0.isStripped, copy: 1) }
  }()

  /// Every selection of a given number of files.
  static func choices(_ count: Int, from first: Int = 0) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return (first..<kinds.count).flatMap { place in
      choices(count - 1, from: place + 1).map { [place] + $0 }
    }
  }

  @Test(arguments: [(devices: 2, files: 4), (devices: 3, files: 3)])
  func `Removal model: no order of steps loses an event or a needed body`(
    devices: Int, files: Int
  ) {
    let kinds = Self.kinds
    let table = Table(kinds) { mayReplace($0, by: $1) }
    for choice in Self.choices(files) {
      let losses = Model(choice, of: kinds, table, devices: devices).losses()
      if losses > 0 { Issue.record("\(losses) of \(choice.map { kinds[$0] })") }
    }
  }

  @Test func `Removal model: a rule without an order of files loses an event`() {
    let twins = [File(events: 1...3), File(events: 1...3, copy: 1)]
    let model = Model(twins, devices: 2) { old, new in
      old.name != new.name && new.name.events.contains(old.name.events.lowerBound)
        && new.name.events.contains(old.name.events.upperBound)
        && old.verdict != .hasUnexplained && new.verdict == .clean
    }
    #expect(model.losses() > 0)
  }

  @Test func `Removal model: a rule that ignores stripping loses a body`() {
    // A device that knows of the erasure strips the file. A device that does not know of it removes the file that looks
    // the same.
    let files = [File(events: 1...3), File(events: 1...3, isStripped: true)]
    let model = Model(files, devices: 2) { old, new in
      old.name != new.name && old.name.events == new.name.events
    }
    #expect(model.losses() > 0)
  }
}
