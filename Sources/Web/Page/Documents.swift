import Bytes
import Daybook
import Phrasing
import Platform

/// Makes the documents for browsers.
///
/// The documents also work without scripts.
struct PageDocuments {
  let site: PageSite

  private static let documentFields = [
    ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
  ]

  /// Returns a leaf as a document, including the text of a refused addition, if any.
  func leaf(
    _ address: ViewAddress, refusing refusal: LeafMarkup.Refusal? = nil
  ) throws -> HTTPResponse {
    try site.refresh(saying: true)
    let page = try site.page(at: address.moment)
    let view = try site.view(address, on: page)
    var markup = LeafMarkup(base: site.base, address: address, view: view, refusal: refusal)
    if case .todo(let id) = address.name {
      let item = JSON.object(try ItemView(page: page).item(id))
      markup.details =
        DetailsMarkup(
          base: site.base, item: item, name: address.name, back: view.head.back ?? "",
          isNow: page.isNow
        ).html
    }
    let shell = Shell(
      base: site.base, build: site.assets.build, title: view.head.title, address: address,
      revision: site.revisionName, status: try site.status())
    return HTTPResponse(
      200, "OK", fields: Self.documentFields, body: shell.document(markup.html))
  }

  /// Returns a problem as a document.
  func problem(_ problem: Problem) -> HTTPResponse {
    let shell = Shell(
      base: site.base, build: site.assets.build, title: "Not done", address: ViewAddress(.settings),
      revision: site.revisionName, status: try? site.status())
    let leaf: HTML = .element(
      "div", ["class": "leaf"],
      .element(
        "header", ["class": "head pair"], .element("div", ["class": "edge"]),
        .element(
          "div", ["class": "what"], .element("h1", ["tabindex": "-1"], "That did not work"),
          .element("p", ["class": "line", "role": "alert"], HTML(problem.message)),
          .element("p", [:], .element("a", ["href": site.base], "Back to today")))))
    return HTTPResponse(
      problem.status, problem.reason, fields: Self.documentFields,
      body: shell.document(leaf))
  }

  /// Carries out the wish in a form, and redirects to the form's page.
  func performForm(_ asked: Route.Asked) throws -> Answer {
    guard asked.request.contentType == "application/x-www-form-urlencoded" else {
      throw HTTPFault.unsupportedMediaType
    }
    let body = String(validating: asked.request.body, as: UTF8.self)
    guard let form = body.flatMap({ Pairs($0) }) else { throw PageFault.badMember("form") }
    // A form has no request name, so if it is sent twice, it is carried out twice.
    let request = Hex.encode(Array(site.book.machine.dice.bytes(16)))
    let path = (form["back"] ?? "").split(separator: "/").map(String.init)
    let back = ViewAddress.Name(path) ?? .today
    do {
      _ = try DeedPerformer(site: site).perform(try Wish(form, request: request))
    } catch {
      guard form["command"] == "add", let text = form["text"] else { throw error }
      return .whole(try refusal(of: text, on: back, because: Problem(error)))
    }
    return .whole(
      HTTPResponse(
        303, "See Other",
        fields: [("Location", site.base + back.path), ("Cache-Control", "no-store")]))
  }

  /// Returns the leaf on which an addition was refused, with the entered text and the reason.
  private func refusal(
    of text: String, on name: ViewAddress.Name, because problem: Problem
  ) throws -> HTTPResponse {
    var response = try leaf(
      ViewAddress(name), refusing: .init(text: text, reason: problem.message))
    (response.status, response.reason) = (problem.status, problem.reason)
    return response
  }
}
