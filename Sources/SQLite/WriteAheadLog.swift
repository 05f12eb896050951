/// The file ending in `-wal`, which contains the pages that SQLite has not yet written to the database file.
///
/// A copy of a database is complete only with these pages. Applying them to the bytes of a copy leaves the user's files
/// unchanged, whereas opening the files with SQLite would change them.
package struct WriteAheadLog {
  private let bytes: [UInt8]
  private let pageBytes: Int
  private let isBigEndian: Bool

  /// Reads a log; nil if it contains nothing that SQLite would read.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerBytes else { return nil }
    let magic = bytes.word(at: 0)
    guard magic & 0xffff_fffe == 0x377f_0682, bytes.word(at: 4) == 3_007_000 else { return nil }
    self.bytes = bytes
    isBigEndian = magic & 1 == 1
    let size = Int(bytes.word(at: 8))
    guard size >= 512, size <= 65_536, size & (size - 1) == 0 else { return nil }
    pageBytes = size
    var sum = Checksum()
    sum.add(bytes[0..<24], isBigEndian: isBigEndian)
    guard sum.matches(bytes, at: 24) else { return nil }
  }

  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  private var frameBytes: Int { Self.frameHeaderBytes + pageBytes }

  /// Returns the database with all committed pages, as a file that does not need a log.
  ///
  /// - Parameter database: The bytes of the database file, which may be empty.
  /// - Returns: The resulting bytes; nil if the log does not fit the database.
  package func applied(to database: [UInt8]) -> [UInt8]? {
    guard database.isEmpty || Self.pageBytes(of: database) == pageBytes else { return nil }
    let (frames, pageCount) = committed()
    guard let pageCount else { return Self.withoutLog(database) }
    // Every new page is contained in the log.
    guard pageCount <= database.count / pageBytes + frames.count else { return nil }
    var whole = Array(database.prefix(pageCount * pageBytes))
    whole += Array(repeating: 0, count: pageCount * pageBytes - whole.count)
    for frame in frames {
      let page = Int(bytes.word(at: frame))
      guard page >= 1 else { return nil }
      if page > pageCount { continue }
      let start = (page - 1) * pageBytes
      let content = frame + Self.frameHeaderBytes
      whole.replaceSubrange(start..<start + pageBytes, with: bytes[content..<content + pageBytes])
    }
    return Self.withoutLog(whole)
  }

  /// Returns the frames up to the last frame that ends a transaction, and the number of pages in the database after
  /// that frame.
  private func committed() -> (frames: [Int], pageCount: Int?) {
    var sum = Checksum()
    sum.add(bytes[0..<24], isBigEndian: isBigEndian)
    var (frames, whole): ([Int], Int) = ([], 0)
    var pageCount: Int?
    var place = Self.headerBytes
    while place + frameBytes <= bytes.count {
      // After the valid frames, there may be frames from an earlier use of the log.
      guard bytes[place + 8..<place + 16] == bytes[16..<24] else { break }
      sum.add(bytes[place..<place + 8], isBigEndian: isBigEndian)
      sum.add(bytes[place + Self.frameHeaderBytes..<place + frameBytes], isBigEndian: isBigEndian)
      guard sum.matches(bytes, at: place + 16) else { break }
      frames.append(place)
      let size = bytes.word(at: place + 4)
      if size > 0 { (pageCount, whole) = (Int(size), frames.count) }
      place += frameBytes
    }
    return (Array(frames.prefix(whole)), pageCount)
  }

  /// Returns the page size given in the header of a database.
  static func pageBytes(of database: [UInt8]) -> Int? {
    guard database.count >= 100 else { return nil }
    let size = Int(database[16]) << 8 | Int(database[17])
    return size == 1 ? 65_536 : size
  }

  /// Returns the database, marked as having no log.
  package static func withoutLog(_ database: [UInt8]) -> [UInt8] {
    guard keepsLog(database) else { return database }
    var database = database
    (database[18], database[19]) = (1, 1)
    return database
  }

  /// Returns whether a database uses a write-ahead log.
  package static func keepsLog(_ database: [UInt8]) -> Bool {
    database.count >= 100 && database[18] == 2 && database[19] == 2
  }
}

/// The checksum of a log, which continues from frame to frame.
private struct Checksum {
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    var place = bytes.startIndex
    while place + 8 <= bytes.endIndex {
      let (left, right) = (bytes.word(at: place), bytes.word(at: place + 4))
      first &+= (isBigEndian ? left : left.byteSwapped) &+ second
      second &+= (isBigEndian ? right : right.byteSwapped) &+ first
      place += 8
    }
  }

  func matches(_ bytes: [UInt8], at place: Int) -> Bool {
    first == bytes.word(at: place) && second == bytes.word(at: place + 4)
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  fileprivate func word(at place: Int) -> UInt32 {
    UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
      | UInt32(self[place + 3])
  }
}
