internal import Domain

/// What was found in a file of another program.
package struct ForeignFile: Sendable {
  package struct Skipped: Hashable, Sendable {
    package var place: ForeignPlace
    package var fault: ForeignFault

    package init(place: ForeignPlace, fault: ForeignFault) {
      (self.place, self.fault) = (place, fault)
    }
  }

  package struct Remark: Hashable, Sendable {
    package var place: ForeignPlace
    package var note: ForeignNote

    package init(place: ForeignPlace, note: ForeignNote) {
      (self.place, self.note) = (place, note)
    }
  }

  /// A column of a table, and what was made of it.
  package struct Column: Hashable, Sendable {
    package var name: String
    /// What it was taken for, as it is called in ``ColumnMeaning``.
    package var field: String?
    /// Whether its cells are kept as text.
    package var isKept: Bool
  }

  package let format: FileFormat
  /// In the order of the file, parents before their children.
  package var records: [ForeignRecord] = []
  /// What could not be taken, up to the limit of what is kept of it.
  package private(set) var skipped: [Skipped] = []
  /// How much more could not be taken.
  package private(set) var moreSkipped = 0
  /// What was taken, but not just as it stands there, up to the same limit.
  package private(set) var remarks: [Remark] = []
  /// How many more remarks there would be.
  package private(set) var moreRemarks = 0
  /// What such files hold beside what a book does, and how much of it there was.
  package var passedOver: [ForeignMatter: Int] = [:]

  /// The program whose table it is, as it is called in a sentence.
  package var program: String?
  /// What the columns of a table were taken for, in their order.
  package var columns: [Column] = []

  /// What the file's name decides of the records; nil where they would be the same by any name.
  package var named: String?

  /// The fields of which the file says nothing in any record of a kind, such as those a table has no column for.
  var silent: [Kind: Set<Field>] = [:]
  /// Whether what it says counts wherever the book has something else.
  package var isPreferred = false
  /// Seconds that local time is ahead of UTC at an instant in milliseconds, where it is read.
  var localOffset: @Sendable (Int64) -> Int = { _ in 0 }

  package init(_ format: FileFormat) { self.format = format }

  private static let mostFaults = ForeignSettings.Limits().faults

  package mutating func skip(_ place: ForeignPlace, _ fault: ForeignFault) {
    guard skipped.count < Self.mostFaults else { return moreSkipped += 1 }
    skipped.append(Skipped(place: place, fault: fault))
  }

  package mutating func remark(_ place: ForeignPlace, _ note: ForeignNote) {
    guard remarks.count < Self.mostFaults else { return moreRemarks += 1 }
    remarks.append(Remark(place: place, note: note))
  }

  package mutating func passOver(_ matter: ForeignMatter) { passedOver[matter, default: 0] += 1 }
}

/// What a record of a file is to be called whose file gives it no name.
///
/// Equal contents get the same names each time, and the second of two equal ones a name of its own.
package struct ContentNames {
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func name(_ parts: [String?]) -> String {
    var text = "=" + parts.map { $0 ?? "" }.joined(separator: "|")
    // A source is kept with each record, so it shall not be long.
    if text.utf8.count > 120 {
      text = String(text.prefix(40)) + "#" + FieldDigests.digest(of: Array(text.utf8))
    }
    counts[text, default: 0] += 1
    let count = counts[text] ?? 1
    return count == 1 ? text : "\(text)#\(count)"
  }
}
