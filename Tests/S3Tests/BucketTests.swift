import HTTP
import Testing

@testable import S3

struct BucketTests {
  private static let local = S3Service(
    host: "127.0.0.1", port: 8333, isEncrypted: false, region: "us-east-1", usesPath: false)

  private func address(
    _ text: String, at service: S3Service = .amazon("eu-central-1")
  ) throws -> BucketAddress {
    try #require(BucketAddress(text, at: service))
  }

  // MARK: Addresses

  @Test func `Bucket address: it has a bucket and a prefix`() throws {
    let whole = try address("s3://bucket")
    #expect((whole.bucket, whole.prefix, whole.text) == ("bucket", "", "s3://bucket"))
    let part = try address("s3://bucket/a/b c/")
    #expect((part.bucket, part.prefix, part.text) == ("bucket", "a/b c", "s3://bucket/a/b c"))
  }

  @Test(arguments: [
    "bucket", "s3:/bucket", "s3://", "s3://ab", "s3:///prefix", "s3://-bucket", "s3://a..b",
    "s3://bücket", "s3://bucket//a", "s3://bucket/a/../b", "s3://bucket/./a", "s3://bucket/a\n",
    "s3://bucket/" + String(repeating: "a", count: 513),
    "s3://" + String(repeating: "a", count: 64),
  ])
  func `Bucket address: names that a program on the way could read differently are refused`(
    text: String
  ) {
    #expect(BucketAddress(text, at: .amazon("eu-central-1")) == nil)
  }

  // MARK: Requests

