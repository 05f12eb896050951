package import Bytes
package import Domain
package import ReadModel

extension Book {
  /// Records that look the same: of all there are, or of those that have the name of one.
  package func lookAlikes(of key: EventKey? = nil) throws(DaybookError) -> [DuplicatePair] {
    let model = try view()
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.duplicates(of: key)
    }
  }

  /// Records that look the same, of which some replicas have added one and others the other.
  package func lookAlikes(
    between replicas: Set<UniqueID>
  ) throws(DaybookError) -> [DuplicatePair] {
    let causality = try remembered(by: try view()).causality
    return try lookAlikes().filter { pair in
      let sides = [pair.first, pair.second].map { side in
        causality.identity(of: side.log).map { replicas.contains($0.replica) }
      }
      return sides[0] != sides[1]
    }
  }
}
