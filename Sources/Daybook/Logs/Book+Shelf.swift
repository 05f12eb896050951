package import Bytes
import Crypto
package import Journaling

extension Book {
  /// Where a log is put when a frame of it comes: among the book's, if somebody known has admitted its key.
  ///
  /// Aside there is little room, so only logs of strangers go there.
  package func shelf(
    for replica: UniqueID, firstFrame: [UInt8]
  ) throws(DaybookError) -> Journal.Shelf {
    // Who joins takes the book as its holder has it.
    if isJoining || journal.end(of: replica, on: .logs) != nil { return .logs }
    guard journal.end(of: replica, on: .aside) == nil, let key = Journal.openingKey(in: firstFrame)
    else {
      return .aside
    }
    let trust = try trust(by: try remembered(by: try view()).ledger)
    return trust.knownKeys.contains(key) ? .logs : .aside
  }
}
