import HTTP
import Testing

@testable import S3

struct RequestSignerTests {
  private static let emptyDigest =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  // MARK: The examples in the documentation of S3

  private static let example = RequestSigner(
    AccessKey(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  private static let host = HeaderField(name: "host", value: "examplebucket.s3.amazonaws.com")
  /// 24 May 2013.
  private static let day: Int64 = 1_369_353_600_000

  @Test(arguments: [
    (
      ClientRequest(
        .get, "/test.txt", fields: [host, HeaderField(name: "range", value: "bytes=0-9")]),
      "host;range;x-amz-content-sha256;x-amz-date",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    ),
    (
      ClientRequest(
        .put, "/test%24file.text",
        fields: [
          HeaderField(name: "date", value: "Fri, 24 May 2013 00:00:00 GMT"), host,
          HeaderField(name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
        ], body: Array("Welcome to Amazon S3.".utf8)),
      "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    ),
    (
      ClientRequest(.get, "/?lifecycle=", fields: [host]),
      "host;x-amz-content-sha256;x-amz-date",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    ),
    (
      ClientRequest(.get, "/?max-keys=2&prefix=J", fields: [host]),
      "host;x-amz-content-sha256;x-amz-date",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ),
  ])
  func `Signature: the examples of S3 are reproduced`(
    request: ClientRequest, names: String, signature: String
  ) {
    let signed = Self.example.signed(request, at: Self.day)
    #expect(
      signed.fields.only("authorization")
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=\(names), Signature=\(signature)")
    #expect(signed.fields.only("x-amz-date") == "20130524T000000Z")
    #expect(signed.target == request.target)
    #expect(signed.body == request.body)
  }

  // MARK: The test suite of AWS

  private static let suite = RequestSigner(
    AccessKey(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1", service: "service")
  /// 30 August 2015, 12:36:00.
  private static let noon: Int64 = 1_440_938_160_000

  @Test(
    arguments: [
      ("get-vanilla", "/", [], "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
      (
        "get-vanilla-query-order-key-case", "/?Param1=value1&Param2=value2", [],
        "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
      ),
      (
        "get-unreserved", "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", [],
        "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
      ),
      (
        "get-utf8", "/" + PercentEncoding.encoded("ሴ"), [],
        "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
      ),
      (
        "get-header-value-trim", "/",
        [
          HeaderField(name: "my-header1", value: " value1"),
          HeaderField(name: "my-header2", value: " \"a   b   c\""),
        ], "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
      ),
      (
        "get-header-value-order", "/",
        ["value4", "value1", "value3", "value2"].map {
          HeaderField(name: "my-header1", value: $0)
        }, "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"
      ),
    ] as [(String, String, [HeaderField], String)])
  func `Signature: the test suite of AWS is reproduced`(
    name: String, target: String, fields: [HeaderField], signature: String
  ) {
    let host = HeaderField(name: "host", value: "example.amazonaws.com")
    let signed = Self.suite.authorized(
      ClientRequest(.get, target, fields: [host] + fields), at: Self.noon,
      digest: Self.emptyDigest)
    #expect(signed.fields.only("authorization")?.hasSuffix("Signature=\(signature)") == true)
  }

  @Test func `Signature: a temporary key adds its token, which is signed`() {
    let key = AccessKey(id: "A", secret: "B", sessionToken: "token")
    let request = ClientRequest(.get, "/", fields: [Self.host])
    let signed = RequestSigner(key, region: "eu-west-1").signed(request, at: Self.day)
    #expect(signed.fields.only("x-amz-security-token") == "token")
    #expect(
      signed.fields.only("authorization")?.contains(
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,") == true)
  }

  @Test func `Access key: it prints without its secrets`() {
    let key = AccessKey(id: "AKIA", secret: "hidden", sessionToken: "concealed")
    var dumped = ""
    dump(key, to: &dumped)
    #expect("\(key)" == "AccessKey(AKIA)")
    #expect(!dumped.contains("hidden") && !dumped.contains("concealed"))
    #expect(!String(reflecting: [key]).contains("hidden"))
  }
}
