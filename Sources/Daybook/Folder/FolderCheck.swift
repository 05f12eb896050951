import Platform

/// Examines the folder of a book and its disk, but not the content of the files.
///
/// A check is omitted if the disk does not provide the information. Whether files can be read is checked elsewhere.
struct FolderCheck {
  /// A leftover draft, or a file in quarantine.
  struct Stray {
    var path: Path
    var status: FileStatus
  }

  private let layout: Layout
  /// The path of the read model, if it has one.
  private let view: Path?
  private let disk: any Disk

  init(_ layout: Layout, view: Path?, on machine: Machine) {
    (self.layout, self.view, disk) = (layout, view, machine.disk)
  }

  // MARK: The disk

  var poison: Finding { .poison(status(layout.folder / "POISON") != nil) }

  var room: Finding { .room(freeBytes: volume?.freeBytes) }

  /// The volume of the folder; nil if the disk does not provide it.
  private var volume: Volume? { (try? disk.volume(of: layout.folder)) ?? nil }

  /// Whether something can be written to the folder and made durable, and whether this device's log can be extended.
  ///
  /// - Parameter log: The folder of the log; nil if this device has written nothing.
  /// - Returns: The finding.
  func writing(to log: Path?) -> Finding {
    do throws(DiskError) {
      try writeProbe(in: layout.folder)
      if let log {
        try writeProbe(in: log)
        // A sealed file, which is named after its first and last events, is never written again.
        for name in try disk.list(log) where name.hasSuffix(".gz") && !name.contains("-") {
          try OpenFile(log / name, .write, on: disk).close()
        }
      }
      return .writing(nil)
    } catch {
      return .writing(error)
    }
  }

  private func writeProbe(in folder: Path) throws(DiskError) {
    let probe = folder / ".probe.draft"
    // A crash may have left a probe, which would prevent the creation of another one.
    try? disk.remove(probe)
    // If the probe cannot be removed, the next check removes it.
    defer { try? disk.remove(probe) }
    let file = try OpenFile(probe, .create, on: disk)
    try file.write([UInt8](repeating: 1, count: 4096), at: 0)
    try file.flush()
    try file.close()
  }

  // MARK: The place

  /// Files and folders that programs leave in the folders that they copy between machines.
  private static let markers: [(name: String, kind: FileStatus.Kind, program: String)] = [
    (".stfolder", .directory, "Syncthing"), (".dropbox", .file, "Dropbox"),
    (".dropbox.cache", .directory, "Dropbox"),
    (".849C9593-D756-4E56-8D6E-42412F2A707B", .file, "OneDrive"),
    (".owncloudsync.log", .file, "ownCloud"), (".nextcloudsync.log", .file, "Nextcloud"),
    (".tmp.drivedownload", .directory, "Google Drive"),
  ]

  /// The names, in lower case, that programs give to the folders that they copy; a space, a hyphen or a bracket may
  /// follow a name, as in "OneDrive - Work" and "Dropbox (Old)".
  private static let usualNames: [(name: String, program: String)] = [
    ("dropbox", "Dropbox"), ("onedrive", "OneDrive"), ("google drive", "Google Drive"),
    ("googledrive", "Google Drive"), ("my drive", "Google Drive"), ("icloud drive", "iCloud"),
    ("icloud", "iCloud"), ("iclouddrive", "iCloud"), ("mobile documents", "iCloud"),
    ("nextcloud", "Nextcloud"), ("owncloud", "ownCloud"), ("syncthing", "Syncthing"),
  ]

  private static func program(copying name: String) -> String? {
    let name = name.lowercased()
    return usualNames.first { usual in
      guard name.hasPrefix(usual.name) else { return false }
      return name.dropFirst(usual.name.count).first.map { " -(".contains($0) } ?? true
    }?.program
  }

  var place: Finding {
    var folder = layout.folder
    var named: Finding.PlaceState?
    while true {
      for marker in Self.markers where status(folder / marker.name)?.kind == marker.kind {
        return .place(.copied(folder, by: marker.program))
      }
      guard folder.parent != folder else { break }
      if named == nil, let program = Self.program(copying: folder.name) {
        named = .perhapsCopied(folder, by: program)
      }
      folder = folder.parent
    }
    return .place(named ?? (volume?.isRemote == true ? .remote : .local))
  }

  /// Files and folders that other users can read or change, or that belong to another user, and links in place of keys.
  var permissions: Finding {
    let links = keyEntries(.other)
    let folders = [layout.folder, layout.keys] + keyEntries(.directory)
    return .permissions(folders.filter(isOpen) + openKeys, links: links)
  }

  /// The files with keys that other users can read or change, or that belong to another user.
  var openKeys: [Path] { keyEntries(.file).filter(isOpen) }

  private func keyEntries(_ kind: FileStatus.Kind) -> [Path] {
    names(layout.keys).map { layout.keys / $0 }.filter { status($0)?.kind == kind }
  }

  private func isOpen(_ path: Path) -> Bool {
    // The mode of a link says nothing about the folder that it points to.
    guard let status = status(path), status.kind != .other else { return false }
    return status.permissions & 0o077 != 0 || !status.isOwn
  }

  // MARK: Leftovers and quarantine

  var leftoverFinding: Finding { .leftovers(pile(leftovers)) }

  var quarantine: Finding { .quarantine(pile(strays(in: layout.quarantine) { _ in true })) }

  /// Files that a process was writing when it ended.
  var leftovers: [Stray] {
    let logs = ["logs", "aside"].map { layout.folder / $0 }
    let drafts = strays(in: layout.folder, deep: false, where: Self.isDraft)
    let nested = logs.flatMap { strays(in: $0, where: Self.isDraft) }
    return drafts + nested + viewDrafts
  }

  private static func isDraft(_ name: String) -> Bool {
    name.hasPrefix(".tmp-") || name.hasPrefix(".") && name.hasSuffix(".draft")
  }

  /// Read models that were being built next to the one in use.
  private var viewDrafts: [Stray] {
    guard let view else { return [] }
    let prefix = view.name + "."
    return strays(in: view.parent, deep: false) { name in
      guard name.hasPrefix(prefix) else { return false }
      let draft = name.dropFirst(prefix.count).prefix { $0 != "-" }
      return draft.utf8.count == 8 && draft.allSatisfy(\.isHexDigit)
    }
  }

  private func strays(
    in folder: Path, deep: Bool = true, where isStray: (String) -> Bool
  ) -> [Stray] {
    names(folder).flatMap { name -> [Stray] in
      guard let status = status(folder / name) else { return [] }
      if status.kind == .directory {
        return deep ? strays(in: folder / name, where: isStray) : []
      }
      return isStray(name) ? [Stray(path: folder / name, status: status)] : []
    }
  }

  private func pile(_ strays: [Stray]) -> Finding.Pile {
    Finding.Pile(files: strays.count, bytes: strays.reduce(0) { $0 + $1.status.size })
  }

  /// The status of a file; nil if the path cannot be examined.
  private func status(_ path: Path) -> FileStatus? { (try? disk.status(path)) ?? nil }

  /// The names in a folder; empty if the folder is missing or cannot be listed.
  private func names(_ folder: Path) -> [String] { (try? disk.list(folder)) ?? [] }
}
