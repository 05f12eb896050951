import Foundation
import Platform
import PosixPlatform

/// A caller that must be refused.
struct Stranger {
  enum Way {
    /// Runs `openssl s_client` with these options; CERT stands for the folder of the certificates.
    case openssl(String)
    /// Sends these bytes, then nothing until the other side closes.
    case bytes([UInt8])
    /// Sends these bytes, then disconnects.
    case hangingUp([UInt8])
  }

  let name: String
  let way: Way
  /// The expected note of the server.
  let note: String

  init(_ name: String, _ way: Way, _ note: String) {
    (self.name, self.way, self.note) = (name, way, note)
  }

  static let openssl = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  private static let noProtocol = "it does not offer daybook's protocol."
  private static let noKey = "it presented no key."
  private static let oldVersion = "it does not speak TLS 1.3."
  private static let noTLS = "it does not speak TLS."
  private static let nonsense = "it violates the protocol."

  static let withOpenSSL = [
    Stranger("no protocol", .openssl(""), noProtocol),
    Stranger("another protocol", .openssl("-alpn h2"), noProtocol),
    Stranger("a later protocol", .openssl("-alpn daybook/2"), noProtocol),
    Stranger("several protocols", .openssl("-alpn h2,http/1.1,daybook"), noProtocol),
    Stranger(
      "no protocol, with a key", .openssl("-cert CERT/ed25519 -key CERT/ed25519"), noProtocol),
    Stranger("TLS 1.2", .openssl("-tls1_2"), oldVersion),
    Stranger("TLS 1.2 for daybook", .openssl("-tls1_2 -alpn daybook/1"), oldVersion),
    Stranger(
      "TLS 1.2 with a key", .openssl("-tls1_2 -alpn daybook/1 -cert CERT/rsa -key CERT/rsa"),
      oldVersion),
    Stranger("no certificate", .openssl("-alpn daybook/1"), noKey),
    Stranger("an RSA key", .openssl("-alpn daybook/1 -cert CERT/rsa -key CERT/rsa"), noKey),
    Stranger("a P-256 key", .openssl("-alpn daybook/1 -cert CERT/p256 -key CERT/p256"), noKey),
    Stranger("an Ed448 key", .openssl("-alpn daybook/1 -cert CERT/ed448 -key CERT/ed448"), noKey),
    Stranger(
      "an unknown key", .openssl("-alpn daybook/1 -cert CERT/ed25519 -key CERT/ed25519"),
      "its key, whose words are "),
    Stranger(
      "two certificates",
      .openssl("-alpn daybook/1 -cert CERT/ed25519 -key CERT/ed25519 -cert_chain CERT/rsa"),
      "it presented 2 certificates instead of one."),
    Stranger("another group", .openssl("-alpn daybook/1 -groups secp384r1"), nonsense),
    Stranger("other signatures", .openssl("-alpn daybook/1 -sigalgs RSA-PSS+SHA256"), nonsense),
    Stranger(
      "another cipher", .openssl("-alpn daybook/1 -ciphersuites TLS_AES_128_CCM_SHA256"), nonsense),
  ]

  static let withBytes = [
    Stranger("HTTP", .bytes(Array("GET / HTTP/1.1\r\nHost: daybook\r\n\r\n".utf8)), noTLS),
    Stranger("a hello without TLS", .bytes([0, 0, 0, 0x29, 0x87, 0, 0, 0, 0xf6]), noTLS),
    Stranger("zeros", .bytes([UInt8](repeating: 0, count: 100_000)), noTLS),
    Stranger(
      "a message of 16 MiB",
      .bytes([22, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff] + [UInt8](repeating: 1, count: 16_380)),
      "it sent more than a handshake needs."),
    Stranger(
      "a record of nonsense", .bytes([22, 3, 1, 0, 8, 1, 0, 0, 4, 1, 2, 3, 4]), nonsense),
    Stranger(
      "an alert", .bytes([21, 3, 3, 0, 2, 2, 80]), nonsense),
    Stranger(
      "half a hello", .hangingUp([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
      "it closed the connection."),
    Stranger("nothing at all", .hangingUp([]), "it closed the connection."),
  ]

  /// Calls, and returns when the call is over.
  func call(_ port: UInt16, certificates: URL, _ program: Program) throws {
    switch way {
    case .openssl(let options):
      let words = options.replacing("CERT", with: certificates.path()).split(separator: " ")
      _ = try program.run(
        ["/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(port)"] + words.map(String.init))
    case .bytes(let bytes):
      let line = try dial(port)
      // The server may close the connection before it has read everything.
      try? line.send(bytes, patienceMilliseconds: 10_000)
      while let more = try? line.receive(upTo: 1_000, patienceMilliseconds: 10_000), !more.isEmpty {
      }
    case .hangingUp(let bytes):
      let line = try dial(port)
      if !bytes.isEmpty { try line.send(bytes, patienceMilliseconds: 10_000) }
      line.close()
    }
  }

  private func dial(_ port: UInt16) throws -> any Line {
    try PosixNetwork().dial(host: "127.0.0.1", port: port, patienceMilliseconds: 10_000)
  }

  /// Creates certificates of all kinds, each in one file with its key.
  static func makeCertificates(in program: Program) throws -> URL {
    let kinds = [
      ("rsa", "rsa:2048"), ("ed25519", "ed25519"), ("ed448", "ed448"),
      ("p256", "ec -pkeyopt ec_paramgen_curve:P-256"),
    ]
    for (name, kind) in kinds {
      let path = program.folder.appending(path: name).path()
      let words =
        "req -x509 -nodes -days 2 -subj /CN=x -newkey \(kind) -keyout \(path) -out \(path).pem"
      _ = try program.run(["/usr/bin/openssl"] + words.split(separator: " ").map(String.init))
      let certificate = try String(contentsOfFile: path + ".pem", encoding: .utf8)
      let key = try String(contentsOfFile: path, encoding: .utf8)
      try (key + certificate).write(toFile: path, atomically: true, encoding: .utf8)
    }
    return program.folder
  }
}
