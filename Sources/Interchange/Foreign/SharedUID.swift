internal import Domain

/// A uid that several records of a file bear, by kind.
struct SharedUID: Hashable, Sendable {
  let kind: Kind
  let uid: String

  init(of record: ForeignRecord) { (kind, uid) = (record.kind, record.uid) }

  /// The fields that name a record of a kind; only people have two.
  static func titleFields(of kind: Kind) -> [Field] {
    // In all kinds, the first field of their own is the name.
    kind == .birthday
      ? [Field.Birthday.firstName, Field.Birthday.lastName] : [Field.Todo.title]
  }
}

extension ForeignFile {
  /// Gives each of several records that differ and yet have one uid a name of its own, and notes that.
  ///
  /// Records that say the same, or of which one says what another leaves open, are one record, said in parts; but in a
  /// format of lines each says all, and a copied line is a record of its own.
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
  /// What it is called, by which people tell it from others.
  fileprivate var title: [String?] {
    SharedUID.titleFields(of: kind).map { field in
      if case .value(let value)? = fields[field] { value.text } else { nil }
    }
  }

  /// Whether it says nothing else than another record does, as far as both say something.
  fileprivate func agrees(with other: ForeignRecord) -> Bool {
    fields.allSatisfy { field, content in other.fields[field].map { $0 == content } ?? true }
      && extra.allSatisfy { name, text in other.extra[name].map { $0 == text } ?? true }
  }
}

/// Which of several records with one uid is the one that a book has under that uid.
struct SharedUIDs: Sendable {
  private let places: [SharedUID: [Int]]
  /// The record that has the uid of each, if one of the file has it.
  private var owners: [SharedUID: Int?] = [:]

  init(_ file: ForeignFile) {
    let shared = file.records.indices.filter { file.records[$0].ownName != nil }
    places = Dictionary(grouping: shared) { SharedUID(of: file.records[$0]) }
  }

  /// The record at a place under the name by which the book knows it, or is to know it.
  ///
  /// In the book stands what was read first under the uid; of the records in the file, that is the one of the same
  /// name which agrees with it most, wherever it stands, or none. Where the book has nothing, it is the first.
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
  /// How many fields are as a record has them, or as the file had them when it was read last; none if those that name
  /// it are not.
  fileprivate func likeness(
    to record: ForeignRecord, of format: FileFormat, _ contents: ExportContents
  ) -> Int {
    let base = ForeignExtra(of: self, format: format).base
    func isSame(_ field: Field) -> Bool {
      let content = record.fields[field]
      if base?.isSame(field, content, in: kind) ?? false { return true }
      if case .value(let value)? = content { return shows(value, field) }
      return content == contents.content(of: field, in: self)
    }
    guard SharedUID.titleFields(of: kind).allSatisfy(isSame) else { return 0 }
    return 1 + record.fields.keys.count(where: isSame)
  }
}
