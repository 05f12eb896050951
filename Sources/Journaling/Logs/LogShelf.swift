/// Where logs stand.
package enum LogShelf: String, Hashable, Sendable {
  /// Those of the book.
  case logs
  /// Those of devices nobody has admitted.
  case aside
}
