/// Timestamps as Apple's systems store them, in fractional seconds since 2001.
enum AppleTime {
  private static let start = 978_307_200.0

  /// Returns a timestamp in milliseconds since 1970; nil outside the years 1 to 9999.
  static func milliseconds(_ seconds: Double) -> Int64? {
    let milliseconds = ((seconds + start) * 1000).rounded()
    guard milliseconds >= Double(Operation.Limit.time.lowerBound),
      milliseconds <= Double(Operation.Limit.time.upperBound)
    else { return nil }
    return Int64(milliseconds)
  }
}