  @Test func `Bucket request: the host names the bucket where that is possible`() throws {
    func target(_ text: String, _ service: S3Service) throws -> String {
      let address = try address(text, at: service)
      let request = BucketRequests(address).get("x/e")
      let host = try #require(request.fields.only("host"))
      return "\(address.host) \(host)\(request.target)"
    }
    let amazon = S3Service.amazon("eu-central-1")
    var path = amazon
    path.usesPath = true
    let aws = "s3.eu-central-1.amazonaws.com"
    #expect(try target("s3://bucket/a b", amazon) == "bucket.\(aws) bucket.\(aws)/a%20b/x/e")
    #expect(try target("s3://bucket", path) == "\(aws) \(aws)/bucket/x/e")
    #expect(try target("s3://my.bucket", amazon) == "\(aws) \(aws)/my.bucket/x/e")
    #expect(
      try target("s3://bucket", Self.local) == "127.0.0.1 127.0.0.1:8333/bucket/x/e")
    var other = Self.local
    (other.host, other.port) = ("::1", 80)
    #expect(try target("s3://bucket", other) == "::1 [::1]/bucket/x/e")
  }

  @Test func `Bucket request: each operation has one form`() throws {
    let requests = BucketRequests(try address("s3://bucket/p", at: Self.local))
    let host = HeaderField(name: "host", value: "127.0.0.1:8333")
    #expect(
      requests.list("id/")
        == ClientRequest(
          .get, "/bucket/?encoding-type=url&list-type=2&max-keys=1000&prefix=p%2Fid%2F",
          fields: [host]))
    #expect(
      requests.list("", divided: true, after: "a/+=").target
        == "/bucket/?continuation-token=a%2F%2B%3D&delimiter=%2F&encoding-type=url&list-type=2"
        + "&max-keys=1000&prefix=p%2F")
    #expect(
      requests.get("id/e", bytes: 5..<10)
        == ClientRequest(
          .get, "/bucket/p/id/e",
          fields: [host, HeaderField(name: "range", value: "bytes=5-9")]))
    #expect(
      requests.put([1], as: "id/e")
        == ClientRequest(.put, "/bucket/p/id/e", fields: [host], body: [1]))
    #expect(requests.delete("id/e") == ClientRequest(.delete, "/bucket/p/id/e", fields: [host]))
  }

  // MARK: Listings

  private func listing(
    _ text: String, of folder: String = "id/", status: Int = 200
  ) throws(S3Fault) -> ObjectListing {
    guard let address = BucketAddress("s3://bucket/p", at: Self.local) else { throw .badListing }
    return try BucketRequests(address).listing(
      in: ServerResponse(status, body: Array(text.utf8)), of: folder)
  }

  @Test func `Listing: a page has objects, folders and a token`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>
      <EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
      <NextContinuationToken>next</NextContinuationToken>
      <Contents><Key>p/id/e-a</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified>
      <ETag>&quot;x&quot;</ETag><Size>300</Size><StorageClass>STANDARD</StorageClass></Contents>
      <Contents><Key>p/id/with+blank%2B</Key><LastModified>2009-10-12T17:50:31Z</LastModified>
      <Size>0</Size></Contents>
      <Contents><Key>other/id/e-b</Key><LastModified>2009-10-12T17:50:31Z</LastModified>
      <Size>0</Size></Contents>
      <CommonPrefixes><Prefix>p/id/folder/</Prefix></CommonPrefixes>
      </ListBucketResult>
      """
    var expected = ObjectListing()
    expected.objects = [
      .init(key: "e-a", size: 300, modified: 1_255_369_830_000),
      .init(key: "with blank+", size: 0, modified: 1_255_369_831_000),
    ]
    expected.folders = ["folder"]
    expected.next = "next"
    #expect(try listing(text) == expected)
  }

  @Test(arguments: [
    "", "<html></html>", "<ListBucketResult><Contents></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Key>p/id/a</Key><Size>-1</Size>"
      + "<LastModified>2009-10-12T17:50:31Z</LastModified></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Key>p/id/a</Key><Size>1</Size>"
      + "<LastModified>yesterday</LastModified></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
  ])
  func `Listing: what S3 does not specify is refused`(text: String) {
    #expect(throws: S3Fault.badListing) { try self.listing(text) }
  }

  // MARK: Errors

  @Test(arguments: [
    (403, "AccessDenied", S3Fault.accessDenied), (403, "", .accessDenied),
    (403, "InvalidAccessKeyId", .unknownKey), (403, "SignatureDoesNotMatch", .wrongSecret),
    (403, "RequestTimeTooSkewed", .clock), (400, "ExpiredToken", .expired),
    (404, "NoSuchBucket", .noBucket), (403, "QuotaExceeded", .full), (507, "", .full),
    (301, "PermanentRedirect", .otherRegion("eu-west-1")),
    (400, "AuthorizationHeaderMalformed", .otherRegion("eu-west-1")),
    (503, "SlowDown", .busy(status: 503, code: "SlowDown")),
    (500, "", .busy(status: 500, code: "")),
    (429, "", .busy(status: 429, code: "")),
    (501, "NotImplemented", .refused(status: 501, code: "NotImplemented")),
  ])
  func `S3 error: each code has an outcome`(status: Int, code: String, fault: S3Fault) {
    let body =
      code.isEmpty
      ? "" : "<Error><Code>\(code)</Code><Region>eu-west-1</Region></Error>"
    let response = ServerResponse(status, body: Array(body.utf8))
    #expect(S3Fault(response) == fault)
    #expect(throws: fault) { try response.checkPut() }
    #expect(throws: fault) { try response.checkDeletion() }
    #expect(throws: fault) { try response.object() }
  }

  @Test func `S3 error: no object is no fault, but no bucket is one`() throws {
    let none = ServerResponse(404, body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8))
    #expect(try none.object() == nil)
    #expect(try none.part(0..<1) == nil)
    try none.checkDeletion()
    try ServerResponse(204).checkDeletion()
    #expect(throws: S3Fault.noBucket) { try self.listing("", status: 404) }
  }

  @Test func `Part of an object: a service may send the part, the whole, or that there is none`()
    throws
  {
    #expect(try ServerResponse(206, body: [2, 3]).part(1..<3) == [2, 3])
    #expect(try ServerResponse(200, body: [1, 2, 3, 4]).part(1..<3) == [2, 3])
    #expect(try ServerResponse(200, body: [1]).part(1..<3) == [])
    #expect(try ServerResponse(416).part(1..<3) == [])
  }
}
