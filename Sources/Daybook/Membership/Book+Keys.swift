import Bytes
import Crypto
import Journaling
import Platform
import ReadModel

// Whether the keys that lie here are those of the logs that they are named after.

extension Book {
  /// What the read model remembers of the keys that were found to be a log's own.
  private static let provenKeys = "key"

  /// The keys of the log this device writes, found to be its own: what other keys sign no device ever takes.
  func provenKeys(of log: UniqueID) throws(DaybookError) -> KeptKeys {
    guard let kept = try keptKeys(of: log) else { throw .noKey(layout.key(of: log)) }
    // To make keys takes as long as half of a command, so what was found once is remembered.
    let proof = log.bytes + kept.digest.bytes
    // A read model that cannot be read remembers nothing.
    if let known = try? model?.setting(Self.provenKeys), known == proof { return kept }
    _ = try keys(of: log)
    // Where that cannot be remembered, it is found once more.
    try? model?.keep(Self.provenKeys, proof)
    return kept
  }

  /// Makes sure that keys are those of the log they are named after, where its first event can be read.
  func check(_ keys: DeviceKeys, of log: UniqueID) throws(DaybookError) {
    guard let own = try? journal.publicKey(of: log) else { return }
    guard own == keys.signing.publicKey else { throw .otherKey(layout.key(of: log)) }
  }

  /// Whether this device can sign what it writes.
  package func keyState() throws(DaybookError) -> Finding.KeyState {
    // A log that is lost has been written all the same.
    let (own, written) = (try ownLog, file.writers[try mark()])
    guard let log = own ?? written else { return .none }
    let path = layout.key(of: log)
    do throws(DaybookError) {
      return try keys(of: log) == nil ? .missing(path) : .usable
    } catch .otherKey {
      return .other(path)
    } catch .keys, .disk {
      return .unreadable(path)
    }
  }
}
