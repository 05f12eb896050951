import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// An error in the form that the page reports, which consists of a status, a code for programs, and a sentence.
struct Problem {
  var status: Int
  var reason: String
  var code: String
  var message: String

  init(_ error: any Error) {
    if let fault = error as? PageFault {
      self.init(fault)
      return
    }
    guard let told = Told(of: error) else {
      preconditionFailure("unexpected error: \(error)")
    }
    let (status, reason) = Self.status(of: error, told)
    self.init(status, reason, told.code, told.text.asSentence)
  }

  private init(_ fault: PageFault) {
    switch fault {
    case .noDay:
      self.init(
        500, "Internal Server Error", "no-day",
        "The clock of this device is set to an impossible date.")
    case .noSuchView:
      self.init(404, "Not Found", "no-such-view", "There is no such page.")
    case .badMember(let name):
      self.init(
        400, "Bad Request", "bad-request", "'\(name)' is missing or invalid in this request.")
    case .past:
      self.init(
        423, "Locked", "past", "The past cannot be changed. Go back to now first.")
    case .overtaken(let words): self.init(409, "Conflict", "overtaken", words)
    }
  }

  private init(_ status: Int, _ reason: String, _ code: String, _ message: String) {
    (self.status, self.reason, self.code, self.message) = (status, reason, code, message)
  }

  private static func status(of error: any Error, _ told: Told) -> (Int, String) {
    switch (error, told.exit) {
    case (DaybookError.unknown, _): (404, "Not Found")
    case (DaybookError.editedSince, _), (DaybookError.dependedOn, _),
      (DaybookError.undoneAlready, _), (DaybookError.refused(.noConflict), _),
      (DaybookError.gone, _):
      (409, "Conflict")
    case (_, .cannotWrite): (507, "Insufficient Storage")
    case (_, .busy): (503, "Service Unavailable")
    case (_, .dataFault): (500, "Internal Server Error")
    default: (400, "Bad Request")
    }
  }

  var answer: Answer {
    .json(
      .object(
        (
          "error",
          .object(
            ("code", .string(code)), ("field", .null), ("message", .string(message)),
            ("proposal", .null))
        )), status, reason)
  }
}

extension String {
  /// The text with its first letter in uppercase.
  var asSentence: String { prefix(1).uppercased() + dropFirst() }
}
