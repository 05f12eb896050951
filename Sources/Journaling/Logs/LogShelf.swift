/// The folder in which a log is kept.
package enum LogShelf: String, Hashable, Sendable {
  /// The logs of the book.
  case logs
  /// The logs of devices that no member has admitted.
  case aside
}
