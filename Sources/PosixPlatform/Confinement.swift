internal import CLinux
import Glibc
import Platform

/// Resolves paths inside a folder, which cannot be left through a symbolic link or `..`.
///
/// Linux resolves a path without following links in one call (openat2, since 5.6). If this call is missing or a sandbox
/// denies it, each directory is opened from its parent without following links, which is equally safe but takes one
/// call for each directory.
final class Confinement: Sendable {
  /// The method of opening a directory inside the folder.
  enum Way: CaseIterable {
    case atOnce, stepByStep
  }

  private let folder: Path
  private let outer: Confinement?
  private let way: Way

  init(to folder: Path, within outer: Confinement? = nil, by way: Way = .atOnce) {
    (self.folder, self.outer, self.way) = (folder, outer, outer?.way ?? way)
  }

  /// An O_PATH descriptor only refers to a directory, so even a directory that is searchable but not readable can be
  /// opened.
  private static let flags = OPEN_PLACE | O_DIRECTORY | O_CLOEXEC

  /// Calls a function with the last component of the given path and a descriptor of its directory.
  func at<Value>(
    _ path: Path, _ body: (_ directory: Int32, _ name: String) throws(Errno) -> Value
  ) throws(Errno) -> Value {
    guard var names = path.names(below: folder) else { throw Errno(code: EXDEV) }
    let root = try openFolder()
    defer { _ = close(root) }
    guard let name = names.popLast() else { return try body(root, ".") }
    guard !names.isEmpty else { return try body(root, name) }
    let parent = try open(names, beneath: root)
    defer { _ = close(parent) }
    return try body(parent, name)
  }

  private func openFolder() throws(Errno) -> Int32 {
    guard let outer else {
      // The user has chosen this path, so links are followed.
      return try answer { unsafe Glibc.open(folder.string, Self.flags) }
    }
    return try outer.at(folder) { (directory, name) throws(Errno) in
      try step(to: name, in: directory)
    }
  }

  private func open(_ names: [String], beneath root: Int32) throws(Errno) -> Int32 {
    if way == .atOnce {
      let path = names.joined(separator: "/")
      do throws(Errno) {
        return try answer { unsafe open_beneath(root, path, Self.flags) }
      } catch {
        // These codes mean that the call is missing, that a sandbox denies it, or that a directory was moved during the
        // call.
        guard [ENOSYS, EPERM, EAGAIN].contains(error.code) else { throw error }
      }
    }
    var directory = try step(to: names[0], in: root)
    for name in names.dropFirst() {
      let outer = directory
      defer { _ = close(outer) }
      directory = try step(to: name, in: outer)
    }
    return directory
  }

  private func step(to name: String, in directory: Int32) throws(Errno) -> Int32 {
    do throws(Errno) {
      return try answer { unsafe openat(directory, name, Self.flags | O_NOFOLLOW) }
    } catch {
      // With O_DIRECTORY, Linux reports a link as ENOTDIR.
      var status = stat()
      let isLink =
        unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        && status.st_mode & S_IFMT == S_IFLNK
      throw error.code == ENOTDIR && isLink ? Errno(code: ELOOP) : error
    }
  }
}
