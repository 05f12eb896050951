import Bytes
import Daybook
import Domain
import Phrasing
import Platform

/// One route, which consists of a method, a path, and the function that answers.
struct Route: Sendable {
  let method: String
  /// The first components of the path.
  let path: [String]
  /// Whether more components may follow.
  let isOpen: Bool
  let answer: @Sendable (PageSite, Asked) throws -> Answer

  fileprivate init(
    _ method: String, _ path: String, isOpen: Bool = false,
    _ answer: @escaping @Sendable (PageSite, Asked) throws -> Answer
  ) {
    (self.method, self.isOpen, self.answer) = (method, isOpen, answer)
    self.path = path.split(separator: "/").map(String.init)
  }

  /// A request, and the path components that follow those of the route.
  struct Asked {
    var request: HTTPRequest
    var target: Target
    var rest: [String]
    var connection: UInt64
  }

  /// All routes; among the matching routes, the one with the longest path takes precedence.
  static let all: [Route] = [
    Route("GET", "assets", isOpen: true) { site, asked in
      .whole(try site.assets.answer(asked.rest.joined(separator: "/"), to: asked.request))
    },
    Route("GET", "api/view", isOpen: true) { site, asked in
      let address = try ViewAddress(path: asked.rest, query: asked.target.query)
      return .json(try site.answer(address))
    },
    Route("GET", "api/history/days") { site, asked in
      .json(try PageQueries(site: site).historyDays())
    },
    Route("GET", "api/history") { site, asked in
      .json(try PageQueries(site: site).history(asked.target.query))
    },
    Route("GET", "api/item", isOpen: true) { site, asked in
      .json(try PageQueries(site: site).item(asked.rest, asked.target.query))
    },
    Route("GET", "api/events") { site, asked in
      try PageQueries(site: site).stream(asked)
    },
    Route("POST", "api/read") { site, asked in
      let json = try asked.json()
      guard let text = json["text"]?.string, let kind = json["kind"]?.string else {
        throw PageFault.badMember("text")
      }
      return .json(
        try AddDeed(site: site).read(text, as: kind, keeping: try json.texts("kept")))
    },
    Route("POST", "api/do") { site, asked in
      let json = try asked.json()
      if json["at"]?.string != nil || asked.target.query["at"] != nil { throw PageFault.past }
      return .json(try DeedPerformer(site: site).perform(try Wish(json)))
    },
    Route("POST", "api/sync") { site, asked in
      _ = try asked.json()
      try PageSync(site: site).begin()
      return .whole(HTTPResponse(202, "Accepted", fields: Answer.dataFields))
    },
    Route("POST", "do") { site, asked in
      try PageDocuments(site: site).performForm(asked)
    },
    Route("GET", "", isOpen: true) { site, asked in
      let address = try ViewAddress(path: asked.rest, query: asked.target.query)
      return .whole(try PageDocuments(site: site).leaf(address).packed(for: asked.request))
    },
  ]

  /// Returns the components after the route's own components; nil if the path does not match.
  func rest(of path: [String]) -> [String]? {
    guard path.starts(with: self.path) else { return nil }
    let rest = Array(path.dropFirst(self.path.count))
    return isOpen || rest.isEmpty || rest == [""] ? rest : nil
  }
}

extension Route.Asked {
  /// Returns the body, parsed as JSON.
  fileprivate func json() throws -> JSON {
    guard request.contentType == "application/json" else { throw HTTPFault.unsupportedMediaType }
    do throws(JSONError) { return try JSON(parsing: request.body) } catch {
      throw PageFault.badMember("body")
    }
  }
}

extension Answer {
  static let dataFields = [("Cache-Control", "no-store")]

  static func json(_ json: JSON, _ status: Int = 200, _ reason: String = "OK") -> Answer {
    .whole(
      HTTPResponse(
        status, reason,
        fields: dataFields + [("Content-Type", "application/json; charset=utf-8")],
        body: Array(json.text().utf8)))
  }
}

/// Finds the route for a request, and answers the request.
struct Router {
  let site: PageSite

