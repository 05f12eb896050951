extension Timekeeper {
  /// Returns whether a value of the variable `TZ` determines a time zone on this machine.
  ///
  /// For any other value, the C library uses UTC without an error.
  package func knowsZone(_ value: String) -> Bool {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    // An empty name means UTC, which needs no data. Paths and zones with leap seconds are not looked up.
    if ["", "UTC", "UTC0", "GMT", "GMT0", "Etc/UTC", "Etc/GMT"].contains(name) { return true }
    if name.hasPrefix("/") || name.hasPrefix("right/") { return true }
    return zone(named: name) != nil || ZoneRules(posix: name) != nil
      // The C library knows when summer time begins if the rule does not say it.
      || ZoneRules(posix: name + ",M3.2.0,M11.1.0") != nil
  }
}
