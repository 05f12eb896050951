/// The only definition of the program's version.
///
/// The manual pages and `Tools/package` get the version from the program. A test compares it with `CHANGELOG.md`.
enum ProgramVersion {
  static let number = "0.1.0"

  /// The answer to `daybook --version`.
  static let line = "daybook \(number) (journal format 1)"
}
