import Domain

/// Records for a command, with the recurrences of its to-dos.
///
/// The records include only the occurrences that the command can write to. How a to-do repeats depends on all of its
/// occurrences, so the recurrences are read from the tables, which contain one short row for each occurrence.
struct RepeatShelf: Shelf {
  let records: Records
  /// The recurrences, by the keys that the command names and by the shown members of their documents.
  private var recurrences: [EventKey: Recurrence]
  private let ends: EarlierEnds?

  init(_ records: Records, _ recurrences: [EventKey: Recurrence], _ ends: EarlierEnds?) {
    self.records = records
    self.recurrences = recurrences
    self.ends = ends
    for (key, recurrence) in recurrences {
      if let shown = records.shownMember(of: key) { self.recurrences[shown] = recurrence }
    }
  }

  func document(of key: EventKey) -> Document? { records.document(of: key) }
  func entity(of key: EventKey) -> Entity? { records.entity(of: key) }
  func isAlive(_ key: EventKey) -> Bool { records.isAlive(key) }
  func recurrence(of key: EventKey) -> Recurrence? { recurrences[key] }

  func earlierEnds(of key: EventKey) -> [Value]? {
    guard let ends, let document = document(of: key) else { return nil }
    return ends.ends(before: document)
  }

  func children(of key: EventKey, _ kind: Kind) -> [Document] {
    records.children(of: key, kind)
  }
}
