import Bytes
import Domain
import Journaling
import Platform
package import ReadModel

extension Book {
  /// What a rebuild has done.
  package struct Rebuilt: Sendable {
    package var events: UInt64
    package var milliseconds: Int64
  }

  /// Throws the read model away and posts it anew from the logs.
  @discardableResult
  package func rebuild() throws(DaybookError) -> Rebuilt {
    let start = machine.timekeeper.monotonicMilliseconds()
    // What is lost by now must not be forgotten with the read model that had it.
    let reached = postedEnds()
    var fold = try foldAll()
    let held = heldEnds()
    fold.posting.ledger.reached = reached.filter { $0.value > held[$0.key] ?? 0 }
    fold.change = change(for: fold.posting)
    try install(fold)
    forgottenEnds = [:]
    free(&fold.records)
    return Rebuilt(
      events: fold.posting.ledger.factCount,
      milliseconds: machine.timekeeper.monotonicMilliseconds() - start)
  }

  /// Forgets records, which are so many pieces of memory that nobody should have to wait for it.
  private func free(_ records: inout Records) {
    let freed = records
    records = Records()
    machine.beside? { withExtendedLifetime(freed) {} }
  }

  /// The book as it was at a moment, in memory; the same queries answer.
  package func view(at moment: Int64) throws(DaybookError) -> ReadModel {
    let fold = try foldAll { fact, _ in fact.effectiveTime <= moment }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: fold.records, change: fold.change)
    }
  }

  func rebuilt() throws(DaybookError) -> ReadModel {
    try rebuild()
    guard let model else { preconditionFailure("a rebuild leaves a read model") }
    return model
  }

  /// Takes the read model away, durably, before the logs get back what lies before their ends.
  ///
  /// By their ends nobody could tell afterwards that it is of an earlier time.
  func forgetView() throws(DaybookError) {
    forgottenEnds = postedEnds()
    (model, memory) = (nil, nil)
    try removeLeftView()
    if case .file(let path) = place { try removeViewDurably(at: path) }
  }

  /// Removes the file of a read model that is now made in memory: in it stands what others may have erased since.
  func removeLeftView() throws(DaybookError) {
    guard let path = leftView else { return }
    try removeViewDurably(at: path)
    leftView = nil
  }

  private func removeViewDurably(at path: String) throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      if try removeView(at: path) { try machine.disk.flushDirectory(Path(path).parent) }
    }
  }

  /// Removes the files of a read model.
  ///
  /// - Returns: Whether there were any.
  private func removeView(at path: String) throws(DiskError) -> Bool {
    var isFound = false
    for name in [path] + ReadModel.companionSuffixes.map({ path + $0 })
    where try machine.disk.status(Path(name)) != nil {
      try machine.disk.remove(Path(name))
      isFound = true
    }
    return isFound
  }

  /// Builds the read model beside the old one and puts it in its place.
  private func install(_ fold: Fold) throws(DaybookError) {
    (model, memory) = (nil, nil)
    guard case .file(let path) = place else {
      model = try wrap(DaybookError.view) { () throws(ReadModelError) in
        try ReadModel.inMemory(
          from: fold.records, change: fold.change, beside: machine.beside)
      }
      return
    }
    // Two processes may rebuild at once: each builds its own and the last rename wins, whole.
    let draft = Path(path + "." + Hex.encode(machine.dice.bytes(4)))
    let disk = machine.disk
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.build(
        file: draft, from: fold.records, change: fold.change, on: machine)
    }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      _ = try removeView(at: path)
      try disk.rename(draft, to: Path(path))
    }
    model = try wrap(DaybookError.view) { () throws(ReadModelError) in try ReadModel(place) }
  }
}
