import Bytes
import Journaling
import Platform

extension Layout {
  /// A description of `book.json` and the folders of the logs, for detecting changes to them.
  ///
  /// Sealed files never change, so among the files of logs, sizes and times are recorded only for tails. The time is
  /// needed because a tail that lost bytes at its end may grow to the same size again.
  ///
  /// - Returns: The description, or nil if the disk does not provide it.
  func diskState(on disk: any Disk) -> [String]? {
    var state: [String] = []
    do throws(DiskError) {
      for shelf in [LogShelf.logs, .aside] {
        state.append(shelf.rawValue)
        try Self.look(at: folder / shelf.rawValue, depth: 0, on: disk, &state)
      }
      for path in [holes, bookFile] {
        state.append(try Self.look(of: path, on: disk))
      }
    } catch {
      return nil
    }
    return state
  }

  private static func look(of file: Path, on disk: any Disk) throws(DiskError) -> String {
    let status = try disk.status(file)
    return "\(status?.size ?? 0) \(status?.modified.milliseconds ?? 0)"
  }

  private static func look(
    at folder: Path, depth: Int, on disk: any Disk, _ state: inout [String]
  ) throws(DiskError) {
    let names: [String]
    do throws(DiskError) {
      names = try disk.list(folder)
    } catch {
      // A missing folder, or a file in its place, has no entries.
      if error.reason == .notFound || error.reason == .notADirectory { return }
      throw error
    }
    for name in names {
      // The depth shows which folder the entry is in.
      let entry = "\(depth) \(name)"
      if UniqueID(hex: name) != nil, depth < 2 {
        state.append(entry)
        try look(at: folder / name, depth: depth + 1, on: disk, &state)
      } else if case .tail? = SegmentName(name) {
        state.append("\(entry) \(try look(of: folder / name, on: disk))")
      } else {
        state.append(entry)
      }
    }
  }
}
