package import Bytes
package import Domain
internal import SQLite

/// Which documents may look different from before.
package enum Touched: Hashable, Sendable {
  /// Documents by their kinds: the ids of all members of each.
  package typealias Documents = [Kind: Set<UniqueID>]

  case nothing
  /// Only these, and what is made from them.
  case documents(Documents)
  case anything
}
