import Foundation
import Platform
import PosixPlatform
import Testing

/// An SSH server on loopback that lets this user in to the book of a program, and a client's configuration for it.
final class SSHServer {
  static let path = "/usr/sbin/sshd"

  /// Whether this machine has a server that can run: one that is started by root needs its folder.
  static let isInstalled =
    FileManager.default.isExecutableFile(atPath: path)
    && (getuid() != 0 || FileManager.default.fileExists(atPath: "/run/sshd"))

  let folder: URL
  private let process = Process()
  private let port: UInt16

  init(for program: Program) throws {
    folder = program.folder.appending(path: "ssh")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let listener = try PosixNetwork().listen(host: "127.0.0.1", port: 0)
    port = listener.port
    listener.close()
    for name in ["host", "user"] { try Self.makeKey(at: path(name)) }
    try write(try text("user.pub"), to: "authorized")
    try write(Self.configuration(port, folder.path(), program.folder.path()), to: "server")
    process.executableURL = URL(filePath: Self.path)
    process.arguments = ["-D", "-e", "-f", path("server")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilReady()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Writes the command `ssh` of a client, which knows the key of the server or not, and returns its folder.
  func client(knowsHost: Bool = true) throws -> String {
    let key = try text("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
    try write(knowsHost ? "[127.0.0.1]:\(port) \(key)\n" : "", to: "known")
    try write(
      """
      Host desk
        HostName 127.0.0.1
        Port \(port)
        User \(NSUserName())
        IdentityFile \(path("user"))
        IdentitiesOnly yes
        UserKnownHostsFile \(path("known"))
        GlobalKnownHostsFile /dev/null
        StrictHostKeyChecking yes
        BatchMode yes
      """, to: "client")
    let bin = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try write("#!/bin/sh\nexec /usr/bin/ssh -F '\(path("client"))' \"$@\"\n", to: "bin/ssh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path("bin/ssh"))
    return bin.path()
  }

  private static func configuration(_ port: UInt16, _ keys: String, _ book: String) -> String {
    let programs = Program.path?.deletingLastPathComponent().path() ?? ""
    return """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(keys)/host
      AuthorizedKeysFile \(keys)/authorized
      PidFile none
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin prohibit-password
      SetEnv "DAYBOOK_DIR=\(book)/book" "XDG_STATE_HOME=\(book)/state" "PATH=\(programs):/usr/bin:/bin"

      """
  }

  private static func makeKey(at path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/ssh-keygen")
    process.arguments = ["-q", "-t", "ed25519", "-N", "", "-f", path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func waitUntilReady() throws {
    for _ in 0..<100 {
      if let line = try? PosixNetwork().dial(
        host: "127.0.0.1", port: port, patienceMilliseconds: 1_000)
      {
        return line.close()
      }
      SystemTimekeeper().pause(milliseconds: 50)
    }
    throw CancellationError()
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
  }
}
