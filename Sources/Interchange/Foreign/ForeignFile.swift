internal import Domain

/// The content of another program's file.
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

  /// A column of a table and its use.
  package struct Column: Hashable, Sendable {
    package var name: String
    /// The name of the column's meaning, as in ``ColumnMeaning``.
    package var field: String?
    /// Whether the cells of the column are kept as text.
    package var isKept: Bool
  }

  package let format: FileFormat
  /// The records in the order of the file, with parents before their children.
  package var records: [ForeignRecord] = []
  /// The parts that could not be imported, up to a limit.
  package private(set) var skipped: [Skipped] = []
  /// The number of additional parts that could not be imported.
  package private(set) var moreSkipped = 0
  /// Notes about records that were imported with changes, up to the same limit.
  package private(set) var remarks: [Remark] = []
  /// The number of remarks beyond the limit.
  package private(set) var moreRemarks = 0
  /// The number of parts of the file that do not belong in a book, by type.
  package var passedOver: [ForeignMatter: Int] = [:]

  /// The name, for use in a sentence, of the program that wrote the table.
  package var program: String?
  /// The columns of a table, in their order.
  package var columns: [Column] = []

  /// The part of the file's name that affects the records; nil if the records would be the same under any name.
  package var named: String?

  /// The fields that the file cannot contain for any record of a kind, such as those without a column in a table.
  var silent: [Kind: Set<Field>] = [:]
  /// The settings with which the file was read.
  var settings = ForeignSettings()

  package init(_ format: FileFormat) { self.format = format }

  /// Whether the file takes precedence wherever it differs from the book.
  var isPreferred: Bool { settings.prefersFile }

  /// The first remark that the end of the file is missing.
  package var cut: Remark? {
    remarks.first { if case .cutOff = $0.note { true } else { false } }
  }

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

/// Derives names for records from their content if their file does not name them.
///
/// Equal content gets the same name in each import. The second of two equal records gets a different name.
package struct ContentNames {
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func name(_ parts: [String?]) -> String {
    var text = "=" + parts.map { $0 ?? "" }.joined(separator: "|")
    // Each record stores its source, so the name should not be long.
    if text.utf8.count > 120 {
      text = String(text.prefix(40)) + "#" + FieldDigests.digest(of: Array(text.utf8))
    }
    counts[text, default: 0] += 1
    let count = counts[text] ?? 1
    return count == 1 ? text : "\(text)#\(count)"
  }
}
