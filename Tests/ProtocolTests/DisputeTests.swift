import Bytes
import Domain
import Testing

@Suite struct DisputeTests {
  @Test func `Disputes: each list of the small book has the dispute of the vector`() throws {
    let vector = try ProtocolText.vector("fold: disputes")
    var names: [UniqueID: String] = [:]
    var parts: [FramePart] = []
    for name in ["desk", "phone", "tablet"] {
      let part = try FramePart(file: vector.bytes(name))
      names[part.log] = name
      parts.append(part)
    }
    let records = try Records.folding(parts)
    #expect(records.digest() == (try vector.digest("digest")))
    let shown = records.documents(.list).filter(\.isAlive).map { document in
      let line = Self.line(document.deleteAgainstEdit, names, records.causality)
      return "\(document.id.hex) = \(line)"
    }
    let lines = vector.pairs.filter { UniqueID(hex: $0.key) != nil }
    #expect(shown.sorted() == lines.map { "\($0.key) = \($0.value)" })
  }

  /// A dispute, in the words of the vector.
  private static func line(
    _ dispute: Document.Dispute?, _ names: [UniqueID: String], _ causality: Causality
  ) -> String {
    guard let dispute else { return "no dispute" }
    let (delete, giver) = (dispute.delete.key, dispute.giver.key)
    let logs = [delete, giver].map { key in
      causality.identity(of: key.log).flatMap { names[$0.id] } ?? "none"
    }
    let events = "deleted by \(logs[0]) \(delete.sequence), given by \(logs[1]) \(giver.sequence)"
    return events + (dispute.isReopened ? ", reopened" : "")
  }
}
