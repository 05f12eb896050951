// Converts lines between the versions of cards.

extension ContentLine {
  /// The line in the syntax of versions 3 and 4, in which types have a name, unlike `TEL;HOME;VOICE`.
  var modern: ContentLine {
    var line = self
    let types = line.values("TYPE")
    let bare = line.parameters.count { $0.name == "TYPE" } > 1
    if bare {
      line.parameters.removeAll { $0.name == "TYPE" }
      line.parameters.append(Parameter(name: "TYPE", values: types))
    }
    if line.has("ENCODING", "BASE64") {
      line.parameters.removeAll { $0.name == "ENCODING" }
      line.parameters.append(Parameter(name: "ENCODING", values: ["b"]))
      line.value = line.value.filter { !$0.isWhitespace }
    }
    return line
  }

  private static let mediaTypes = [
    "PHOTO": "image", "LOGO": "image", "SOUND": "audio", "KEY": "application",
  ]

  /// Returns the line in the syntax of a version.
  func converted(toVersion version: Int) -> ContentLine {
    version >= 4 ? convertedTo4 : convertedTo3
  }

  private var convertedTo4: ContentLine {
    var line = self
    if has("TYPE", "PREF") {
      line.removeType("PREF")
      line.parameters.append(Parameter(name: "PREF", values: ["1"]))
    }
    guard let media = Self.mediaTypes[name], has("ENCODING", "B") else { return line }
    let type = values("TYPE").first?.lowercased() ?? "octet-stream"
    line.parameters.removeAll { ["ENCODING", "TYPE", "VALUE"].contains($0.name) }
    line.value = "data:\(media)/\(type);base64,\(value)"
    return line
  }

  private var convertedTo3: ContentLine {
    var line = self
    if has("PREF", "1") {
      line.parameters.removeAll { $0.name == "PREF" }
      line.parameters.append(Parameter(name: "TYPE", values: ["PREF"]))
    }
    guard Self.mediaTypes[name] != nil, value.hasPrefix("data:"),
      let comma = value.firstIndex(of: ","), value[..<comma].hasSuffix(";base64")
    else { return line }
    let type = value[..<comma].dropFirst(5).dropLast(7).split(separator: "/").last
    line.parameters.removeAll { $0.name == "VALUE" || $0.name == "MEDIATYPE" }
    line.parameters.append(Parameter(name: "ENCODING", values: ["b"]))
    if let type { line.parameters.append(Parameter(name: "TYPE", values: [type.uppercased()])) }
    line.value = String(value[value.index(after: comma)...])
    return line
  }

  private mutating func removeType(_ type: String) {
    for place in parameters.indices where parameters[place].name == "TYPE" {
      parameters[place].values.removeAll { $0.uppercased() == type }
    }
    parameters.removeAll { $0.name == "TYPE" && $0.values.isEmpty }
  }
}
