import Bytes
internal import Domain
internal import SQLite

// Typed access to the columns of a row, by index.

extension Statement {
  func unsigned(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// The number of a log.
  func number(_ column: Int) -> UInt32 { UInt32(truncatingIfNeeded: integer(column)) }

  func boolean(_ column: Int) -> Bool { integer(column) != 0 }

  func integerOrNil(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The key of an event, from two consecutive columns: log and sequence.
  func key(_ column: Int) -> EventKey {
    EventKey(log: number(column), sequence: unsigned(column + 1))
  }

  func keyOrNil(_ column: Int) -> EventKey? { isNull(column) ? nil : key(column) }

  /// The id in a column, or ``UniqueID/none`` if the column holds fewer than 16 bytes, as in a damaged file.
  func uniqueID(_ column: Int) -> UniqueID { uniqueIDOrNil(column) ?? UniqueID.none }

  func uniqueIDOrNil(_ column: Int) -> UniqueID? {
    withBytes(column) { UniqueID(copying: $0, at: 0) }
  }

  func date(_ column: Int) -> CivilDate? { integerOrNil(column).flatMap(CivilDate.init(packed:)) }

  /// The strings in a column that holds a JSON array.
  func texts(_ column: Int) -> [String] {
    guard !isNull(column) else { return [] }
    do throws(JSONError) {
      return try JSON(parsing: bytes(column)).array?.compactMap(\.string) ?? []
    } catch {
      // Only a damaged file contains invalid JSON here, and its tags are not worth an error.
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
