internal import Bytes

extension JSONError {
  /// The fault of a file or record that is not valid JSON.
  var fault: ForeignFault {
    switch self {
    case .tooDeep: .tooDeep(limit: JSON.depthLimit)
    case .unexpectedEnd: .broken("the JSON ends too early")
    case .unexpected(let place): .broken("unexpected data in the JSON at byte \(place)")
    case .invalidText(let place): .broken("invalid text in the JSON at byte \(place)")
    case .invalidNumber(let place): .broken("an invalid number in the JSON at byte \(place)")
    case .duplicateName(let name): .broken("'\(name)' occurs twice")
    }
  }
}
