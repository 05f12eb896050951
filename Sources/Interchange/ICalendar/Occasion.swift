/// A yearly occasion that is not a birthday, although it may be in a calendar of birthdays.
package enum Occasion: Hashable, Sendable {
  case death, anniversary, nameDay
  /// Any other occasion, with its name in the file.
  case other(String)
}
