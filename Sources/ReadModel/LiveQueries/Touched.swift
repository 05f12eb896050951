package import Bytes
package import Domain
internal import SQLite

/// The documents that may have changed.
package enum Touched: Hashable, Sendable {
  /// The ids of all members of the documents, by kind.
  package typealias Documents = [Kind: Set<UniqueID>]

  case nothing
  /// Only these documents, and rows that are made from them.
  case documents(Documents)
  case anything
}
