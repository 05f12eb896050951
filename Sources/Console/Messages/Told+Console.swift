import Phrasing

extension Told {
  /// Creates the message for an error of any module.
  init(ofAny error: any Error) {
    switch error {
    case let error as ConsoleError: self = error.told
    case let error as UsageFault: self = error.told
    case let error as WordsFault: self = error.told
    default:
      guard let told = Told(of: error) else {
        preconditionFailure("unexpected error: \(error)")
      }
      self = told
    }
  }
}
