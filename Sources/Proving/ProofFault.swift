package import Bytes

/// The reason why a proof is refused.
///
/// A log is named by its place in the file, from 0; an event by its log and its sequence.
package enum ProofFault: Error, Hashable, Sendable {
  case notAProof
  case version(UInt64)
  case tooLarge(limit: Int)
  case encoding(CBORError)
  /// The key is not one that signatures can be verified with.
  case key(log: Int)
  case header(log: Int, sequence: UInt64)
  /// The first event of the log does not begin its chain.
  case beginning(log: Int)
  /// The stretch begins before the previous one.
  case order(log: Int, sequence: UInt64)
  /// The log contains the same event twice.
  case repeated(log: Int, sequence: UInt64)
  /// The log contains two different events at one position.
  case contradiction(log: Int, sequence: UInt64)
  /// The signature at this event is not the key's signature of these events.
  case signature(log: Int, sequence: UInt64)
  /// There is no signature at this event, which is not the event that began the book.
  case unsigned(log: Int, sequence: UInt64)
  /// The first event is shown, but does not name the key of its log.
  case opening(log: Int)
  case body(log: Int, sequence: UInt64)
  /// No log begins with the event from which the book's id is derived.
  case founder
  /// No admission in the file leads from the founder to the key of the log.
  case unadmitted(log: Int)
  /// No event in the file has the id of the record.
  case record
  /// The event added the record, or a record that was joined with it, but is neither shown nor erased.
  case hiddenAdd(log: Int, sequence: UInt64)
  /// The file does not show which log the index in this event's body stands for.
  case index(log: Int, sequence: UInt64)
  /// The event names an event that the file contains in two versions.
  case ambiguous(log: Int, sequence: UInt64)
  /// The event is about another record.
  case foreign(log: Int, sequence: UInt64)
  /// The event says nothing about the record or about a device in the file.
  case needless(log: Int, sequence: UInt64)
}
