package import Proving

/// The reason why a proof cannot be made.
package enum ProofObstacle: Error, Hashable, Sendable {
  /// No event of the record fits the request.
  case noEvent
  /// An event that the proof needs is not readable here.
  case missing(device: String, sequence: UInt64)
  /// No signature of the device covers the event yet, and its key is not here.
  case unsigned(device: String, sequence: UInt64)
  /// The finished proof does not hold, because the logs are damaged.
  case faulty(ProofFault)
  /// The proof would be longer than readers accept.
  case tooLarge(limit: Int)
}
