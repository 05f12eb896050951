internal import Domain

/// Names of time zones in a calendar.
enum CalendarZone {
  private static let areas: Set<Substring> = [
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil",
    "Canada", "Chile", "Etc", "Europe", "Indian", "Mexico", "Pacific", "US",
  ]

  /// Returns the name of a zone in the IANA database, which may follow the name of a program, as in
  /// `/freeassociation.sourceforge.net/Europe/Berlin`; nil for any other name.
  static func name(_ id: String) -> String? {
    let id = id.trimmed
    if ["UTC", "GMT"].contains(id.uppercased()) { return "Etc/UTC" }
    let parts = id.split(separator: "/")
    guard let start = parts.firstIndex(where: areas.contains), start < parts.count - 1,
      parts[start...].allSatisfy({ $0.utf8.allSatisfy(isOfName) })
    else { return nil }
    return parts[start...].joined(separator: "/")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.isASCII
      && (scalar.properties.isAlphabetic || "_-+0123456789".unicodeScalars.contains(scalar))
  }
}
