import Bytes
import Phrasing

/// Renders the fields of a to-do as a form, for documents that need no script.
struct DetailsMarkup {
  let base: String
  /// The members that ``ItemView`` makes.
  let item: JSON
  /// The view to return to.
  let name: ViewAddress.Name
  /// The view to return to when the to-do is deleted.
  let list: String
  /// Whether the fields can be changed.
  let isNow: Bool

  var html: HTML {
    let fields = (item["fields"]?.array ?? []).map(field)
    let heading: HTML = .element("h2", [:], "Details")
    let content: [HTML] = [heading] + fields
    guard isNow else {
      return .element("fieldset", ["class": "account details fields", "disabled": ""], content)
    }
    let save: HTML = .element("button", ["class": "btn main"], "Save")
    return .group([
      .element(
        "form",
        ["class": "account details fields", "method": "post", "action": "\(base)do"],
        hidden("edit", back: name.text) + content + [save]), deeds,
    ])
  }

  private var deeds: HTML {
    let isOpen = item["state"]?.string == "open"
    var forms = [
      form(
        "done", [.hidden("done", isOpen ? "true" : "false")], isOpen ? "Done" : "Open again")
    ]
    if isOpen { forms.append(form("cancel", [], "Cancel to-do")) }
    forms.append(form("delete", back: list, [], "Delete", "btn danger"))
    return .element("div", ["class": "tools deeds"], forms)
  }

  private func form(
    _ command: String, back: String? = nil, _ more: [HTML], _ words: String,
    _ kind: String = "btn"
  ) -> HTML {
    .element(
      "form", ["method": "post", "action": "\(base)do"],
      hidden(command, back: back ?? name.text) + more
        + [.element("button", ["class": kind], HTML(words))])
  }

  private func hidden(_ command: String, back: String) -> [HTML] {
    [
      .hidden("back", back), .hidden("command", command),
      .hidden("id", item["id"]?.string ?? ""),
    ]
  }

  /// Returns a field with its label, and its value before the edit: only fields that differ are written.
  private func field(_ field: JSON) -> HTML {
    let name = field["name"]?.string ?? ""
    let value = field["value"]?.string ?? ""
    let hint = field["hint"]?.string
    let note: HTML =
      hint.map { .element("p", ["class": "meta", "id": "hint-\(name)"], HTML($0)) } ?? .nothing
    let label: HTML = .element(
      "label", ["for": "field-\(name)"], HTML(field["label"]?.string ?? ""))
    return .element(
      "div", [:], .hidden("was.\(name)", value), label, control(field, name, value), note)
  }

  private func control(_ field: JSON, _ name: String, _ value: String) -> HTML {
    let type = field["type"]?.string ?? ""
    let hint = field["hint"]?.string.map { _ in "hint-\(name)" }
    let options = field["options"]?.array ?? []
    // A browser removes line breaks from the value of an input, and the first one from a text area.
    if type == "lines" || value.contains(where: \.isNewline) {
      return .element(
        "textarea",
        ["class": "field", "id": "field-\(name)", "name": "field.\(name)", "rows": "3"],
        HTML("\n\(value)"))
    }
    if ["list", "priority"].contains(type) {
      return .element(
        "select", ["class": "field", "id": "field-\(name)", "name": "field.\(name)"],
        options.map { option($0, chosen: value) })
    }
    let input: HTML = .element(
      "input",
      [
        "class": "field", "id": "field-\(name)", "name": "field.\(name)", "value": value,
        "type": inputType(type, value), "dir": "auto", "aria-describedby": hint,
        "list": options.isEmpty ? nil : "list-\(name)",
      ])
    guard !options.isEmpty else { return input }
    let list: HTML = .element(
      "datalist", ["id": "list-\(name)"], options.map { option($0, chosen: nil) })
    return .group([input, list])
  }

  private func option(_ option: JSON, chosen: String?) -> HTML {
    let value = option["value"]?.string ?? ""
    return .element(
      "option", ["value": value, "selected": value == chosen ? "" : nil],
      HTML(option["words"]?.string ?? value))
  }

  /// Returns the type of the input for a value; an input for days cannot show a month or a year.
  private func inputType(_ type: String, _ value: String) -> String {
    let isWholeDay = value.isEmpty || value.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil
    switch type {
    case "date" where isWholeDay: return "date"
    case "time": return "time"
    default: return "text"
    }
  }
}
