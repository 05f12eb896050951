import Bytes
import Crypto
import Platform
import S3
import Sealing
import Syncing
import Testing

/// The data with which a device joins through a sealed store.
struct StoreInvitationTests {
  private static func invitation(_ place: StorePlace) throws -> StoreInvitation {
    StoreInvitation(
      to: StoreAddress(
        in: place, store: UniqueID(high: 1, low: 2), book: UniqueID(high: 3, low: 4)),
      by: try PublicKey((0..<32).map { UInt8($0) }), secret: (0..<16).map { UInt8(200 + $0) })
  }

  private static func bucket(_ text: String) throws -> StorePlace {
    var service = S3Service.amazon("eu-central-1")
    service.usesPath = true
    return .bucket(try #require(BucketAddress(text, at: service)))
  }

  private static func fault(_ text: String) -> InvitationFault? {
    do throws(InvitationFault) { _ = try StoreInvitation(parsing: text) } catch { return error }
    return nil
  }

  @Test func `Store invitation: its text is read in any case and grouping`() throws {
    for place in [.folder(Path("/media/stick")), try Self.bucket("s3://bucket/books/home")] {
      let invitation = try Self.invitation(place)
      let text = invitation.text
      #expect(text.hasPrefix("daybookstore1:"))
      #expect(try StoreInvitation(parsing: text) == invitation)
      #expect(try StoreInvitation(parsing: text.lowercased()) == invitation)
      #expect(try StoreInvitation(parsing: " " + text.replacing("A", with: "A-")) == invitation)
      #expect(StoreInvitation.isMeant(by: text) && !Invitation.isMeant(by: text))
    }
    #expect(!StoreInvitation.isMeant(by: "daybook1:AA"))
  }

  @Test func `Store invitation: the path of a folder is left out if it is too long`() throws {
    let long = Path("/" + String(repeating: "x", count: 600))
    let parsed = try StoreInvitation(parsing: Self.invitation(.folder(long)).text)
    #expect(parsed.address.place == .folder(Path("")))
  }

  @Test func `Store invitation: the longest one is read, and its only wrong letter is found`()
    throws
  {
    let prefix = String(repeating: "p", count: 512)
    let text = try Self.invitation(
      Self.bucket("s3://\(String(repeating: "b", count: 63))/\(prefix)")
    )
    .text
    #expect(text.utf8.count < 1_600)
    let start = "daybookstore1:".count
    var letters = Array(text)
    letters[start + 40] = letters[start + 40] == "A" ? "B" : "A"
    #expect(Self.fault(String(letters)) == .mistyped(at: 41))
  }

  @Test func `Store invitation: malformed text is refused with its fault`() throws {
    let text = try Self.invitation(.folder(Path("/x"))).text
    #expect(Self.fault("daybook1:AA") == .noInvitation)
    #expect(Self.fault("daybookstore2:AA") == .otherVersion("daybookstore2"))
    #expect(Self.fault("daybookstore1:AA") == .cut(letters: 2))
    #expect(Self.fault(String(text.dropLast(3))) == .mistyped(at: nil))
    #expect(Self.fault(text + "A0") == .letter("0", at: text.count - "daybookstore1:".count + 2))
  }

  @Test func `Store invitation: a place that no device may use is refused`() throws {
    func text(_ build: (inout CBORWriter) -> Void) -> String {
      var writer = CBORWriter()
      writer.arrayHeader(5)
      writer.byteString((0..<32).map { UInt8($0) })
      writer.byteString([UInt8](repeating: 1, count: 16))
      writer.uniqueID(UniqueID(high: 1, low: 2))
      writer.uniqueID(UniqueID(high: 3, low: 4))
      build(&writer)
      let label = Array("daybook store invitation v1".utf8)
      let check = SHA256.digest(of: label + writer.bytes).bytes.prefix(4)
      return "daybookstore1:" + Base32.encode(writer.bytes + check)
    }
    func bucket(_ url: String, _ region: String, _ address: String = "s3://bucket") -> String {
      text { writer in
        writer.arrayHeader(4)
        writer.text(address)
        writer.text(url)
        writer.text(region)
        writer.boolean(true)
      }
    }
    #expect(Self.fault(bucket("https://host:443", "eu")) == nil)
    // Plain HTTP to another machine would show the credentials' signatures and all names.
    #expect(Self.fault(bucket("http://host:80", "eu")) == .address)
    #expect(Self.fault(bucket("https://host:443", "e u")) == .address)
    #expect(Self.fault(bucket("https://host:443", "eu", "s3://x")) == .address)
    let pair = text { writer in
      writer.arrayHeader(2)
      writer.text("/x")
      writer.text("/y")
    }
    #expect(Self.fault(pair) == .address)
    #expect(Self.fault(text { $0.text("/folder") }) == .address)
    // No content is so short.
    #expect(Self.fault(text { $0.arrayHeader(0) }) == .cut(letters: 146))
  }
}
