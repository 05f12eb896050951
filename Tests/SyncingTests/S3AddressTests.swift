import Platform
import S3
import SimulatedPlatform
import Testing

@testable import Syncing

struct S3AddressTests {
  @Test(arguments: [
    ("s3://ab", "https://s3.example.com", BucketAddressFault.address),
    ("s3://bucket", "s3.example.com", .endpoint("s3.example.com")),
    ("s3://bucket", "https://s3.example.com/path", .endpoint("https://s3.example.com/path")),
    ("s3://bucket", "http://s3.example.com", .unencrypted("http://s3.example.com")),
  ])
  func `S3 address: what cannot be used is refused`(
    text: String, endpoint: String, fault: BucketAddressFault
  ) {
    #expect(throws: fault) {
      try StorePlace(
        bucket: text, BucketOptions(endpoint: endpoint), on: SimulatedMachine(seed: 31).machine)
    }
  }

  @Test func `S3 address: a service is read back from its URL`() throws {
    for url in ["https://s3.example.com:443", "http://127.0.0.1:8333", "http://[::1]:80"] {
      let service = try #require(S3Service(url: url, region: "here"))
      #expect(service.url == url)
      #expect(service.isAcceptable)
    }
    #expect(S3Service(url: "https://s3.example.com/", region: "x")?.port == 443)
    #expect(S3Service(url: "http://s3.example.com", region: "x")?.isAcceptable == false)
  }
}
