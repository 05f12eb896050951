package import Bytes
import Journaling
import Platform

/// A book with files in a directory, as those files describe it.
package struct DirectoryBook: Hashable, Sendable {
  package var id: UniqueID
  /// The name of the device that founded the book; nil if its first event is not in the directory.
  package var founder: String?
  /// The number of devices that have written files.
  package var devices: Int
  package var events: UInt64
  /// The time of the latest write by any device, according to the clock of that device; nil if no file can be read.
  package var lastWritten: Int64?

  package init(
    id: UniqueID, founder: String?, devices: Int, events: UInt64, lastWritten: Int64?
  ) {
    (self.id, self.founder) = (id, founder)
    (self.devices, self.events, self.lastWritten) = (devices, events, lastWritten)
  }
}

extension DirectoryPeer {
  /// Examines a book without storing anything, so that the user can tell which book it is.
  ///
  /// Only the founder is proved, by the event that gave the book its id.
  package func survey(_ book: UniqueID) throws(SyncError) -> DirectoryBook {
    var survey = DirectoryBook(id: book, founder: nil, devices: 0, events: 0, lastWritten: nil)
    var seen: Set<UniqueID> = []
    for replica in try replicas(of: book).names.prefix(Limit.frontierPlaces) {
      let (folder, names) = (replica.path, try files(in: replica.path) ?? [])
      guard let first = names.first,
        let last = names.max(by: { $0.events.upperBound < $1.events.upperBound })
      else { continue }
      if seen.insert(replica.id).inserted { survey.devices += 1 }
      // The names of files are only claims, so their sum may overflow.
      let (sum, isTooMuch) = survey.events.addingReportingOverflow(last.events.upperBound)
      survey.events = isTooMuch ? .max : sum
      if let time = try frames(in: folder / last.file, of: replica.id).last?.events.last?.time {
        survey.lastWritten = max(survey.lastWritten ?? time, time)
      }
      if survey.founder == nil, first.events.lowerBound == 1 {
        survey.founder = try founder(of: book, in: folder / first.file, by: replica.id)
      }
    }
    return survey
  }

  /// The events of each replica, according to the names of a book's files.
  ///
  /// The claims are not proved.
  package func claims(of book: UniqueID) throws(SyncError) -> [UniqueID: [ClosedRange<UInt64>]] {
    var claims: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for replica in try replicas(of: book).names.prefix(Limit.frontierPlaces) {
      let ranges = (try files(in: replica.path) ?? []).filter(\.isPlain).map(\.events)
      claims[replica.id] = [ClosedRange<UInt64>](joining: (claims[replica.id] ?? []) + ranges)
    }
    return claims.filter { !$0.value.isEmpty }
  }

  /// The name of the device that founded a book, if the file begins with the founding event.
  private func founder(
    of book: UniqueID, in file: Path, by replica: UniqueID
  ) throws(SyncError) -> String? {
    guard let frame = try frames(in: file, of: replica).first, let event = frame.events.first,
      UniqueID.book(firstHash: event.hash) == book
    else { return nil }
    // A founder without a name stays unnamed.
    return frame.opening?.name
  }

  /// The first and the last frame of the given file, if they can be read.
  private func frames(in file: Path, of replica: UniqueID) throws(SyncError) -> [Frame] {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: file, limit: Limit.fileBytes)
    } catch {
      // An unreadable file shows nothing, but other files may be readable.
      return []
    }
    var cursor = FrameCursor(bytes, of: replica)
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
