import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Verifying

/// Opens the disks that crashes leave, and records broken promises.
struct Examiner {
  let desk: Desk
  /// The forms in which each event may be found.
  var forms: Forms
  let scenario: Scenario
  private(set) var problems: [String] = []
  /// The number of examined disks that differ in their contents or their promise.
  private(set) var stateCount = 0
  /// How many of these disks still differed after recovery.
  var recoveredCount: Int { recovered.count }

  private var seen: Set<Digest> = []
  private var recovered: Set<Digest> = []

  init(_ desk: Desk, _ scenario: Scenario, forms: Forms) {
    (self.desk, self.scenario, self.forms) = (desk, scenario, forms)
  }

  /// The contents that must be present, and a number that identifies them.
  struct Promise {
    let number: Int
    let contents: Contents
  }

  /// Recovers a disk after a power cut and checks the result.
  ///
  /// - Returns: The disk after each step of the recovery, or an empty array if it has been examined before.
  mutating func examine(
    _ disk: SimulatedDisk, _ promise: Promise, _ place: @autoclosure () -> String
  ) -> [SimulatedDisk] {
    guard seen.insert(disk.digest(promise.number)).inserted else { return [] }
    stateCount += 1
    do {
      let before = disk.copy()
      disk.record()
      var journal = try desk.journal(on: disk, seed: 77)
      _ = try journal.recover()
      try scenario.repeats(&journal)
      try journal.settle()
      let steps = disk.recorded()
      let key = disk.digest(promise.number, isQuarantineLeftOut: true)
      // The same bytes always lead to the same results.
      guard recovered.insert(key).inserted else { return steps }
      let after = try Contents(of: journal)
      let read = try Contents(of: desk.journal(on: before))
      let isSame = read.count == after.count && forms.loss(of: read, in: after) == nil
      note(isSame ? nil : "recovery changed what is read", place())
      // Events that were damaged before may still be listed as lost until their restoration is acknowledged.
      let isWhole = promise.contents.damage.isEmpty
      let claimed = journal.logs.keys.flatMap { journal.holes(in: $0) }
      let isTrue = claimed.isEmpty || !after.damage.isEmpty
      note(isTrue ? nil : "\(claimed) is held and told lost", place())
      note(isWhole && !after.damage.isEmpty ? "damage: \(after.damage)" : nil, place())
      note(forms.loss(of: promise.contents, in: after) ?? forms.fault(of: after), place())
      try verify(disk, holds: after, place())
      try writeOn(disk.copy(), after, place())
      return steps
    } catch {
      note("\(error)", place())
      return []
    }
  }

  /// Checks the disk with verification, which does not use the journal's code.
  private mutating func verify(
    _ disk: SimulatedDisk, holds contents: Contents, _ place: @autoclosure () -> String
  ) throws {
    let report = try Verification.run(on: Desk.folder, disk: disk)
    let isSound = report.isClean || !contents.damage.isEmpty
    note(isSound ? nil : "verification finds \(report.faults.prefix(3))", place())
    for (replica, strands) in Dictionary(grouping: report.logs, by: \.replica) {
      let hashes = contents.hashes(of: replica)
      let isSame =
        strands.reduce(0) { $0 + $1.events } == hashes.count
        && strands.allSatisfy { strand in
          strand.last == 0 || strand.hash.map(hashes.contains) == true
        }
      note(isSame ? nil : "verification reads another log than the journal", place())
    }
  }

  /// Appends a command, and cuts the power immediately.
  private mutating func writeOn(
    _ disk: SimulatedDisk, _ contents: Contents, _ place: @autoclosure () -> String
  ) throws {
    var journal = try desk.journal(on: disk, seed: 78)
    try desk.writeOn(&journal)
    let expected = try Contents(of: journal)
    disk.crash()
    let written = try Contents(of: desk.journal(on: disk))
    note(written == expected ? nil : "what was appended is not there", place())
    note(Forms([written]).loss(of: contents, in: written), place())
    note(written.count > contents.count ? nil : "nothing was appended", place())
    try verify(disk, holds: written, place())
  }

  mutating func note(_ problem: String?, _ place: @autoclosure () -> String) {
    guard let problem, problems.count < 20 else { return }
    problems.append("\(place()): \(problem)")
  }
}

extension SimulatedDisk {
  /// A digest of all names and bytes on the disk.
  func digest(_ promise: Int, isQuarantineLeftOut: Bool = false) -> Digest {
    let quarantine = Desk.folder / "quarantine"
    var bytes: [UInt8] = Array(String(promise).utf8)
    for folder in folders.sorted(by: { $0.string < $1.string }) {
      guard !isQuarantineLeftOut || folder != quarantine else { continue }
      bytes += Array(("\n" + folder.string + "/").utf8)
    }
    for (path, content) in files.sorted(by: { $0.key.string < $1.key.string }) {
      guard !isQuarantineLeftOut || path.parent != quarantine else { continue }
      bytes += Array(("\n" + path.string + " " + String(content.count) + "\n").utf8)
      bytes += content
    }
    return SHA256.digest(of: bytes)
  }
}
