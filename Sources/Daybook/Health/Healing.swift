import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import Syncing
package import Verifying

/// What came of filling a book's holes from a peer.
package struct Healing: Sendable {
  package var before: VerificationReport
  package var after: VerificationReport
  /// Nil where nothing was missing, so that nobody was asked.
  package var receipt: Receipt?
  package var healed: [Gap]
  package var left: [Gap]

  package var isWhole: Bool { after.isWhole }
}
