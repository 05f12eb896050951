import Bytes
import Crypto
import Daybook
import Phrasing
import Platform
import Syncing

/// Parses arguments that name a peer, a machine or a key.
struct PeerReader {
  let context: CommandContext

  /// Returns the named peer: `tcp://HOST:PORT`, `ssh://HOST`, a file or a folder.
  ///
  /// A bucket is refused as a place to join from, because it contains only sealed stores.
  func peer(_ words: String) throws -> PeerAddress {
    if let address = words.dropping(prefix: "tcp://") {
      let endpoint = try endpoint(address)
      return .tcp(host: endpoint.host, port: endpoint.port)
    }
    if words.hasPrefix(SSHAddress.scheme) { return .ssh(try account(words)) }
    if words.hasPrefix(Self.bucketScheme) {
      throw DaybookError.sync(.joinSealed(Path(tidy: words)))
    }
    let path = context.environment.path(words)
    guard let status = try context.machine.disk.status(path) else {
      throw ConsoleError.nobody(words)
    }
    return status.kind == .directory ? .directory(path) : .file(path)
  }

  /// The beginning of the addresses of buckets.
  static let bucketScheme = "s3://"

  func bucket(_ words: String, _ options: BucketOptions) throws -> StorePlace {
    do throws(BucketAddressFault) {
      return try StorePlace(bucket: words, options, on: context.machine)
    } catch {
      switch error {
      case .address:
        throw ConsoleError.badValue(
          "the address", words, "Use s3://BUCKET or s3://BUCKET/PREFIX, as the service spells it.")
      case .endpoint(let url):
        throw ConsoleError.badValue(
          "the endpoint", url, "Use https://HOST or https://HOST:PORT, without a path.")
      case .unencrypted(let url):
        throw ConsoleError.badValue(
          "the endpoint", url,
          "Use https://; http:// is allowed only for a service on this machine.")
      case .region(let region):
        throw ConsoleError.badValue("the region", region, "Use a name such as eu-central-1.")
      case .settings(let fault):
        throw DaybookError.sync(.storage(fault, at: Path(tidy: words)))
      }
    }
  }

  /// Throws if a book is chosen but the peer is not a folder.
  func checkChoice(_ wanted: String?, at peer: PeerAddress) throws(ConsoleError) {
    guard let wanted else { return }
    if case .directory = peer { return }
    throw .badValue("--book", wanted, Self.oneBook)
  }

  static let oneBook =
    "A bundle or a machine has one book; only a folder can have several."

  /// Returns the named peer: a remembered peer, or else an address or path.
  func knownPeer(_ words: String) throws -> PeerAddress {
    let contacts: [Contact]
    do throws(DaybookError) {
      contacts = try context.book().contactBook.contacts()
    } catch {
      // The contacts cannot be read, but an address or path does not need them.
      guard case .contacts = error, let peer = try? peer(words) else { throw error }
      return peer
    }
    guard let contact = contacts.first(where: { $0.name == words }) else {
      if words.hasPrefix(Self.bucketScheme) { return try Self.bucket(words, among: contacts) }
      do { return try peer(words) } catch ConsoleError.nobody {
        guard
          let device = try context.book().deviceList.devices().first(where: { $0.name == words })
        else {
          throw ConsoleError.nobody(words)
        }
        throw ConsoleError.deviceNoPeer(words, isThis: device.isThis)
      }
    }
    guard let address = contact.address else { throw DaybookError.noAddress(contact.name) }
    if let path = address.path, try context.machine.disk.status(path) == nil {
      throw ConsoleError.peerAway(contact.name, path)
    }
    return address
  }

  /// Returns the remembered peer in a bucket.
  ///
  /// The address alone names neither the service nor the region, so a bucket that is not remembered is refused.
  private static func bucket(
    _ words: String, among contacts: [Contact]
  ) throws(ConsoleError) -> PeerAddress {
    let found = contacts.filter { $0.address?.isBucket(at: words) ?? false }
    guard found.count == 1, let address = found[0].address else {
      throw .unknownBucket(words, names: found.map(\.name))
    }
    return address
  }

  func endpoint(_ words: String) throws(ConsoleError) -> Endpoint {
    guard let endpoint = Endpoint(words) else {
      throw .badValue("the address", words, "Use HOST:PORT, as in 127.0.0.1:7771.")
    }
    return endpoint
  }

  /// Parses the address of an account that ssh logs in to.
  private func account(_ words: String) throws(ConsoleError) -> SSHAddress {
    guard let address = SSHAddress(words) else {
      throw .badValue(
        "the address", words,
        "Use ssh://[USER@]HOST[:PORT][/BOOK], with plain names; BOOK is relative to the home folder unless it begins with a slash."
      )
    }
    return address
  }

  func machine(_ words: String) throws(ConsoleError) -> MachineAddress {
    words.hasPrefix(SSHAddress.scheme) ? .ssh(try account(words)) : .tcp(try endpoint(words))
  }

  /// Asks the user to confirm the key of a machine that is known only by its address.
  func check(_ key: PublicKey, of source: String, _ isSure: Bool) throws(ConsoleError) {
    let shown = "The machine at \(source.visible) presented the key \(key.words)."
    if isSure { return context.output.note(shown) }
    guard
      context.output.confirms(
        "\(shown) Trust it? Answer yes only if 'daybook devices' shows the same words on that machine."
      )
    else {
      throw .unknownMachine(source, words: key.words)
    }
  }

  /// Parses the key that a machine is expected to have.
  static func pin(_ words: String) throws(ConsoleError) -> Pin {
    if let bytes = Hex.decode(words.lowercased()), let key = try? PublicKey(bytes) {
      // Hexadecimal digits that are not a key may still be the words of one, which are parsed below.
      return .key(key)
    }
    return .words(try keyWords(words, of: "--key"))
  }

  /// Parses the six words of a key.
  static func keyWords(_ words: String, of subject: String) throws(ConsoleError) -> [String] {
    let spelt = words.lowercased().split(whereSeparator: { $0 == "-" || $0 == " " })
    guard spelt.count == 6 else {
      throw .badValue(
        subject, words,
        "Use the six words that 'daybook devices' shows on that machine, joined by hyphens.")
    }
    return spelt.map(String.init)
  }
}

extension PeerAddress {
  /// Whether the address is that of a store in the bucket that the user named.
  fileprivate func isBucket(at words: String) -> Bool {
    guard case .store(let address) = self, address.place.folder == nil else { return false }
    let text = address.place.location.string
    return words == text || words == text + "/"
  }
}

extension String {
  /// Returns the text after a prefix; nil if the text does not begin with it.
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
