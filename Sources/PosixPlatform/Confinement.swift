internal import CLinux
import Glibc
import Platform

/// A folder out of which no path leads, whatever links and `..` others have put into it.
///
/// Linux looks a path up in one call that follows no link (openat2, since 5.6). Where there is no
/// such call, or a sandbox does not allow it, the directories are opened one in the other, each
/// without following a link, which is as safe and takes a call for each.
final class Confinement: Sendable {
  /// How a directory within the folder is opened.
  enum Way: CaseIterable {
    case atOnce, stepByStep
  }

  private let folder: Path
  private let outer: Confinement?
  private let way: Way

  init(to folder: Path, within outer: Confinement? = nil, by way: Way = .atOnce) {
    (self.folder, self.outer, self.way) = (folder, outer, outer?.way ?? way)
  }

  /// Opens for their place alone, and so also what may be searched but not read.
  private static let flags = OPEN_PLACE | O_DIRECTORY | O_CLOEXEC

  /// Runs a call on a path's last name, in the directory that it lies in.
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
      // The user has chosen it, and may have chosen a link.
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
        // Not there, not allowed by a sandbox, or something was moved just then.
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
      // A link is told as what is no directory.
      var status = stat()
      let isLink =
        unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        && status.st_mode & S_IFMT == S_IFLNK
      throw error.code == ENOTDIR && isLink ? Errno(code: ELOOP) : error
    }
  }
}
