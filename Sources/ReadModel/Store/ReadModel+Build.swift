internal import Bytes
package import Domain
package import Platform
internal import SQLite

extension ReadModel {
  /// The files that SQLite may leave beside a database; they belong to that one and must go with it.
  ///
  /// Whoever puts one made of ``build(file:from:change:on:)`` in the place of another takes away the other one first
  /// and then these of its, since they would be taken for the new one's; then renames.
  package static let companionSuffixes = ["-wal", "-shm"]

  /// Makes tables in memory with all that some records hold.
  ///
  /// - Parameters:
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - beside: Runs a part of the work on another thread.
  /// - Returns: The tables.
  /// - Throws: ``ReadModelError``, when there is no memory for it.
  package static func inMemory(
    from records: Records, change: Change, beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> ReadModel {
    // They come in order, but for the first.
    var pieces: [[UInt8]] = []
    try lay(records, change, asFile: false, beside) { piece, offset in
      pieces.insert(piece, at: offset == 0 ? 0 : pieces.count)
    }
    return ReadModel(
      building: try reading { () throws(SQLiteError) in try Connection(pieces: pieces) })
  }

  /// Makes a file with all that some records hold, and what their state digest is made of.
  ///
  /// It is safe on the disk when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet; usually beside the file it is to replace.
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - machine: Where it is made.
  /// - Throws: ``ReadModelError``, when something is there already or the disk refuses.
  package static func build(
    file path: Path, from records: Records, change: Change, on machine: Machine
  ) throws(ReadModelError) {
    let file = try onDisk { () throws(DiskError) in try OpenFile(path, .create, on: machine.disk) }
    do throws(ReadModelError) {
      try lay(records, change, asFile: true, machine.beside) {
        piece, offset throws(ReadModelError) in
        try onDisk { () throws(DiskError) in
          try file.write(piece, at: offset)
          // The rest is worked out meanwhile.
          try file.beginWriting(at: offset, count: piece.count)
        }
      }
      try onDisk { () throws(DiskError) in try file.flush() }
    } catch {
      // What was written of it takes room that may be short; if it stays, it means nothing.
      try? machine.disk.remove(path)
      throw error
    }
  }

  private static func onDisk<Value: ~Copyable>(
    _ body: () throws(DiskError) -> Value
  ) throws(ReadModelError) -> Value {
    do throws(DiskError) { return try body() } catch { throw .disk(error) }
  }
}
