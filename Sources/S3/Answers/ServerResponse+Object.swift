package import HTTP

extension ServerResponse {
  /// Returns the object in the answer to a GET; nil if there is none.
  package func object() throws(S3Fault) -> [UInt8]? {
    if status == 200 { return body }
    try checkAbsence()
    return nil
  }

  /// Returns a part of an object in the answer to a GET with a range; nil if there is no object.
  ///
  /// The part is shorter than the range if the object ends earlier. A service that does not support ranges sends the
  /// whole object.
  package func part(_ range: Range<Int>) throws(S3Fault) -> [UInt8]? {
    switch status {
    case 206: return Array(body.prefix(range.count))
    case 200: return Array(body.dropFirst(range.lowerBound).prefix(range.count))
    // The object ends before the range begins.
    case 416: return []
    default:
      try checkAbsence()
      return nil
    }
  }

  /// Checks the answer to a PUT.
  package func checkPut() throws(S3Fault) {
    guard [200, 201, 204].contains(status) else { throw S3Fault(self) }
  }

  /// Checks the answer to a DELETE.
  ///
  /// A missing object is not a fault.
  package func checkDeletion() throws(S3Fault) {
    if ![200, 202, 204].contains(status) { try checkAbsence() }
  }

  /// Checks that the answer states that there is no such object, rather than, for example, no such bucket.
  private func checkAbsence() throws(S3Fault) {
    let fault = S3Fault(self)
    guard status == 404, fault != .noBucket else { throw fault }
  }
}
