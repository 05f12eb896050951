import Glibc
import Platform

/// Who may read and write the files and folders that are made in a place.
///
/// The program runs with a umask that keeps all it makes for its user. What is to be shared is opened explicitly.
struct CreationModes: Sendable {
  let file: mode_t
  let folder: mode_t

  var isShared: Bool { file != Self.private.file }

  /// The owner alone.
  static let `private` = CreationModes(in: nil)

  /// In a folder into which a group, or everybody, may write, these may also read and change what is left there: it is
  /// shared on purpose, and its users could not sync through it otherwise.
  init(in folder: FileStatus?) {
    let shared = folder.map { mode_t($0.permissions) } ?? 0
    let (group, others) = (shared & S_IWGRP != 0, shared & S_IWOTH != 0)
    self.file = 0o600 | (group ? 0o060 : 0) | (others ? 0o006 : 0)
    self.folder = 0o700 | (group ? 0o070 : 0) | (others ? 0o007 : 0)
  }
}
