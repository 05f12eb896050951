/// Measures of the structure inside each module, taken from the text of its files.
///
/// Nothing is compiled: calls and types are found by their names. So a local variable with the name of a member
/// counts as a call of the member, and a call on a value with a different name is not detected. A type is identified
/// by its module and its name, so an extension in another module counts as a type of that module.
struct Structure {
  let files: [FileOutline]
  private let types: [String: TypeOutline]

  init(_ sources: [LayeringTests.Source]) {
    files = sources.map(FileOutline.init)
    var types: [String: TypeOutline] = [:]
    for file in files {
      for (type, part) in file.parts {
        types["\(file.module).\(type)", default: TypeOutline()].add(part, of: file, to: type)
      }
    }
    self.types = types
  }

  /// The Swift files of each folder, without the files of its subfolders.
  var filesOfFolders: [Finding] {
    Dictionary(grouping: files, by: \.folder).map { folder, files in
      Finding(subject: folder, figure: files.count)
    }
  }

  /// The files that define or extend each type.
  var filesOfTypes: [Finding] {
    types.map { type, outline in
      Finding(subject: type, figure: outline.parts.count, places: outline.parts.keys.sorted())
    }
  }

  /// The lines of each type in all files of its module.
  var linesOfTypes: [Finding] {
    types.map { type, outline in
      Finding(subject: type, figure: outline.parts.values.reduce(0) { $0 + $1.lines })
    }
  }

  /// The files in the largest cycle of each type: each file calls every other, directly or
  /// indirectly.
  var circlesOfTypes: [Finding] {
    types.map { type, outline in
      var graph = FileGraph()
      for call in outline.calls { graph.add(call.caller, needs: call.owner) }
      let largest = graph.circles.first ?? []
      return Finding(subject: type, figure: largest.count, places: largest)
    }
  }

  /// The extension files of each type that call its other extension files.
  var callsAmongExtensions: [Finding] {
    types.map { type, outline in
      let callers = Dictionary(grouping: outline.callsAmongExtensions, by: \.caller)
      let places = callers.map { caller, calls in
        "\(caller) calls \(calls.map(\.description).sorted().joined(separator: ", "))"
      }
      return Finding(subject: type, figure: callers.count, places: places.sorted())
    }
  }

  /// The files of each module that are in cycles of more than three files.
  ///
  /// The files of a cycle need each other, directly or indirectly. A file needs another if it
  /// names a type that only the other file declares in the module.
  var circlesOfModules: [Finding] {
    Dictionary(grouping: files, by: \.module).map { module, files in
      let circles = Self.uses(among: files).circles.filter { $0.count > 3 }
      return Finding(
        subject: module, figure: circles.reduce(0) { $0 + $1.count },
        places: circles.map { $0.joined(separator: ", ") })
    }
  }

  private static func uses(among files: [FileOutline]) -> FileGraph {
    var owners: [String: [String]] = [:]
    for file in files {
      for type in file.declaredTypes { owners[type, default: []].append(file.path) }
    }
    var graph = FileGraph()
    for file in files {
      for name in file.capitals {
        if let owner = owners[name], owner.count == 1 { graph.add(file.path, needs: owner[0]) }
      }
    }
    return graph
  }
}

/// A type, and its parts in the files of a module.
private struct TypeOutline {
  /// The parts, by the paths of their files.
  private(set) var parts: [String: FileOutline.Part] = [:]
  /// The files that declare the type: none if it is a type of another module.
  private var declaringFiles: Set<String> = []

  mutating func add(_ part: FileOutline.Part, of file: FileOutline, to type: String) {
    parts[file.path] = part
    if let name = type.split(separator: ".").last, file.declaredTypes.contains(String(name)) {
      declaringFiles.insert(file.path)
    }
  }

  /// A call of a member in another file.
  struct Call: CustomStringConvertible {
    let caller: String
    let member: String
    let owner: String
    var description: String { "\(member) in \(owner.split(separator: "/").last ?? "")" }
  }

  /// The calls between the files of the type.
  ///
  /// A file calls another if it uses the name of a function or computed property that the other
  /// file defines and the calling file does not. A name that three or more files define is ignored
  /// as too common.
  var calls: [Call] {
    var owners: [String: [String]] = [:]
    for (path, part) in parts {
      for member in part.members { owners[member, default: []].append(path) }
    }
    var calls: [Call] = []
    for (path, part) in parts {
      for name in part.uses {
        guard let owner = owners[name], owner.count <= 2, !owner.contains(path) else { continue }
        calls += owner.map { Call(caller: path, member: name, owner: $0) }
      }
    }
    return calls
  }

  /// The calls between extension files, which are the files that do not declare the type.
  var callsAmongExtensions: [Call] {
    declaringFiles.isEmpty
      ? []
      : calls.filter {
        !declaringFiles.contains($0.caller) && !declaringFiles.contains($0.owner)
      }
  }
}
