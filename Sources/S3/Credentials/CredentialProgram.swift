import Bytes
import Platform

/// The program that the setting `credential_process` names, which prints an access key.
struct CredentialProgram {
  private let words: [String]

  /// Divides a command into words, at spaces outside double quotes.
  ///
  /// The command is not passed to a shell.
  init(_ command: String) {
    var (words, word, isQuoted) = ([String](), String?.none, false)
    for letter in command {
      switch letter {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted, "\t" where !isQuoted:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(letter)
      }
    }
    self.words = words + (word.map { [$0] } ?? [])
  }

  private static let outputBytes = 64 << 10
  private static let patienceMilliseconds = 60_000

  /// Runs the program.
  ///
  /// - Throws: ``CredentialFault/program(_:)`` if the program does not print an access key.
  func key(on machine: Machine) throws(CredentialFault) -> AccessKey {
    guard let name = words.first else { throw .program("") }
    do throws(NetworkError) {
      let output = try Self.output(of: words, on: machine.network)
      if let key = Self.key(in: output) { return key }
    } catch {}
    throw .program(name)
  }

  private static func output(
    of words: [String], on network: any Network
  ) throws(NetworkError) -> [UInt8] {
    let program = try network.run(words, to: words[0])
    defer { program.close() }
    var output: [UInt8] = []
    while output.count < outputBytes {
      let part = try program.receive(
        upTo: outputBytes - output.count, patienceMilliseconds: patienceMilliseconds)
      guard !part.isEmpty else { break }
      output += part
    }
    return output
  }

  private static func key(in output: [UInt8]) -> AccessKey? {
    guard let json = try? JSON(parsing: output), json["Version"]?.integer == 1,
      let id = json["AccessKeyId"]?.string, let secret = json["SecretAccessKey"]?.string
    else { return nil }
    return AccessKey(id: id, secret: secret, sessionToken: json["SessionToken"]?.string)
  }
}
