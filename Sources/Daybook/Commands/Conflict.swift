package import Bytes
package import Domain

/// Something in a record that people have to settle, since nobody's part of it may be dropped in silence.
package struct Conflict: Sendable {
  package enum Subject: Hashable, Sendable {
    /// Several values of a field survive.
    case field(Field)
    /// One device deleted what another, not knowing, went on with.
    case life
  }

  package enum Content: Hashable, Sendable {
    /// References name documents.
    case value(Value)
    case edited
    case deleted
  }

  /// An event, by its log and its place there.
  package struct Event: Hashable, Sendable {
    package var log: UniqueID
    package var sequence: UInt64
  }

  /// The event behind a side, and who wrote it.
  package struct Writer: Hashable, Sendable {
    package var device: String
    /// The event by which it was written first.
    package var author: Event
    /// The event by which it stands there; another one where an undo has brought it back.
    package var event: Event
    /// Which of the values that the event gave the field; 0 for the first.
    package var alternative = 0
    /// When it happened, as its device says.
    package var time: Int64
    /// Whether its time lies so far ahead that the clock behind it was wrong.
    package var isClockSuspect: Bool
    /// Whether it was written under the key of this device.
    package var isThis: Bool
  }

  /// One of the ways it can be settled.
  package struct Side: Hashable, Sendable {
    package var content: Content
    /// Those who have written it, the highest stamp first; at least one.
    package var writers: [Writer]
  }

  package var document: Document
  package var subject: Subject
  /// What is shown comes first.
  package var sides: [Side]
}

extension Conflict {
  /// The places of the sides that a word for somebody means: `mine`, `theirs`, a device, or one of its events.
  ///
  /// An event is `DEVICE:NUMBER`, as the log has it; it tells apart what one device wrote to records that became one.
  ///
  /// - Returns: nil where the word is for nobody.
  package func sides(of word: String, among devices: [Device]) -> [Int]? {
    let own = sides.indices.filter { sides[$0].writers.contains(where: \.isThis) }
    if word == "mine" { return own }
    if word == "theirs" { return sides.indices.filter { !own.contains($0) } }
    let logs = Self.logs(of: word, among: devices)
    guard logs.isEmpty else { return places { logs.contains($0.author.log) } }
    guard let colon = word.lastIndex(of: ":"),
      let number = UInt64(word[word.index(after: colon)...])
    else { return nil }
    let writing = Self.logs(of: String(word[..<colon]), among: devices)
    guard !writing.isEmpty else { return nil }
    return places { writing.contains($0.author.log) && $0.author.sequence == number }
  }

  private static func logs(of word: String, among devices: [Device]) -> Set<UniqueID> {
    Set(devices.filter { $0.isCalled(word) }.map(\.replica))
  }

  private func places(_ wrote: (Writer) -> Bool) -> [Int] {
    sides.indices.filter { sides[$0].writers.contains(where: wrote) }
  }
}
