import Bytes
import Crypto
package import Platform
package import Syncing

extension Machine {
  /// This machine with a disk that forgets all that is done to it.
  package var onTrial: Machine {
    Machine(
      disk: TrialDisk(over: disk), timekeeper: timekeeper, dice: dice, network: network)
  }
}

extension Book {
  /// A bundle looked at with what this book knows of keys; nothing of it is taken.
  package func inspectBundle(_ path: Path) throws(DaybookError) -> BundleContents {
    let keys = try publicKeys()
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try Bundle.inspect(path, on: machine) { keys[$0] }
    }
  }

  /// The key of each replica of which the book has events.
  private func publicKeys() throws(DaybookError) -> [UniqueID: PublicKey] {
    var keys: [UniqueID: PublicKey] = [:]
    for device in try devices() {
      // A key that cannot be had checks nothing.
      keys[device.replica] = try? publicKey(of: device)
    }
    return keys
  }
}
