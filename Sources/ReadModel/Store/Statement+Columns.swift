import Bytes
internal import Domain
internal import SQLite

// How rows are read: by position, in the order of the columns asked for.

extension Statement {
  func unsigned(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// A log's number.
  func number(_ column: Int) -> UInt32 { UInt32(truncatingIfNeeded: integer(column)) }

  func boolean(_ column: Int) -> Bool { integer(column) != 0 }

  func integerOrNil(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

  /// An event's log and sequence, from two columns.
  func key(_ column: Int) -> EventKey {
    EventKey(log: number(column), sequence: unsigned(column + 1))
  }

  func keyOrNil(_ column: Int) -> EventKey? { isNull(column) ? nil : key(column) }

  /// An id; one of the wrong length, which only a damaged file has, reads as zero.
  func uniqueID(_ column: Int) -> UniqueID { uniqueIDOrNil(column) ?? UniqueID.none }

  func uniqueIDOrNil(_ column: Int) -> UniqueID? {
    withBytes(column) { UniqueID(copying: $0, at: 0) }
  }

  func date(_ column: Int) -> CivilDate? { integerOrNil(column).flatMap(CivilDate.init(packed:)) }

  /// Texts that were written as a JSON array.
  func texts(_ column: Int) -> [String] {
    guard !isNull(column) else { return [] }
    do throws(JSONError) {
      return try JSON(parsing: bytes(column)).array?.compactMap(\.string) ?? []
    } catch {
      // We wrote it ourselves; in a damaged file the tags are the least that is wrong.
      return []
    }
  }
}

extension SQLiteValue {
  static func integer(_ number: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: number)) }
  static func integer(_ number: UInt32) -> SQLiteValue { .integer(Int64(number)) }
  static func id(_ id: UniqueID) -> SQLiteValue { .blob(id.bytes) }

  init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .null }
  init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .null }
}
