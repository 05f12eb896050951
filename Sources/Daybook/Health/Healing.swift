import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import Syncing
package import Verifying

/// The result of filling the holes of a book from a peer.
package struct Healing: Sendable {
  package var before: VerificationReport
  package var after: VerificationReport
  /// The receipt of the sync; nil if no sync was needed, because the book was whole and no loss had been accepted.
  package var receipt: Receipt?
  package var healed: [Gap]
  package var left: [Gap]

  package var isWhole: Bool { after.isWhole }
}
