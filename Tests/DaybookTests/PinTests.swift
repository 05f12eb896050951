import Crypto
import Daybook
import Journaling
import Platform
import Testing

/// A remembered machine is accepted only under its known key.
struct PinTests {
  /// Runs `body` while a place serves its book and admits every device.
  private func serving(
    _ place: Office.Place, _ body: (PeerAddress) throws -> Void
  ) async throws {
    let server = Server(place.machine, admitsAll: true)
    let port = try await server.start()
    let done = Result { try body(.tcp(host: "127.0.0.1", port: port)) }
    await server.stop()
    try done.get()
  }

  private func refusal(_ body: () throws(DaybookError) -> Void) -> DaybookError? {
    do throws(DaybookError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func words(_ book: Book) throws -> [String] {
    try book.core.localDevice.shownKey.fingerprint
  }

  /// Three devices of one book; the second remembers the first as "desk", with its key.
  private func office(seed: UInt64) async throws -> (Office, [Book]) {
    let (office, books) = try TrustingTests.office("one", "two", "three", seed: seed)
    try await serving(office.places[0]) { address in
      try books[1].contactBook.addPeer("desk", at: address)
      _ = try books[1].replicator.sync(with: address)
    }
    #expect(
      try books[1].contactBook.contact(called: "desk").key == books[0].core.localDevice.shownKey)
    return (office, books)
  }

  @Test
  func `Pin: a remembered machine that shows a different key is refused under every admission`()
    async throws
  {
    let (office, books) = try await office(seed: 1931)
    let stranger = try office.found("stranger")
    try TrustingTests.add("secret", to: books[1])
    let (known, shown) = (try words(books[0]), try words(stranger))
    for admission in [Admission.never, .always, .ask { _ in true }] {
      try await serving(try office.place("stranger")) { address in
        try books[1].contactBook.addPeer("desk", at: address)
        guard
          case .changedKey("desk", let old, let new)? = refusal({ () throws(DaybookError) in
            _ = try books[1].replicator.sync(with: address, admission: admission)
          })
        else {
          Issue.record("it was spoken to")
          return
        }
        #expect(old == known.joined(separator: "-"))
        #expect(new == shown.joined(separator: "-"))
      }
    }
    #expect(try stranger.deviceList.devices().count == 1)
    #expect(
      try books[1].contactBook.contact(called: "desk").key == books[0].core.localDevice.shownKey)
  }

  @Test func `Pin: another device of the book is refused in place of a remembered one`()
    async throws
  {
    let (office, books) = try await office(seed: 1932)
    try await serving(office.places[2]) { address in
      try books[1].contactBook.addPeer("desk", at: address)
      let error = refusal { () throws(DaybookError) in
        _ = try books[1].replicator.sync(with: address)
      }
      guard case .changedKey? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try books[1].contactBook.trustPeer("desk", with: try words(books[2]))
      _ = try books[1].replicator.sync(with: address)
      #expect(
        try books[1].contactBook.contact(called: "desk").key == books[2].core.localDevice.shownKey)
    }
  }

  @Test func `Pin: a machine whose key was revoked is named as such, whether remembered or not`()
    async throws
  {
    let (office, books) = try await office(seed: 1937)
    _ = try books[1].revoker.revoke(try books[1].deviceList.device(called: "one"))
    let shown = try words(books[0]).joined(separator: "-")
    try await serving(office.places[0]) { address in
      let error = refusal { () throws(DaybookError) in
        _ = try books[1].replicator.sync(with: address)
      }
      guard case .revokedPeer(device: "one", words: shown, peer: nil)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try books[1].contactBook.addPeer("desk", at: address)
      let known = refusal { () throws(DaybookError) in
        _ = try books[1].replicator.sync(with: address)
      }
      guard case .revokedPeer(device: "one", words: shown, peer: "desk")? = known else {
        Issue.record("\(String(describing: known))")
        return
      }
      var lost: DaybookError?
      try LiveService(of: books[1]).follow(
        [try books[1].contactBook.contact(called: "desk")], admission: .never,
        tell: { if case .lost(_, let error, _) = $0 { lost = error } }, until: { lost != nil })
      guard case .revokedPeer(device: "one", words: shown, peer: "desk")? = lost else {
        Issue.record("\(String(describing: lost))")
        return
      }
    }
  }

  @Test func `Pin: an extra key is refused for a remembered machine`() async throws {
    let (office, books) = try await office(seed: 1933)
    let stranger = try office.found("stranger")
    try await serving(try office.place("stranger")) { address in
      try books[1].contactBook.addPeer("desk", at: address)
      let error = refusal { () throws(DaybookError) in
        _ = try books[1].replicator.sync(
          with: address, pin: .key(try stranger.core.localDevice.shownKey))
      }
      guard case .changedKey? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `Pin: a machine that has replaced its own key is recognised by the new one`()
    async throws
  {
    let (office, books) = try await office(seed: 1934)
    _ = try books[0].admin.rekey()
    for book in [books[0], books[1]] { _ = try book.replicator.sync(with: Office.directory) }
    try await serving(office.places[0]) { address in
      try books[1].contactBook.addPeer("desk", at: address)
      _ = try books[1].replicator.sync(with: address)
    }
    #expect(
      try books[1].contactBook.contact(called: "desk").key == books[0].core.localDevice.shownKey)
  }

  @Test func `Pin: following a machine that shows a different key reports the new words`()
    async throws
  {
    let (office, books) = try await office(seed: 1935)
    let stranger = try office.found("stranger")
    let shown = try words(stranger).joined(separator: "-")
    try await serving(try office.place("stranger")) { address in
      try books[1].contactBook.addPeer("desk", at: address)
      var lost: DaybookError?
      try LiveService(of: books[1]).follow(
        [try books[1].contactBook.contact(called: "desk")], admission: .always,
        tell: { if case .lost(_, let error, _) = $0 { lost = error } }, until: { lost != nil })
      guard case .changedKey("desk", _, shown)? = lost else {
        Issue.record("\(String(describing: lost))")
        return
      }
    }
  }

  @Test func `Pin: trust is refused to unknown machines, directories and revoked keys`()
    async throws
  {
    let (_, books) = try await office(seed: 1936)
    try books[1].contactBook.addPeer("stick", at: Office.directory)
    _ = try books[1].revoker.revoke(try books[1].deviceList.device(called: "three"))
    let some = try words(books[0])
    guard
      case .noSuchPeer("nobody")? = refusal({ () throws(DaybookError) in
        try books[1].contactBook.trustPeer("nobody", with: some)
      }),
      case .keyless("stick")? = refusal({ () throws(DaybookError) in
        try books[1].contactBook.trustPeer("stick", with: some)
      }),
      case .revokedKey("three")? = refusal({ () throws(DaybookError) in
        try books[1].contactBook.trustPeer(
          "desk", with: try books[2].core.localDevice.shownKey.fingerprint)
      })
    else {
      Issue.record("something was trusted")
      return
    }
  }
}
