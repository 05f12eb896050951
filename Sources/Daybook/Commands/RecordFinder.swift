package import Bytes
package import Domain
import Platform
package import ReadModel

/// Finds records by id or title.
package final class RecordFinder {
  let store: LogStore
  let projector: Projector
  /// The ids from which short ids are computed, which another thread reads in advance, and the read model whose file
  /// it reads.
  private var awaitedIDs: (ids: ReadAhead<[UniqueID]>, model: ReadModel)?

  init(store: LogStore, projector: Projector) {
    self.store = store
    self.projector = projector
  }

  /// The records to search.
  ///
  /// A record that is hidden because its parent is deleted counts as deleted, except in a search among living records.
  package enum Among: Sendable {
    case live
    /// Living records, including those that are hidden because their parent is deleted.
    case living
    /// Living records, for a command that removes them.
    ///
    /// Search text that is the whole title of a deleted record does not match part of the title of a living one.
    case removable
    case dead
    case all
  }

  /// Returns the record that the search text identifies by its full or short id, by its whole title, or by a part of
  /// its title that no other title contains.
  ///
  /// If deleted records are included, the text matches first the whole title of a living record, then the whole title
  /// of a deleted one, then part of the title of a living one.
  package func find(
    _ words: String, kind: Kind? = nil, among: Among = .live
  ) throws(DaybookError) -> Found {
    let candidates = try candidates(words, kind, in: try projector.view())
    let ids = words.count < ShortID.fewestLetters ? nil : ShortID.parse(words)
    let isByID = candidates.contains { ids?.contains($0.id) ?? false }
    let hidden = isByID && among != .all ? try parentsHiding(candidates) : [:]
    let live = candidates.filter { $0.isAlive && (hidden[$0.key] == nil || among == .living) }
    let byID = candidates.filter { !$0.isAlive }
    if among == .all || among == .removable, !isByID, Self.arePartsOnly(live, of: words) {
      let exact = try removedCandidates(words, kind).filter { Self.hasTitle($0, words) }
      if !exact.isEmpty, among == .all { return try one(of: exact, words) }
      if let gone = exact.first { throw try error(ofRemoved: gone) }
    }
    if among != .dead, live.count + (among == .all ? byID.count : 0) > 0 {
      let isOfLiving = among == .live || among == .living
      let others =
        isOfLiving || !isByID ? [] : try removedNamesakes(of: candidates, words, kind)
      return try one(of: (among == .all ? candidates : live) + others, words)
    }
    if byID.isEmpty, let first = candidates.first(where: { hidden[$0.key] != nil }) {
      throw try error(ofRemoved: first)
    }
    let dead =
      !byID.isEmpty
      ? byID
      : among == .all ? try removedCandidates(words, kind) : try deadCandidates(words, kind)
    if among == .dead || among == .all {
      if !dead.isEmpty { return try one(of: dead, words) }
      let meant = live.count == 1 ? live[0] : live.first { Self.hasTitle($0, words) }
      if let meant { throw .notGone(try found(meant)) }
    } else if dead.count == 1 {
      throw .gone(try found(dead[0]))
    }
    if let hidden = try onlyHidden(words, kind) {
      if among == .living { return try found(hidden) }
      throw try error(ofRemoved: hidden)
    }
    throw try missing(words, kind: kind)
  }

  /// The deleted and hidden records whose whole title equals search text that is also a prefix of another record's id.
  ///
  /// A command that deletes or erases may refer to these records.
  private func removedNamesakes(
    of candidates: [Candidate], _ words: String, _ kind: Kind?
  ) throws(DaybookError) -> [Candidate] {
    let known = Set(candidates.map(\.key))
    return try removedCandidates(words, kind).filter {
      Self.hasTitle($0, words) && !known.contains($0.key)
    }
  }

  /// Returns the record that the search text identified at a given time by its id, or by part of its title at that
  /// time.
  package func find(
    _ words: String, kind: Kind? = nil, among: Among = .live, in past: ReadModel
  ) throws(DaybookError) -> Found {
    let known = try candidates(words, kind, in: past).filter { among == .all || $0.isAlive }
    // The text may also be the current title of a record.
    guard !known.isEmpty else { return try find(words, kind: kind, among: .all) }
    return try one(of: try titled(known, in: past), words)
  }

  /// The same candidates, with their titles as of the time of an earlier read model.
  private func titled(
    _ candidates: [Candidate], in past: ReadModel
  ) throws(DaybookError) -> [Candidate] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      let records = try past.records.hydrate(
        Set(candidates.map(\.key)), causality: try past.logs.causality())
      return candidates.map { $0.titled(records.document(of: $0.key)?.title ?? "") }
    }
  }

  /// The only hidden record that the search text matches by its title; nil if it matches none or several.
  private func onlyHidden(_ words: String, _ kind: Kind?) throws(DaybookError) -> Candidate? {
    let hidden = Self.fitting(words, try hiddenCandidates(words, kind))
    return hidden.count == 1 ? hidden[0] : nil
  }

  /// The hidden records whose titles match the search text.
  private func hiddenCandidates(
    _ words: String, _ kind: Kind?
  ) throws(DaybookError) -> [Candidate] {
    if words.trimmed.isEmpty { return [] }
    let model = try projector.view()
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.hiddenSearch.hiddenDocuments(titled: words.trimmed, kind: kind).map(\.document)
    }
  }

  /// The deleted and hidden records whose titles match the search text.
  private func removedCandidates(
    _ words: String, _ kind: Kind?
  ) throws(DaybookError) -> [Candidate] {
    Self.fitting(words, try deadCandidates(words, kind) + hiddenCandidates(words, kind))
  }

  /// For each living candidate that is hidden, its deleted parent.
  private func parentsHiding(
    _ candidates: [Candidate]
  ) throws(DaybookError) -> [EventKey: EventKey] {
    let model = try projector.view()
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      var parents: [EventKey: EventKey] = [:]
      for candidate in candidates where candidate.isAlive {
        parents[candidate.key] = try model.documents.deadParents(of: [candidate.key]).first
      }
      return parents
    }
  }

  /// The error for a record that is deleted, or hidden because its parent is.
  private func error(ofRemoved candidate: Candidate) throws(DaybookError) -> DaybookError {
    let found = try found(candidate)
    guard let key = try parentsHiding([candidate])[candidate.key],
      let parent = try document(of: key)
    else { return .gone(found) }
    let shortID = try shortIDs(for: [parent.id])[parent.id] ?? ShortID.text(of: parent.id)
    return .hidden(
      found,
      with: Found(
        id: parent.id, kind: parent.kind, title: parent.title, isAlive: false, shortID: shortID))
  }

  private func one(of candidates: [Candidate], _ words: String) throws(DaybookError) -> Found {
    var found: [Found] = []
    for candidate in candidates { found.append(try self.found(candidate)) }
    if found.count == 1 { return found[0] }
    // A short id exactly as shown identifies its record, even if the id of a deleted record has the same beginning.
    let named = found.filter { $0.shortID == words.lowercased() }
    let others = found.filter {
      $0.shortID != words.lowercased() && $0.title.lowercased() == words.trimmed.lowercased()
    }
    guard named.count == 1, others.isEmpty else { throw .ambiguous(words, found) }
    return named[0]
  }

  private func found(_ candidate: Candidate) throws(DaybookError) -> Found {
    let title: String
    if let shown = candidate.title {
      title = shown
    } else {
      title = try self.title(of: candidate.key)
    }
    return Found(
      id: candidate.id, kind: candidate.kind, title: title, isAlive: candidate.isAlive,
      shortID: try shortIDs(for: [candidate.id])[candidate.id] ?? ShortID.text(of: candidate.id))
  }

  /// The records whose ids begin with the search text, or the shown records whose titles match it.
  private func candidates(
    _ words: String, _ kind: Kind?, in model: ReadModel
  ) throws(DaybookError) -> [Candidate] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      if words.count >= ShortID.fewestLetters, let ids = ShortID.parse(words) {
        let byID = try model.titleSearch.candidates(in: ids, kind: kind)
        guard byID.isEmpty else {
          // If the text is also the whole title of another record, include that record.
          let known = Set(byID.map(\.key))
          return byID
            + (try model.titleSearch.candidates(named: words.trimmed, kind: kind)).filter {
              !known.contains($0.key)
            }
        }
      }
      guard !words.trimmed.isEmpty else { return [] }
      return Self.fitting(
        words, try model.titleSearch.candidates(titled: words.trimmed, kind: kind))
    }
  }

  /// The deleted records whose titles match the search text, excluding occurrences, which share the titles of their
  /// series.
  ///
  /// The read model contains only the titles of living records.
  private func deadCandidates(
    _ words: String, _ kind: Kind?
  ) throws(DaybookError) -> [Candidate] {
    let fragment = words.trimmed
    if fragment.isEmpty { return [] }
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let dead = try model.titleSearch.deletedDocuments(kind: kind)
      let records = try model.records.hydrate(Set(dead.map(\.key)), causality: posting.causality)
      let titled = dead.compactMap { candidate -> Candidate? in
        guard let document = records.document(of: candidate.key), !document.isOccurrence,
          TitleSearch.isPart(fragment, ofTitle: document.title)
        else { return nil }
        return candidate.titled(document.title)
      }
      return Self.fitting(words, titled)
    }
  }

  private static func hasTitle(_ candidate: Candidate, _ words: String) -> Bool {
    candidate.title?.lowercased() == words.trimmed.lowercased()
  }

  /// Whether the search text is only part of the title of every candidate.
  ///
  /// The result is false if any candidate was found only by its id.
  private static func arePartsOnly(_ candidates: [Candidate], of words: String) -> Bool {
    !candidates.isEmpty
      && candidates.allSatisfy { candidate in
        guard let title = candidate.title, !hasTitle(candidate, words) else { return false }
        return TitleSearch.isPart(words.trimmed, ofTitle: title)
      }
  }

  /// The candidates whose whole title matches; all candidates if there are none.
  private static func fitting(_ words: String, _ candidates: [Candidate]) -> [Candidate] {
    let exact = candidates.filter { hasTitle($0, words) }
    // A title in the same case is preferred to one in a different case.
    let same = exact.filter { $0.title == words.trimmed }
    return !same.isEmpty ? same : exact.isEmpty ? candidates : exact
  }

  /// The title of a record, even if it is deleted.
  private func title(of key: EventKey) throws(DaybookError) -> String {
    try document(of: key)?.title ?? ""
  }

  /// The document with the given id, alive or deleted.
  package func document(withID id: UniqueID) throws(DaybookError) -> Document? {
    let model = try projector.view()
    let info = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.document(id: id)
    }
    guard let info else { return nil }
    return try document(of: info.key)
  }

  private func document(of key: EventKey) throws(DaybookError) -> Document? {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate([key], causality: posting.causality).document(of: key)
    }
  }

  /// The shortest prefixes that distinguish ids and are long enough to be recognised as ids.
  package func shortIDs(for ids: [UniqueID]) throws(DaybookError) -> [UniqueID: String] {
    let ids = Array(Set(ids))
    let names = try shortNames(of: ids)
    return Dictionary(uniqueKeysWithValues: ids.map { ($0, names.name(of: $0)) })
  }

  /// Starts reading, on another thread, the ids that are needed for the short ids of many records.
  package func expectShortIDs() throws(DaybookError) {
    let model = try projector.view()
    guard case .file(let path) = projector.place, let beside = store.machine.beside else {
      return
    }
    let ids = ReadAhead(in: path, beside: beside) { tables throws(ReadModelError) in
      try ReadModel(tables).documents.livingIDs()
    }
    awaitedIDs = (ids, model)
  }

  /// The short ids of records, computed together if there are many.
  package func shortNames(of ids: [UniqueID]) throws(DaybookError) -> ShortNames {
    let model = try projector.view()
    let awaited = awaitedIDs.take()
    var living = awaited?.ids.awaited(by: store.machine.timekeeper)
    // If the file was replaced, the other thread may have read a different file.
    if awaited?.model !== model || model.isReplaced { living = nil }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.shortNames(of: ids, among: living)
    }
  }
}
