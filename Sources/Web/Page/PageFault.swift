/// The reason why a page cannot be shown, or a wish cannot be carried out.
enum PageFault: Error {
  /// The clock is outside the range of the calendar.
  case noDay
  case noSuchView
  /// A member of a wish, or a parameter of a request, is missing or invalid.
  case badMember(String)
  /// The wish would change a past state, which is not possible.
  case past
  /// The subject of the wish has changed in the meantime.
  case overtaken(String)
}
