import Testing

/// Limits on the size of folders and types, and on cycles among files.
///
/// The exceptions are the figures that exceeded a limit when the limits were introduced. They may only shrink: lower or
/// remove an exception when its figure falls, never raise or add an exception.
struct StructureTests {
  private static let structure = Result {
    Structure(try LayeringTests.sources(in: "Sources"))
  }

  /// Records an issue for each complaint, because the files in it are easier to read on separate lines.
  private func check(
    _ ratchet: Ratchet, on findings: (Structure) -> [Finding],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for complaint in ratchet.complaints(about: findings(try Self.structure.get())) {
      Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
    }
  }

  static let filesOfFolders = Ratchet(
    limit: 30, unit: "Swift files", advice: "Put those of one idea into a folder of their own.",
    exceptions: [:])

  @Test func `Folders: the number of Swift files is within the limit`() throws {
    try check(Self.filesOfFolders, on: \.filesOfFolders)
  }

  static let filesOfTypes = Ratchet(
    limit: 8, unit: "files", advice: "Make types of its parts instead of extensions.",
    exceptions: [:])

  @Test func `Types: the number of files of each is within the limit`() throws {
    try check(Self.filesOfTypes, on: \.filesOfTypes)
  }

  static let linesOfTypes = Ratchet(
    limit: 900, unit: "lines", advice: "Make types of its parts.",
    exceptions: [:], slack: 100)

  @Test func `Types: the number of lines of each is within the limit`() throws {
    try check(Self.linesOfTypes, on: \.linesOfTypes)
  }

  static let callsAmongExtensions = Ratchet(
    limit: 0, unit: "extension files that call others of the type",
    advice: "Move what both need into the file that declares the type, or into a type of its own.",
    exceptions: [:])

  @Test func `Extension files: calls to others of their type are within the limit`() throws {
    try check(Self.callsAmongExtensions, on: \.callsAmongExtensions)
  }

  static let circlesOfTypes = Ratchet(
    limit: 3, unit: "files that call each other in a circle",
    advice: "Let calls go one way between the files of a type.",
    exceptions: [:])

  @Test func `Types: cycles of calls among their files are within the limit`() throws {
    try check(Self.circlesOfTypes, on: \.circlesOfTypes)
  }

  static let circlesOfModules = Ratchet(
    limit: 3, unit: "files in circles of more than 3",
    advice: "Let the files of a module use each other's types one way.",
    exceptions: [:])

  @Test func `Modules: cycles of uses among their files are within the limit`() throws {
    try check(Self.circlesOfModules, on: \.circlesOfModules)
  }
}
