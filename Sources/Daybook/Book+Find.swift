package import Bytes
package import Domain
import ReadModel

extension Book {
  /// Which records words may name.
  package enum Among: Sendable {
    case live
    case dead
    case all
  }

  /// Fewest letters of a short id that are taken for one.
  private static let fewestLetters = 2

  /// The one record that words name: its id in full or in short, or a part of its title that no other has.
  package func find(
    _ words: String, kind: Kind? = nil, among: Among = .live
  ) throws(DaybookError) -> Found {
    let found = try candidates(words, kind).filter { candidate in
      switch among {
      case .live: candidate.isAlive
      case .dead: !candidate.isAlive
      case .all: true
      }
    }
    guard let first = found.first else {
      let gone = try candidates(words, kind)
      if among == .live, gone.count == 1 { throw .gone(gone[0]) }
      throw .unknown(words, kind: kind)
    }
    guard found.count == 1 else { throw .ambiguous(words, found) }
    return first
  }

  private func candidates(_ words: String, _ kind: Kind?) throws(DaybookError) -> [Found] {
    let model = try view()
    let found = try wrap(DaybookError.view) { () throws(ReadModelError) in
      if words.count >= Self.fewestLetters, let ids = ShortID.parse(words) {
        let byID = try model.candidates(in: ids, kind: kind)
        if !byID.isEmpty { return byID }
      }
      guard !words.trimmed.isEmpty else { return [] }
      let titled = try model.candidates(titled: words.trimmed, kind: kind)
      // Who writes a title in full means that one, also where it is a part of others.
      let exact = titled.filter { $0.title?.lowercased() == words.trimmed.lowercased() }
      return exact.count == 1 ? exact : titled
    }
    var records: [Found] = []
    for candidate in found {
      let title: String
      if let shown = candidate.title {
        title = shown
      } else {
        title = try self.title(of: candidate.key)
      }
      records.append(
        Found(id: candidate.id, kind: candidate.kind, title: title, isAlive: candidate.isAlive))
    }
    return records
  }

  /// What a record is called, also one that is deleted.
  private func title(of key: EventKey) throws(DaybookError) -> String {
    try document(of: key)?.title ?? ""
  }

  /// The document with that id, dead or alive.
  package func document(withID id: UniqueID) throws(DaybookError) -> Document? {
    let model = try view()
    let info = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.document(id: id)
    }
    guard let info else { return nil }
    return try document(of: info.key)
  }

  private func document(of key: EventKey) throws(DaybookError) -> Document? {
    let model = try view()
    let posting = try remembered(by: model)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.hydrate([key], causality: posting.causality).document(of: key)
    }
  }

  /// The ids as short as tells them apart, but not shorter than is taken for an id.
  package func shortIDs(for ids: [UniqueID]) throws(DaybookError) -> [UniqueID: String] {
    let model = try view()
    let texts = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.shortIDs(for: ids)
    }
    let pairs = zip(ids, texts).map { id, text in
      (id, ShortID.text(of: id, length: max(text.count, Self.fewestLetters)))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
