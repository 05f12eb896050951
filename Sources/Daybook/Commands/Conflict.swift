package import Bytes
package import Domain

/// A conflict in a record, for the user to settle.
package struct Conflict: Sendable {
  package enum Subject: Hashable, Sendable {
    /// A field has several values.
    case field(Field)
    /// One device deleted the record, and another device edited it, unaware of the deletion.
    case life
  }

  package enum Content: Hashable, Sendable {
    /// A value of the field.
    ///
    /// A reference is replaced by the shown member of its document.
    case value(Value)
    case edited
    case deleted
  }

  /// An event, identified by its log and sequence.
  package struct Event: Hashable, Sendable {
    package var log: UniqueID
    package var sequence: UInt64
  }

  /// One side's event and its author.
  package struct Writer: Hashable, Sendable {
    package var device: String
    /// The event that wrote the value first.
    package var author: Event
    /// The event that gave the field its present value.
    ///
    /// This event differs from the author's event if an undo has restored the value.
    package var event: Event
    /// The index of the value among those that the event gave the field; 0 for the first.
    package var alternative = 0
    /// The time at which the event was written, by the clock of its device.
    package var time: Int64
    /// Whether the time is so far in the future that the clock must have been wrong.
    package var isClockSuspect: Bool
    /// Whether the event was written with this device's key.
    package var isThis: Bool

    /// The write that gave the field its present value.
    var origin: Origin { Origin(event: event, alternative: alternative) }
  }

  /// Identifies a field's value by the event that wrote it, in the same way on every device.
  struct Origin: Hashable {
    let event: Event
    let alternative: Int
  }

  /// One way to settle the conflict.
  package struct Side: Hashable, Sendable {
    package var content: Content
    /// The authors of this side, latest first.
    ///
    /// The array is never empty.
    package var writers: [Writer]
  }

  package var document: Document
  package var subject: Subject
  /// The conflicting sides.
  ///
  /// The first side is the one that is shown.
  package var sides: [Side]
}

extension Conflict {
  /// The indices of the sides that an argument selects: `mine`, `theirs`, a device, or an event of a device.
  ///
  /// An event has the form `DEVICE:NUMBER`, as in the log. This form distinguishes the values that one device wrote to
  /// records that were joined later.
  ///
  /// - Returns: nil if the argument identifies neither a device nor an event; empty if that device or event has no side
  ///   in this conflict.
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
