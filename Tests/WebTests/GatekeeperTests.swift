import Testing

@testable import Web

/// Access control, tested over the server's connections.
struct GatekeeperTests {
  private static let host = "Host: 127.0.0.1:\(Desk.port)\r\n"
  private static let origin = "Origin: http://127.0.0.1:\(Desk.port)\r\n"
  private static let json = "Content-Type: application/json\r\nContent-Length: 2\r\n"

  private func status(_ text: String) throws -> Int? {
    let answer = try Desk().send(text)
    return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  private func get(_ path: String, _ fields: String) throws -> Int? {
    try status("GET \(path) HTTP/1.1\r\n\(fields)\r\n")
  }

  private func post(_ path: String, _ fields: String, _ body: String = "{}") throws -> Int? {
    try status("POST \(path) HTTP/1.1\r\n\(fields)\r\n\(body)")
  }

  @Test func `Access: a request with the key gets the page`() throws {
    #expect(try get("/\(Desk.key)/", Self.host) == 200)
    #expect(try get("/\(Desk.key)/", "Host: localhost:\(Desk.port)\r\n") == 200)
    #expect(try get("/\(Desk.key)/assets/page.css", Self.host) == 200)
  }

  @Test(arguments: ["/", "/favicon.ico", "/AAAAAAAAAAAAAAAAAAAAAB/", "/AAAA/", "/\(Desk.key)x/"])
  func `Access: without the key, every path is refused as not found`(path: String) throws {
    let answer = try Desk().send("GET \(path) HTTP/1.1\r\n\(Self.host)\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nNot Found\n"))
  }

  @Test func `Access: a wrong or missing Host is refused`() throws {
    for name in ["evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:77777", "[::1]:7777"] {
      #expect(try get("/\(Desk.key)/", "Host: \(name)\r\n") == 421, "\(name)")
    }
    #expect(try get("/\(Desk.key)/", "") == 400)
    #expect(try get("/\(Desk.key)/", Self.host + Self.host) == 400)
  }

  @Test func `Access: a write from another origin is refused`() throws {
    let path = "/\(Desk.key)/api/do"
    #expect(try post(path, Self.host + Self.json) == 403)
    #expect(try post(path, Self.host + "Origin: null\r\n" + Self.json) == 403)
    #expect(try post(path, Self.host + "Origin: http://evil.example\r\n" + Self.json) == 403)
    #expect(try post(path, Self.host + Self.origin + Self.origin + Self.json) == 403)
    let others = Self.host + Self.origin + Self.json
    #expect(try post(path, others + "Sec-Fetch-Site: cross-site\r\n") == 403)
    #expect(try post(path, others + "Sec-Fetch-Site: none\r\n") == 403)
    // This request is admitted, and fails only because its body is not a valid wish.
    #expect(try post(path, others + "Sec-Fetch-Site: same-origin\r\n") == 400)
  }

  @Test func `Access: a read from another site is refused`() throws {
    for site in ["cross-site", "same-site"] {
      #expect(try get("/\(Desk.key)/", Self.host + "Sec-Fetch-Site: \(site)\r\n") == 403)
    }
    for site in ["same-origin", "none"] {
      #expect(try get("/\(Desk.key)/", Self.host + "Sec-Fetch-Site: \(site)\r\n") == 200)
    }
  }

  @Test func `Access: unsupported methods and content types are refused`() throws {
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT"] {
      #expect(try status("\(method) /\(Desk.key)/ HTTP/1.1\r\n\(Self.host)\r\n") == 405)
    }
    let own = Self.host + Self.origin
    #expect(try post("/\(Desk.key)/api/view/today", own + Self.json) == 405)
    #expect(try get("/\(Desk.key)/api/do", Self.host) == 405)
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
      let fields = own + "Content-Type: \(type)\r\nContent-Length: 2\r\n"
      #expect(try post("/\(Desk.key)/api/do", fields) == 415, "\(type)")
    }
    #expect(try post("/\(Desk.key)/do", own + Self.json) == 415)
  }

  @Test func `Access: every answer has the protective headers`() throws {
    let desk = try Desk()
    for path in [
      "/", "/\(Desk.key)/", "/\(Desk.key)/api/view/today", "/\(Desk.key)/assets/page.js",
    ] {
      let answer = try desk.send("GET \(path) HTTP/1.1\r\n\(Self.host)\r\n")
      for (name, value) in HTTPResponse.protection {
        #expect(answer.contains("\r\n\(name): \(value)\r\n"), "\(path) \(name)")
      }
      #expect(!answer.contains("Access-Control"))
    }
  }
}
