import Bytes
import Journaling

/// Removes a folder's objects that still contain erased bodies and, if larger objects cover many others, the covered
/// objects.
struct Tidier {
  let reader: ObjectReader
  let folder: ReplicaFolder
  /// The events of this device when the push began.
  let frontier: Frontier

  private var holder: any Holder { reader.holder }
  private var replica: UniqueID { folder.replica }

  /// Removes the superfluous objects among the given objects, which are all objects of the folder.
  func tidy(_ list: ObjectList) throws(SyncError) {
    var names = list.names
    if holder.hasErased(from: replica), try strip(names) {
      names = try reader.store.list(folder)?.names ?? []
    }
    let covered = Self.covered(names)
    guard covered.count > Portion.coveredFiles else { return }
    for (old, candidates) in covered {
      for new in candidates where !reader.isNoReplacement(new, of: old, in: folder) {
        if try remove(old, inFavourOf: new) { break }
      }
    }
  }

  /// The files that other files cover, according to their names.
  ///
  /// At most four covering files are returned for each file, the largest first.
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

  /// Rewrites files that still contain erased bodies, using the events as stored here.
  ///
  /// - Returns: Whether files were rewritten.
  private func strip(_ names: [DirectoryName]) throws(SyncError) -> Bool {
    var hasRewritten = false
    for name in names {
      if let verdict = reader.verdict(on: name, in: folder), verdict != .hasBodyToStrip { continue }
      guard let old = reader.verified(name, in: folder), old.verdict == .hasBodyToStrip,
        let new = try rewrite(old)
      else { continue }
      hasRewritten = true
      _ = try remove(name, inFavourOf: new)
    }
    return hasRewritten
  }

  /// Writes the events of a file to a new file, if they can be read without a hole.
  private func rewrite(_ old: VerifiedFile) throws(SyncError) -> DirectoryName? {
    let first = old.name.events.lowerBound
    guard let before = old.hashes[first - 1] else { return nil }
    var batch = Batch(for: folder, of: reader.store)
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
    return try batch.put()
  }

  /// Removes a file if another file makes it superfluous, which is determined by reading both.
  private func remove(
    _ old: DirectoryName, inFavourOf new: DirectoryName
  ) throws(SyncError) -> Bool {
    let ends = VerifiedFile.ends(of: old)
    guard let one = reader.verified(old, in: folder),
      let other = reader.verified(new, in: folder, noting: ends),
      mayReplace(one, by: other), let hash = other.hashes[new.events.upperBound],
      // The events stored here have been proved by their author.
      try holder.holds(
        Place(log: replica, sequence: new.events.upperBound, hash: hash), by: frontier)
    else { return false }
    return reader.delete(old, in: folder)
  }
}
