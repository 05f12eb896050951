import Bytes
import Journaling

/// Describes a book in a store by the names of its objects and the frames at their ends.
struct DirectorySurveyor {
  let store: any ObjectStore
  let book: UniqueID

  func survey() throws(SyncError) -> DirectoryBook {
    var survey = DirectoryBook(id: book, founder: nil, devices: 0, events: 0, lastWritten: nil)
    var seen: Set<UniqueID> = []
    for folder in try store.folders(of: book).folders.prefix(Limit.frontierPlaces) {
      let names = try store.list(folder)?.names ?? []
      guard let first = names.first,
        let last = names.max(by: { $0.events.upperBound < $1.events.upperBound })
      else { continue }
      if seen.insert(folder.replica).inserted { survey.devices += 1 }
      // The names of files only claim events, so the sum may overflow.
      let (sum, isTooMuch) = survey.events.addingReportingOverflow(last.events.upperBound)
      survey.events = isTooMuch ? .max : sum
      if let time = frames(of: last, in: folder).last?.events.last?.time {
        survey.lastWritten = max(survey.lastWritten ?? time, time)
      }
      if survey.founder == nil, first.events.lowerBound == 1 {
        survey.founder = founder(in: first, of: folder)
      }
    }
    return survey
  }

  func claims() throws(SyncError) -> [UniqueID: [ClosedRange<UInt64>]] {
    var claims: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for folder in try store.folders(of: book).folders.prefix(Limit.frontierPlaces) {
      let ranges = (try store.list(folder)?.names ?? []).filter(\.isPlain).map(\.events)
      claims[folder.replica] = [ClosedRange<UInt64>](
        joining: (claims[folder.replica] ?? []) + ranges)
    }
    return claims.filter { !$0.value.isEmpty }
  }

  /// The name of the device that founded the book, if the file begins with the founding event.
  private func founder(in name: DirectoryName, of folder: ReplicaFolder) -> String? {
    guard let frame = frames(of: name, in: folder).first, let event = frame.events.first,
      UniqueID.book(firstHash: event.hash) == book
    else { return nil }
    // A founder without a name stays unnamed.
    return frame.opening?.name
  }

  /// The first and last frames of the given file, if they can be read.
  private func frames(of name: DirectoryName, in folder: ReplicaFolder) -> [Frame] {
    // An unreadable file shows nothing, but other files may be readable.
    guard case .found(let content)? = try? store.get(name, in: folder) else { return [] }
    let bytes = content.frames
    var cursor = FrameCursor(bytes, of: folder.replica)
    guard let first = cursor.next() else { return [] }
    var last = first
    while let next = cursor.next() { last = next }
    var frames: [Frame] = []
    for place in [first.range, last.range] {
      var chain = Chain()
      do throws(FrameError) {
        frames.append(try Frame.decode(Array(bytes[place]).span, at: 0, &chain))
      } catch {
        continue
      }
    }
    return frames
  }
}
