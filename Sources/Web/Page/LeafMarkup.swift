import Bytes
import Domain
import Phrasing
import ReadModel

/// Renders a view as a document that needs no script, with forms in place of scripted controls.
struct LeafMarkup {
  let base: String
  let address: ViewAddress
  let view: PageView
  /// The addition that was refused, with the reason.
  var refusal: Refusal?
  /// The fields of the record that the view is about, if the view shows them.
  var details = HTML.nothing

  struct Refusal {
    var text: String
    var reason: String
  }

  var html: HTML {
    var parts = [head]
    if view.more["canSearch"]?.boolean == true { parts.append(search) }
    if let adding = view.adding { parts.append(form(adding)) }
    let rows = RowMarkup(base: base, address: address)
    for section in view.sections {
      let list: HTML = .element("ul", ["class": "rows"], section.rows.map(rows.html))
      let title = section.key.title
      parts.append(
        title.isEmpty
          ? .element("div", ["class": "part"], list)
          : .element(
            "section", ["class": "part", "aria-label": title],
            .element("h2", [:], HTML(title)), list))
    }
    if let rest = view.more["rest"]?.string { parts.append(link(toRest: rest)) }
    if let question = view.more["question"] { parts.append(draw(question)) }
    if let empty = view.empty { parts.append(nothing(empty)) }
    parts.append(details)
    let folio: HTML = .element(
      "p", ["class": "folio"], .element("span", ["class": "sr"], "Entry "), HTML("\(view.folio)"))
    return .element("div", ["class": "leaf"], parts + [folio])
  }

  private var head: HTML {
    let head = view.head
    let back: HTML =
      head.back.map { back in
        .element(
          "a",
          [
            "class": "back", "aria-label": "Back",
            "href": base + (back == "questions" ? "choose" : back) + address.query,
          ], .icon("back", base))
      } ?? .nothing
    return .element(
      "header", ["class": "head pair"],
      .element(
        "div", ["class": "edge"], back,
        .optional("span", (head.margin?.count ?? 0) > 2 ? "fig long" : "fig", head.margin),
        .optional("span", "under", head.under)),
      .element(
        "div", ["class": "what"],
        .element(
          "div", ["class": "title-line"],
          .element("h1", ["tabindex": "-1", "dir": "auto"], HTML(head.title))),
        .optional("p", "line", head.line), parent))
  }

  /// The link to the parent of a sub-task.
  private var parent: HTML {
    guard let parent = view.more["parent"], let id = parent["id"]?.string else { return .nothing }
    return .element(
      "p", ["class": "line"],
      .element(
        "a", ["class": "btn small", "href": "\(base)todos/\(id)\(address.query)"],
        .element("bdi", [:], HTML(parent["words"]?.string ?? ""))))
  }

  private func form(_ adding: PageView.Adding) -> HTML {
    var hidden: [HTML] = [
      .hidden("back", address.name.text), .hidden("command", "add"),
      .hidden("kind", adding.kinds.count > 1 ? "any" : adding.kinds.first ?? "todo"),
    ]
    if let list = adding.list { hidden.append(.hidden("list", list)) }
    if let parent = adding.parent { hidden.append(.hidden("under", parent.uuid)) }
    if case .question(let id) = address.name { hidden.append(.hidden("question", id.uuid)) }
    let line: HTML = .element(
      "div", ["class": "write"],
      .element(
        "input",
        [
          "class": "text", "name": "text", "aria-label": adding.placeholder,
          "placeholder": adding.placeholder, "dir": "auto", "value": refusal?.text,
        ]), .element("button", ["class": "btn"], "Add"))
    let fault: HTML =
      refusal.map { refusal in
        .element("p", ["class": "fault", "role": "alert"], HTML(refusal.reason))
      } ?? .nothing
    return .element(
      "form",
      [
        "class": "add pair", "method": "post", "action": "\(base)do", "aria-label": "Quick add",
      ],
      hidden + [
        .element("div", ["class": "edge"], .icon("plus", base)),
        .element("div", ["class": "what"], line, fault),
      ])
  }

  /// Returns the link to the to-dos that the list omits or, if they are shown, back to the open to-dos.
  private func link(toRest words: String) -> HTML {
    let path = base + address.name.path + address.query
    let all = (address.query.isEmpty ? "?" : "&") + "show=all"
    return .element(
      "p", ["class": "rest"],
      .element("a", ["href": address.showsAll ? path : path + all], HTML(words)))
  }

  private var search: HTML {
    .element(
      "form", ["class": "tools", "method": "get", "action": base + address.name.path],
      .element(
        "input",
        ["name": "find", "aria-label": "Search this list", "value": address.finding]),
      .element("button", ["class": "btn"], "Search"))
  }

  /// Returns the button that draws, or the reason why there is none, together with the last answer.
  private func draw(_ question: JSON) -> HTML {
    var parts: [HTML] = []
    if question["canPick"]?.boolean == true, let id = question["id"]?.string {
      parts.append(
        .element(
          "form", ["method": "post", "action": "\(base)do"],
          [
            .hidden("back", address.name.text), .hidden("id", id), .hidden("command", "pick"),
            .element("button", ["class": "btn main choose"], "Choose"),
          ]))
    }
    parts.append(.optional("p", "meta", question["reason"]?.string))
    if let answer = question["answer"]?["title"]?.string {
      parts += [
        .element("p", ["class": "meta"], HTML("The answer to \(view.head.title) is")),
        .element("p", ["class": "answer"], .element("bdi", [:], HTML(answer))),
      ]
      parts.append(.optional("p", "meta", question["answer"]?["words"]?.string))
    }
    return .element("div", ["class": "draw"], parts)
  }

  private func nothing(_ empty: PageView.Empty) -> HTML {
    .element(
      "div", ["class": "empty"], .picture("pic-\(empty.picture)", "picture", base),
      .element("p", ["class": "say"], HTML(empty.sentence)), .optional("p", "hint", empty.hint))
  }
}

extension HTML {
  static func hidden(_ name: String, _ value: String) -> HTML {
    .element("input", ["type": "hidden", "name": name, "value": value])
  }

  /// Returns an element around the given text, or nothing if the text is nil.
  static func optional(_ element: StaticString, _ kind: String, _ text: String?) -> HTML {
    text.map { .element(element, ["class": kind], HTML($0)) } ?? .nothing
  }
}
