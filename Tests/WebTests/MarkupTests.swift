import Daybook
import Domain
import Foundation
import HTTP
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

struct MarkupTests {
  @Test func `Markup: text from outside is escaped`() {
    let hostile = "<img src=x onerror='a()'>&\"\0"
    let html = HTML.element("p", ["title": hostile], HTML(hostile)).document()
    #expect(
      String(decoding: html, as: UTF8.self) == """
        <!doctype html>
        <p title="&lt;img src=x onerror=&#39;a()&#39;&gt;&amp;&quot;\u{FFFD}">\
        &lt;img src=x onerror=&#39;a()&#39;&gt;&amp;&quot;\u{FFFD}</p>

        """)
  }

  @Test func `Markup: a nil attribute is left out, and an empty one has no value`() {
    let html = HTML.element("input", ["name": "a", "value": nil, "required": ""]).document()
    #expect(
      String(decoding: html, as: UTF8.self) == "<!doctype html>\n<input name=\"a\" required>\n")
  }

  @Test(arguments: [
    "today", "lists", "birthdays", "choose", "history", "conflicts", "devices", "settings",
  ])
  func `Markup: a hostile title is escaped in every view`(leaf: String) throws {
    let desk = try Desk()
    let title = "<script>alert(1)</script>"
    _ = try desk.addTodo(title, priority: .high)
    try desk.perform(.addList(name: title, colour: nil))
    try desk.perform(.addQuestion(content: title, choices: [(name: title, weight: Int64(1))]))
    try desk.perform(.addBirthday(firstName: title, lastName: nil, birthdate: nil))
    let response = try desk.answer("GET", leaf == "today" ? "/" : "/\(leaf)")
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(response.status == 200)
    #expect(!text.contains("<script>alert"))
    if ["today", "lists", "birthdays", "choose", "history"].contains(leaf) {
      #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }
  }

  @Test(arguments: [(Priority.low, 1), (.normal, 0), (.high, 1)])
  func `Markup: a normal priority has no mark`(priority: Priority, count: Int) throws {
    let desk = try Desk()
    _ = try desk.addTodo("Mop", priority: priority)
    let response = try desk.answer("GET", "/lists/none")
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("Mop"))
    #expect(text.ranges(of: "priority</span>").count == count)
  }

  @Test(arguments: [
    "", "lists", "birthdays", "choose", "history", "conflicts", "devices", "settings",
  ])
  func `Markup: every view reports missing events without a script`(leaf: String) throws {
    let machine = SimulatedMachine(seed: 12)
    let whole = try BookFactory.create(
      at: Desk.folder, on: machine.machine, deviceName: "laptop", view: .memory)
    for name in ["one", "two", "three"] {
      _ = try whole.commands.perform(.addList(name: name, colour: nil))
    }
    let logs = machine.disk.files.filter { $0.key.string.hasPrefix(Desk.folder.string + "/logs/") }
    let log = try #require(logs.first)
    machine.disk.rot(log.key, at: log.value.count / 2, flipping: 4)
    let hurt = try Book(at: Desk.folder, on: machine.machine, view: .memory)
    _ = try hurt.verifier.verify()
    for (desk, told) in [
      (try Desk(), "on this device only"), (try Desk(hurt, on: machine), "1 event missing"),
    ] {
      let text = String(decoding: try desk.answer("GET", "/\(leaf)").body, as: UTF8.self)
      #expect(text.contains("<span>\(told)</span></a></header>"))
    }
  }

  @Test func `Assets: the embedded files match the folder of assets`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Web/Assets")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(AssetFiles.all.map(\.name) == names.sorted())
    for (name, bytes) in AssetFiles.all {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data(bytes), "\(name)")
    }
  }

  @Test func `Assets: page and assets together take at most 30,000 bytes compressed`() throws {
    let desk = try Desk()
    var sum = try desk.answer("GET", "/", ["accept-encoding": "gzip"]).body.count
    for (name, _) in AssetFiles.all {
      sum += try desk.answer("GET", "/assets/\(name)", ["accept-encoding": "gzip"]).body.count
    }
    #expect(sum <= 30_000)
  }

  @Test(arguments: [
    ("gzip", true), ("br, GZIP ; Q=0.001", true), ("x-gzip", true), ("*", true),
    ("deflate;q=1.0, *;q=0.5", true), ("identity;q=0, *", true), ("gzip, *;q=0", true),
    ("identity;q=0.5, gzip;q=0.5", true), ("", false), ("br", false), ("gzipped", false),
    ("gzip;q=0", false), ("gzip;q=0.000, *", false), ("*;q=0", false),
    ("*;q=1, gzip; q=0", false), ("gzip;q=0.5, identity", false), ("gzip;q=0.5, *", false),
    ("gzip;q=0.0001", false), ("gzip;q=2", false), ("gzip;q=", false), ("identity;q=0", false),
  ])
  func `Accept-Encoding: gzip is sent only to a client that accepts and prefers it`(
    accepted: String, isPacked: Bool
  ) throws {
    let desk = try Desk()
    for path in ["/", "/assets/page.js"] {
      let answer = try desk.answer("GET", path, ["accept-encoding": accepted])
      let codings = answer.fields.filter { $0.name == "Content-Encoding" }.map(\.value)
      #expect(codings == (isPacked ? ["gzip"] : []), "\(path)")
      #expect(answer.body.starts(with: [0x1f, 0x8b]) == isPacked, "\(path)")
    }
  }

  @Test(arguments: [("gzip", false), ("gzip, identity;q=0", true), ("gzip, *;q=0", true)])
  func `Accept-Encoding: a long page is compressed only if identity is refused`(
    accepted: String, isPacked: Bool
  ) throws {
    let request = HTTPRequest(
      method: "GET", target: "/", fields: [.init(name: "accept-encoding", value: accepted)])
    let long = HTTPResponse(200, "OK", fields: [], body: Array(repeating: 0x20, count: 65_537))
    #expect((long.packed(for: request).body != long.body) == isPacked)
  }

  @Test func `Assets: comment lines and indentation are removed before sending`() {
    let source = """
      /* Of two
         lines. */
      a {
        b: c; /* d */
      }

      // e
        // f
      g("//")
      """
    let sent = Assets.sent(Array(source.utf8))
    #expect(String(decoding: sent, as: UTF8.self) == "a {\nb: c; /* d */\n}\ng(\"//\")\n")
  }

  @Test func `Assets: no string of a script extends over several lines`() {
    for (name, bytes) in AssetFiles.all where name.hasSuffix(".js") {
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let count = line.count { $0 == UInt8(ascii: "`") }
        #expect(count.isMultiple(of: 2), "\(name): \(String(decoding: line, as: UTF8.self))")
      }
    }
  }

  @Test func `Assets: a matching ETag gets 304, and an unknown file gets 404`() throws {
    let desk = try Desk()
    let first = try desk.answer("GET", "/assets/page.js")
    let tag = try #require(first.fields.first { $0.name == "ETag" }?.value)
    let second = try desk.answer("GET", "/assets/page.js", ["if-none-match": tag])
    #expect((second.status, second.body) == (304, []))
    #expect(try desk.answer("GET", "/assets/nothing.js").status == 404)
    #expect(try desk.answer("GET", "/assets/../Package.swift").status == 404)
  }
}
