import Bytes
import Crypto
package import Journaling
import Platform

extension Book {
  /// Seals and merges the logs' files as far as that goes.
  package func compact() throws(DaybookError) -> Compaction {
    try withLock { () throws(DaybookError) in
      try finishErasureLeft()
      var keys: [UniqueID: DeviceKeys] = [:]
      for log in journal.logs.keys.sorted() { keys[log] = try self.keys(of: log) }
      let compaction = try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.compact(keys: keys)
      }
      keepEnds()
      return compaction
    }
  }
}
