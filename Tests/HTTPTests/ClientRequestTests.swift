import HTTP
import Testing

struct ClientRequestTests {
  private func text(_ request: ClientRequest) -> String {
    String(decoding: request.bytes, as: UTF8.self)
  }

  @Test func `HTTP request: a GET has its fields and no length`() {
    let request = ClientRequest(
      .get, "/a?b=c", fields: [HeaderField(name: "host", value: "example.com")])
    #expect(text(request) == "GET /a?b=c HTTP/1.1\r\nhost: example.com\r\n\r\n")
  }

  @Test func `HTTP request: a PUT states the length of its body, also of an empty one`() {
    let host = HeaderField(name: "host", value: "h")
    #expect(
      text(ClientRequest(.put, "/a", fields: [host], body: Array("bytes".utf8)))
        == "PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\n\r\nbytes")
    #expect(
      text(ClientRequest(.put, "/a", fields: [host]))
        == "PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n")
  }

  @Test func `Percent-encoding: all bytes except the unreserved ones are encoded`() {
    #expect(PercentEncoding.encoded("aZ09-._~ /+ü") == "aZ09-._~%20%2F%2B%C3%BC")
    #expect(PercentEncoding.decoded("a%20%2F+", plusIsBlank: false) == "a /+")
    #expect(PercentEncoding.decoded("a+", plusIsBlank: true) == "a ")
    #expect(PercentEncoding.decoded("%2", plusIsBlank: false) == nil)
    #expect(PercentEncoding.decoded("%FF", plusIsBlank: false) == nil)
  }
}
