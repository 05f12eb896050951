internal import Domain

/// A uid that several records of a file share, and their kind.
struct SharedUID: Hashable, Sendable {
  let kind: Kind
  let uid: String

  init(of record: ForeignRecord) { (kind, uid) = (record.kind, record.uid) }

  /// Returns the fields that contain the name of a record; only birthdays have two.
  static func titleFields(of kind: Kind) -> [Field] {
    // In all kinds, the name is the first of the fields that are specific to the kind.
    kind == .birthday
      ? [Field.Birthday.firstName, Field.Birthday.lastName] : [Field.Todo.title]
  }
}

extension ForeignFile {
  /// Gives each of several different records with the same uid a name of its own, and adds a note.
  ///
  /// Records that agree, or complement each other, are parts of one record. In a line-based format, each line is
  /// complete, so a copied line is a separate record.
  mutating func tellSharedUIDsApart() {
    var places: [SharedUID: [Int]] = [:]
    for (place, record) in records.enumerated() {
      places[SharedUID(of: record), default: []].append(place)
    }
    var names = ContentNames()
    let hasWholeLines = format == .todoTxt || format == .markdown
    for place in records.indices {
      guard let others = places[SharedUID(of: records[place])], others.count > 1 else { continue }
      let isSaidInParts =
        !hasWholeLines
        && others.indices.dropFirst().allSatisfy { index in
          records[others[index - 1]].agrees(with: records[others[index]])
        }
      if isSaidInParts { continue }
      records[place].ownName = names.name([records[place].uid] + records[place].title)
      if place != others.first {
        remark(records[place].place, .sharedUID(records[place].uid))
      }
    }
  }
}

extension ForeignRecord {
  /// The name of the record, by which a user recognises it.
  fileprivate var title: [String?] {
    SharedUID.titleFields(of: kind).map { field in
      if case .value(let value)? = fields[field] { value.text } else { nil }
    }
  }

  /// Returns whether two records agree in everything that both contain.
  fileprivate func agrees(with other: ForeignRecord) -> Bool {
    fields.allSatisfy { field, content in other.fields[field].map { $0 == content } ?? true }
      && extra.allSatisfy { name, text in other.extra[name].map { $0 == text } ?? true }
  }
}

/// Determines which of several records with the same uid is the record that the book has under that uid.
struct SharedUIDs: Sendable {
  private let places: [SharedUID: [Int]]
  /// The place of the record that owns each uid; nil if no record of the file owns it.
  private var owners: [SharedUID: Int?] = [:]

  init(_ file: ForeignFile) {
    let shared = file.records.indices.filter { file.records[$0].ownName != nil }
    places = Dictionary(grouping: shared) { SharedUID(of: file.records[$0]) }
  }

  /// Returns the record at a place, under the uid that the book uses or will use for it.
  ///
  /// The book has the record that was first read under the uid. The uid's owner in the file is the record with the same
  /// name that agrees with the book's record in the most fields, wherever it is in the file. If no record has that
  /// name, the uid has no owner. If the book has no record under the uid, the first record with that uid in the file
  /// becomes the owner.
  ///
  /// - Parameters:
  ///   - place: The index of the record in the file.
  ///   - file: The file.
  ///   - records: The records of the book.
  ///   - planner: Finds the records by their uids.
  /// - Returns: The record with its final uid.
  mutating func named(
    _ place: Int, of file: ForeignFile, in records: Records, _ planner: OperationPlanner
  ) -> ForeignRecord {
    var record = file.records[place]
    guard let name = record.ownName else { return record }
    if planner.entity(record.kind, name, in: records) == nil,
      owner(of: SharedUID(of: record), file, records, planner) == place
    {
      return record
    }
    record.uid = name
    return record
  }

  private mutating func owner(
    of uid: SharedUID, _ file: ForeignFile, _ records: Records, _ planner: OperationPlanner
  ) -> Int? {
    if let owner = owners[uid] { return owner }
    guard let places = places[uid] else { return nil }
    var owner = places.first
    if let key = planner.entity(uid.kind, uid.uid, in: records),
      let document = records.document(of: key)
    {
      let contents = ExportContents(records)
      let likeness = places.map {
        document.likeness(to: file.records[$0], of: file.format, contents)
      }
      owner = likeness.max().flatMap { $0 == 0 ? nil : likeness.firstIndex(of: $0) }.map {
        places[$0]
      }
    }
    owners[uid] = owner
    return owner
  }
}

extension Document {
  /// Returns zero if the names differ from those of a record; otherwise one more than the number of fields that equal
  /// those of the record, now or when the file was last read.
  fileprivate func likeness(
    to record: ForeignRecord, of format: FileFormat, _ contents: ExportContents
  ) -> Int {
    let base = ForeignExtra(of: self, format: format).base
    func isSame(_ field: Field) -> Bool {
      let content = record.fields[field]
      if base?.isSame(field, content, in: kind) ?? false { return true }
      if case .value(let value)? = content { return shows(value, field) }
      return content == contents.content(of: field, in: self, as: format)
    }
    guard SharedUID.titleFields(of: kind).allSatisfy(isSame) else { return 0 }
    return 1 + record.fields.keys.count(where: isSame)
  }
}
