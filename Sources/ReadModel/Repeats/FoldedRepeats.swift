internal import Domain

/// The repeating to-dos of a complete fold that have stored occurrences.
///
/// The value is made once and then read by all batches of rows. A series without stored occurrences is cheap to
/// compute, so it is not kept.
struct FoldedRepeats: Sendable {
  private struct Owner {
    let content: DocumentContent
    let recurrence: Recurrence?
    /// The contents of the documents stored for the slot that the owner shows.
    let stored: [DocumentContent]
  }

  private var owners: [EventKey: Owner] = [:]

  init(_ records: Records) {
    for key in records.occurrenceOwners {
      guard let document = records.document(of: key), document.isAlive, document.kind == .todo,
        !document.isOccurrence, owners[document.key] == nil,
        !RecurrenceFinder(records).occurrences(of: document).isEmpty
      else { continue }
      owners[document.key] = Self.owner(document, in: records)
    }
  }

  private static func owner(_ document: Document, in records: Records) -> Owner {
    let recurrence = records.recurrence(of: document.key)
    let stored = (recurrence?.stored ?? []).compactMap { records.document(of: $0.key) }
    return Owner(
      content: DocumentContent(document, in: records), recurrence: recurrence,
      stored: stored.map { DocumentContent($0, in: records) })
  }

  /// The content that the row of a to-do shows; nil if the to-do has no row.
  func shown(_ content: DocumentContent, in records: Records) -> DocumentContent? {
    if let owner = content.owner {
      guard let owner = records.shownMember(of: owner).flatMap({ owners[$0] }) else { return nil }
      return content.asOccurrence(of: owner.content, owner.recurrence)
    }
    if let owner = owners[content.key] {
      guard let recurrence = owner.recurrence else { return content }
      return recurrence.isOfSubtask
        ? content.asSubtask(recurrence, owner.stored) : content.asSeries(recurrence, owner.stored)
    }
    guard content.hasRule, let recurrence = records.recurrence(of: content.key),
      !recurrence.isOfSubtask
    else { return content }
    return content.asSeries(recurrence, [])
  }
}
