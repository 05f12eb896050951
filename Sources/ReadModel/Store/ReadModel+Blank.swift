internal import SQLite

extension ReadModel {
  /// Tables with nothing in them, as the bytes of a file.
  ///
  /// SQLite reads what a schema says much faster than it carries out what makes one.
  struct Blank: Sendable {
    let bytes: [UInt8]
    /// The pages at the top of all b-trees, by name.
    let roots: [String: Int]
    let columns: [(table: String, columns: [String])]

    /// Opens them in memory, where they can be written to.
    func opened() throws(ReadModelError) -> Connection {
      try reading { [bytes] () throws(SQLiteError) in try Connection(pieces: [bytes]) }
    }
  }

  /// Made once, by whoever needs it first.
  static let blank: Result<Blank, ReadModelError> = Result { () throws(ReadModelError) in
    let model = ReadModel(
      building: try reading { () throws(SQLiteError) in try Connection(.memory) })
    try model.create(inFile: false)
    let roots = try model.rows("SELECT name, rootpage FROM sqlite_schema") { row in
      (row.text(0), Int(row.integer(1)))
    }
    return Blank(
      bytes: try reading { () throws(SQLiteError) in try model.connection.contents() },
      roots: Dictionary(uniqueKeysWithValues: roots), columns: try model.columns())
  }
}