  func answer(_ request: HTTPRequest, _ target: Target, on connection: UInt64) -> Answer {
    let all = Route.all.compactMap { route in route.rest(of: target.path).map { (route, $0) } }
    let depth = all.map(\.0.path.count).max()
    let found = all.filter { $0.0.path.count == depth }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let (route, rest) = found.first(where: { $0.0.method == method }) else {
      if found.isEmpty { return Problem(PageFault.noSuchView).answer }
      return .whole(HTTPResponse(.methodNotAllowed))
    }
    let asked = Route.Asked(request: request, target: target, rest: rest, connection: connection)
    do {
      return try route.answer(site, asked)
    } catch let fault as HTTPFault {
      return .whole(HTTPResponse(fault))
    } catch {
      let problem = Problem(error)
      let isForAPI = target.path.first == "api"
      return isForAPI ? problem.answer : .whole(PageDocuments(site: site).problem(problem))
    }
  }
}

/// Answers the API requests for history, records and event streams.
private struct PageQueries {
  let site: PageSite

  func history(_ query: Pairs) throws -> JSON {
    try site.refresh(saying: true)
    var moment: Int64?
    if let words = query["around"], !words.isEmpty {
      moment = try self.moment(words)
    }
    if let words = query["n"] {
      guard let number = Int(words), number >= 0 else { throw PageFault.badMember("n") }
      let first = site.present.entries.entry(1).map { $0.time - 1 } ?? 0
      moment =
        number >= site.present.entries.count
        ? nil : number == 0 ? first : site.present.entries.entry(number)?.time
    }
    // A time at or after the last entry means now.
    if let last = site.present.entries.entry(site.present.entries.count), moment ?? 0 >= last.time {
      moment = nil
    }
    let page = try site.page(at: moment)
    let before = query["before"].flatMap { Int($0) } ?? 9
    let after = query["after"].flatMap { Int($0) } ?? 2
    var view = try HistoryView(page: page).view(
      among: site.present.entries, before: min(max(before, 0), 200), after: min(max(after, 0), 200))
    view.folio = page.entries.count
    return .object(
      try site.frame(of: page) + [JSON.Member("view", "history")] + view.rest
        + [JSON.Member("sections", view.sectionsJSON)])
  }

  /// Parses an instant or a day.
  ///
  /// A day means its last millisecond.
  private func moment(_ words: String) throws(PageFault) -> Int64 {
    if let moment = Instant.parse(words) { return moment.milliseconds }
    let date = try? CivilDate.parse(words)
    guard let next = date?.adding(days: 1),
      let midnight = site.book.machine.timekeeper.moment(of: next, seconds: 0)
    else { throw .badMember("around") }
    return midnight.milliseconds - 1
  }

  func historyDays() throws -> JSON {
    try site.refresh(saying: true)
    return .object(
      ("revision", .string(site.revisionName)),
      ("days", HistoryDays.json(of: site.present.entries, at: site.book.machine.timekeeper)))
  }

  func item(_ path: [String], _ query: Pairs) throws -> JSON {
    guard path.count == 1, let id = UniqueID(uuid: path[0]) else { throw PageFault.noSuchView }
    let moment = try ViewAddress(path: [], query: query).moment
    let page = try site.page(at: moment)
    return .object(
      [
        JSON.Member("revision", .string(site.revisionName)),
        JSON.Member("at", .words(moment.map { Instant.exactText($0) })),
      ] + (try ItemView(page: page).item(id)))
  }

  func stream(_ asked: Route.Asked) throws -> Answer {
    // A stream has no end, so HEAD is not allowed.
    guard asked.request.method == "GET" else { throw HTTPFault.methodNotAllowed }
    guard site.server?.streamCount ?? 0 < HTTPLimit.streams else { throw HTTPFault.unavailable }
    let query = asked.target.query
    let path = (query["view"] ?? "").split(separator: "/").map(String.init)
    let address = try ViewAddress(path: path, query: query)
    try site.refresh(saying: true)
    let since = asked.request.only("last-event-id") ?? query["since"]
    return .stream(try site.begin(address, since: since, on: asked.connection))
  }
}

/// Answers a server's requests for a page.
final class PageHost: WebHost {
  private let site: PageSite

  init(site: PageSite) { self.site = site }

  func answer(_ request: HTTPRequest, _ target: Target, on connection: UInt64) -> Answer {
    Router(site: site).answer(request, target, on: connection)
  }

  func ended(stream connection: UInt64) { site.ended(stream: connection) }

  func checkForCommits() { site.checkForCommits() }
}
