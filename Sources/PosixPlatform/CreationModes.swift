import Glibc
import Platform

/// The permissions of new files and folders inside a folder.
///
/// The umask of the process can remove permissions from new files and folders, so shared permissions are set
/// explicitly.
struct CreationModes: Sendable {
  let file: mode_t
  let folder: mode_t

  var isShared: Bool { file != Self.private.file }

  /// The permissions that give access only to the owner.
  static let `private` = CreationModes(in: nil)

  /// Creates the permissions for new entries of a folder; nil means private.
  ///
  /// If a folder's group or all users may write to the folder, it is shared on purpose, so these users may also read
  /// and change new entries. Otherwise, they could not sync through the folder.
  init(in folder: FileStatus?) {
    let shared = folder.map { mode_t($0.permissions) } ?? 0
    let (group, others) = (shared & S_IWGRP != 0, shared & S_IWOTH != 0)
    self.file = 0o600 | (group ? 0o060 : 0) | (others ? 0o006 : 0)
    self.folder = 0o700 | (group ? 0o070 : 0) | (others ? 0o007 : 0)
  }
}
