import Bytes
import Domain
import Phrasing

/// Renders rows of all kinds for documents that need no script.
struct RowMarkup {
  let base: String
  let address: ViewAddress

  func html(_ row: PageRow) -> HTML {
    let isCard = row.kind == "list" || row.kind == "question"
    let classes = [
      "row pair", row.kind, isCard ? "card" : "", row.isClosed == true ? "done" : "",
      row.more["place"]?.string ?? "",
    ]
    return .element(
      "li",
      [
        "class": classes.filter { !$0.isEmpty }.joined(separator: " "), "data-row": row.rowID,
        "data-id": row.id?.uuid, "aria-level": row.depth > 0 ? "\(row.depth + 1)" : nil,
      ], .element("div", ["class": "edge"], edge(of: row)),
      .element("div", ["class": "what"], what(of: row)))
  }

  private func edge(of row: PageRow) -> HTML {
    switch row.kind {
    case "list":
      return HTML(row.more["open"]?.integer.flatMap { $0 > 0 ? "\($0)" : nil } ?? "–")
    case "choice": return HTML(row.more["percent"]?.string ?? "")
    case "strip": return .icon("conflicts", base)
    default:
      guard let when = row.when else { return .nothing }
      let tone = when.tone.rawValue
      guard let date = when.date else { return .element("span", ["class": tone], HTML(when.text)) }
      return .element("time", ["datetime": date.iso, "class": tone], HTML(when.text))
    }
  }

  private func what(of row: PageRow) -> [HTML] {
    var parts: [HTML] = []
    if row.kind == "todo" { parts += [tick(row), priority(of: row)] }
    parts.append(
      .element("div", ["class": "two"], title(of: row), .optional("span", "meta", meta(of: row))))
    if let parent = row.parentTitle {
      parts.append(.element("span", ["class": "sr"], HTML("sub-task of \(parent)")))
    }
    if let repeats = row.repeats { parts.append(mark(repeats)) }
    if row.isInConflict { parts.append(warning(row)) }
    if let list = row.list {
      parts.append(
        .element(
          "span", ["class": "in"], .element("i", ["class": "swatch"]), .name(list.title)))
    }
    if let words = row.more["in"]?.string {
      parts.append(
        .element(
          "div", ["class": "turns meta"], .optional("div", "", row.more["turns"]?.string),
          .element("div", [:], HTML(words))))
    }
    if let number = row.more["n"]?.integer {
      parts.append(.element("span", ["class": "n"], HTML("\(number)")))
    }
    parts.append(.optional("span", "state", row.more["stateWords"]?.string))
    parts += sides(of: row)
    let isDeletable = ["todo", "birthday", "choice"].contains(row.kind) && !row.isOccurrence
    if address.moment == nil, row.id != nil, isDeletable {
      parts.append(
        form(
          "delete", row, [],
          .element("button", ["class": "btn small", "aria-label": "Delete \(row.title)"], "Delete")
        ))
    }
    return parts
  }

  private func title(of row: PageRow) -> HTML {
    let path: String? =
      switch row.kind {
      case "list": "lists/\(row.id?.uuid ?? "none")"
      case "question": row.id.map { "choose/\($0.uuid)" }
      case "todo": row.id.map { "todos/\($0.uuid)" }
      case "strip": "conflicts"
      default: nil
      }
    let verb: [HTML] = row.more["verb"]?.string.map { [HTML("\($0) ")] } ?? []
    let name: HTML = .name(row.title)
    if let path {
      return .element(
        "a", ["class": "title", "href": base + path + address.query], verb + [name])
    }
    return .element("span", ["class": "title"], verb + [name])
  }

  private func meta(of row: PageRow) -> String? {
    let preview = row.more["preview"]?.array?.compactMap(\.string).joined(separator: " · ")
    let answer = row.more["answer"]?.string.map { "The answer was \($0)" }
    let subject = row.more["subject"]?.string
    let words = [row.note, row.more["rest"]?.string, preview, answer, subject].compactMap(\.self)
      .filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }

  private func priority(of row: PageRow) -> HTML {
    guard let priority = row.priority, priority != .normal else { return .nothing }
    let words = priority.words
    return .element(
      "span", ["class": "pri"], .element("i", ["class": "dot \(words)"]),
      .element("span", ["aria-hidden": "true"], HTML(words.prefix(1).uppercased())),
      .element("span", ["class": "sr"], HTML("\(words) priority")))
  }

  private func mark(_ repeats: PageRow.Repeats) -> HTML {
    .element(
      "span", ["class": "in", "title": repeats.words], .icon("repeat", base),
      .element("span", ["class": "sr"], HTML(repeats.words)), HTML(repeats.missed ?? ""))
  }

  private func warning(_ row: PageRow) -> HTML {
    .element(
      "a",
      [
        "class": "warn", "href": "\(base)conflicts\(address.query)",
        "aria-label": "Conflict in \(row.title)",
      ], .icon("conflicts", base))
  }

  /// Returns the sides of a conflict.
  private func sides(of row: PageRow) -> [HTML] {
    let canSettle = row.more["canSettle"]?.boolean == true
    return (row.more["sides"]?.array ?? []).map { side in
      let words = ["device", "value", "detail"].compactMap { side[$0]?.string }
      let text = HTML(words.joined(separator: " · "))
      guard canSettle, let take = side["take"]?.string else { return .element("p", [:], text) }
      let field = row.more["field"]?.string.map { [HTML.hidden("field", $0)] } ?? []
      return form(
        "settle", row, field + [.hidden("take", take)],
        .element("button", ["class": "btn"], text))
    }
  }

  private func tick(_ row: PageRow) -> HTML {
    guard address.moment == nil else { return .nothing }
    let isClosed = row.isClosed == true
    let state = row.isCancelled ? " done cancelled" : isClosed ? " done" : ""
    return form(
      "done", row, [.hidden("done", isClosed ? "false" : "true")],
      .element(
        "button",
        [
          "class": "check\(state)",
          "aria-label": "\(isClosed ? "Open again" : "Done"): \(row.title)",
        ]))
  }

  /// Returns a form with one command for a row.
  private func form(_ command: String, _ row: PageRow, _ more: [HTML], _ button: HTML) -> HTML {
    .element(
      "form", ["method": "post", "action": "\(base)do"],
      [
        .hidden("back", address.name.text), .hidden("command", command),
        .hidden("id", row.id?.uuid ?? ""),
      ] + more + [button])
  }
}

extension HTML {
  /// Returns text from the user, isolated because it may be written in either direction.
  fileprivate static func name(_ text: String) -> HTML { .element("bdi", [:], HTML(text)) }
}
