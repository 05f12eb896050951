import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Removes files of a replica that still contain erased bodies, and, if there are many, files that larger files
  /// cover.
  mutating func tidy(
    _ replica: UniqueID, in folder: Path, as holder: any Holder, _ frontier: Frontier
  ) throws(SyncError) {
    if holder.hasErased(from: replica) {
      try stripFiles(of: replica, in: folder, as: holder, frontier)
    }
    let names = try files(in: folder) ?? []
    let covered = Self.covered(names)
    guard covered.count > Limit.coveredFiles else { return }
    for (old, candidates) in covered {
      for new in candidates {
        if try remove(old, inFavourOf: new, in: folder, of: replica, as: holder, frontier) { break }
      }
    }
  }

  /// The files that other files cover, according to their names.
  ///
  /// The largest files come first.
  private static func covered(
    _ names: [DirectoryName]
  ) -> [(old: DirectoryName, candidates: [DirectoryName])] {
    names.compactMap { old in
      let candidates = names.filter { new in
        new.events.count > old.events.count && new.events.lowerBound <= old.events.lowerBound
          && old.events.upperBound <= new.events.upperBound
      }
      let largest = candidates.sorted { ($0.events.count, $0) > ($1.events.count, $1) }.prefix(4)
      return largest.isEmpty ? nil : (old, Array(largest))
    }
  }

  /// Rewrites files that still contain erased bodies, with the events as stored here.
  private mutating func stripFiles(
    of replica: UniqueID, in folder: Path, as holder: any Holder, _ frontier: Frontier
  ) throws(SyncError) {
    for name in try files(in: folder) ?? [] {
      guard let old = try verified(name, in: folder, of: replica, as: holder),
        old.verdict == .hasBodyToStrip,
        let new = try rewrite(old, in: folder, of: replica, as: holder)
      else { continue }
      _ = try remove(name, inFavourOf: new, in: folder, of: replica, as: holder, frontier)
    }
  }

  /// Writes the events of a file to a new file, if they can be read without a hole.
  private func rewrite(
    _ old: VerifiedFile, in folder: Path, of replica: UniqueID, as holder: any Holder
  ) throws(SyncError) -> DirectoryName? {
    let first = old.name.events.lowerBound
    guard let before = old.hashes[first - 1] else { return nil }
    var batch = Batch()
    var (reached, end, isFull) = (first - 1, before, false)
    let start = Place(log: replica, sequence: first - 1, hash: before)
    try holder.forEachFrame(of: replica, lackedBy: first > 1 ? [start] : []) {
      (frame) throws(SyncError) in
      guard reached < old.name.events.upperBound, !isFull, let span = holder.span(of: frame),
        span.hash(at: reached) == end, span.events.upperBound > reached
      else { return }
      isFull = !batch.hasRoom(for: frame, span)
      guard !isFull else { return }
      batch.append(frame, span)
      (reached, end) = (span.events.upperBound, span.end)
    }
    guard reached >= old.name.events.upperBound else { return nil }
    let machine = machine
    return try onDisk { () throws(DiskError) in try batch.write(in: folder, on: machine) }
  }

  /// Removes a file if another file, which is read back first, makes it superfluous.
  private mutating func remove(
    _ old: DirectoryName, inFavourOf new: DirectoryName, in folder: Path, of replica: UniqueID,
    as holder: any Holder, _ frontier: Frontier
  ) throws(SyncError) -> Bool {
    let ends = VerifiedFile.ends(of: old)
    guard let one = try verified(old, in: folder, of: replica, as: holder),
      let other = try verified(new, in: folder, of: replica, as: holder, noting: ends),
      mayReplace(one, by: other), let hash = other.hashes[new.events.upperBound],
      // The events stored here were proved by their author.
      try holder.holds(
        Place(log: replica, sequence: new.events.upperBound, hash: hash), by: frontier)
    else { return false }
    let path = folder / old.file
    sound[path] = nil
    do throws(DiskError) {
      try disk.remove(path)
    } catch {
      // Another device may have removed the file. A folder that cannot be tidied is still usable.
      return false
    }
    return true
  }

  private func verified(
    _ name: DirectoryName, in folder: Path, of replica: UniqueID, as holder: any Holder,
    noting sequences: [UInt64] = []
  ) throws(SyncError) -> VerifiedFile? {
    let path = folder / name.file
    guard try status(of: path)?.kind == .file else { return nil }
    do throws(DiskError) {
      let bytes = try disk.contents(of: path, limit: Limit.fileBytes)
      return VerifiedFile(name, bytes, of: replica, as: holder, noting: sequences)
    } catch {
      // A file that cannot be read is neither verified nor removed.
      return nil
    }
  }
}
