package import Bytes
package import Daybook
import Domain
import Wording

/// The tags that an event added and removed.
///
/// If the event joined two records, they are the tags that the first record took from the second.
package struct TagChanges {
  /// The added tags, including those that are now written differently, in sorted order.
  package let added: [String]
  /// The removed tags whose texts are known, in sorted order.
  package let removed: [String]
  /// The number of removed tags whose texts are not known, because an event that removes a tag does not contain the
  /// tag's text.
  package let unknownCount: Int

  package init(_ entry: HistoryEntry) {
    let writes = entry.fact.body.fieldWrites.filter(\.field.isTag)
    added = Tag.sorted(writes.compactMap(\.value.tagText) + entry.taken.tags)
    let gone = writes.filter { $0.value == .boolean(false) }
    let known = gone.compactMap { entry.text(ofTag: $0.field) }
    removed = Tag.sorted(known)
    unknownCount = gone.count - known.count
  }

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && unknownCount == 0 }

  /// The changes as phrases: `tagged food`, `tag home removed`.
  package var words: [String] {
    var words: [String] = []
    if !added.isEmpty { words.append("tagged \(added.map(\.visible).joined(separator: ", "))") }
    if !removed.isEmpty {
      let names = removed.map(\.visible).joined(separator: ", ")
      words.append("\(removed.count == 1 ? "tag" : "tags") \(names) removed")
    }
    if unknownCount > 0 {
      words.append(unknownCount == 1 ? "a tag removed" : "\(unknownCount) tags removed")
    }
    return words
  }

  package var json: JSON {
    .object(
      ("added", .array(added.map { .string($0) })), ("removed", .array(removed.map { .string($0) }))
    )
  }

  /// Returns the tags that a record with the given tags has after the same changes.
  package func applied(to tags: [String]) -> [String] {
    let gone = Set(removed.map { Field(tag: $0) })
    return Tag.sorted(added + tags.filter { !gone.contains(Field(tag: $0)) })
  }
}

extension HistoryEntry {
  /// The text of a tag before the event; nil if the event's author had seen none.
  fileprivate func text(ofTag field: Field) -> String? {
    if let text = replaced[field, default: []].lazy.compactMap(\.write.value.tagText).first {
      return text
    }
    let listed = replaced[.tags, default: []].flatMap { $0.write.value.texts ?? [] }
    return listed.first { Field(tag: $0) == field }
  }
}
