/// Why a page cannot be shown, or a wish not be carried out.
enum PageFault: Error {
  /// The clock is where no calendar is.
  case noDay
  case noSuchView
  /// A member of a wish is missing or of no use.
  case badMember(String)
  /// The wish was about the past, which stays as it is.
  case past
  /// What a wish was about has changed meanwhile.
  case overtaken(String)
}
