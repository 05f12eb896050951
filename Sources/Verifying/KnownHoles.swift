import Bytes
import Platform

/// The known missing events, which are listed in a book's file `holes`.
struct KnownHoles {
  static let name = "holes"
  private static let fileLimit = 4 << 20

  private var ranges: [UniqueID: [ClosedRange<UInt64>]] = [:]
  /// Whether the file is valid or does not exist.
  private(set) var isReadable = true

  init(in folder: Path, _ disk: any Disk) throws(DiskError) {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: folder / Self.name, limit: Self.fileLimit)
    } catch {
      guard error.reason == .notFound || error.reason == .tooLarge else { throw error }
      isReadable = error.reason == .notFound
      return
    }
    do throws(JSONError) {
      isReadable = read(try JSON(parsing: bytes))
    } catch {
      isReadable = false
    }
  }

  /// Whether all events of the given range are known to be missing from the given strand.
  func covers(_ range: ClosedRange<UInt64>, of strand: UniqueID) -> Bool {
    ranges[strand, default: []].contains { known in
      known.contains(range.lowerBound) && known.contains(range.upperBound)
    }
  }

  /// Reads `{strand: [[first, last], …], …}`, and returns false for any other structure.
  ///
  /// A hole can have a third number, which is its original first event if a part of the hole has been filled.
  private mutating func read(_ json: JSON) -> Bool {
    guard let members = json.members else { return false }
    for member in members {
      guard let strand = UniqueID(hex: member.name), let pairs = member.value.array else {
        return false
      }
      for pair in pairs {
        guard let numbers = pair.array, 2...3 ~= numbers.count, let first = numbers[0].integer,
          let last = numbers[1].integer, first > 0, first <= last
        else { return false }
        ranges[strand, default: []].append(UInt64(first)...UInt64(last))
      }
    }
    return true
  }
}
