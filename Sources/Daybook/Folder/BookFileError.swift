package import Bytes

/// Why `book.json` cannot be read.
package enum BookFileError: Error, Hashable, Sendable {
  case notJSON(JSONError)
  case missing(String)
  case otherFormat(Int64)
}
