package import Bytes

/// The reason why `book.json` cannot be read.
package enum BookFileError: Error, Hashable, Sendable {
  case notJSON(JSONError)
  case missing(String)
  case otherFormat(Int64)
}
