import Bytes
import Phrasing

/// Renders the fields of a to-do as a form, for documents that need no script.
struct DetailsMarkup {
  let base: String
  /// The members that ``ItemView`` returns.
  let item: JSON
  /// The view to return to.
  let name: ViewAddress.Name
  /// The path to return to when the to-do no longer has a leaf.
  let back: String
  /// Whether the fields can be changed.
  let isNow: Bool

  var html: HTML {
    let fields = (item["fields"]?.array ?? []).map(field)
    let heading: HTML = .element("h2", [:], "Details")
    let content: [HTML] = [heading, scope] + fields
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

  /// The choice of which dates the edit changes, if the to-do repeats.
  private var scope: HTML {
    guard let scope = item["scope"], scope != .null else { return .nothing }
    return labelled(scope, "scope", choice(scope, "scope", "scope", ""))
  }

  private var deeds: HTML {
    .element("div", ["class": "tools deeds"], (item["actions"]?.array ?? []).map(form))
  }

  /// Returns a form with one button.
  private func form(_ action: JSON) -> HTML {
    let command = action["command"]?.string ?? ""
    let own = ["command", "words", "leaves"]
    let more = (action.members ?? []).filter { !own.contains($0.name) }
    let hidden =
      hidden(command, back: action["leaves"]?.boolean == true ? back : name.text)
      + more.map { .hidden($0.name, $0.value.string ?? $0.value.text()) }
    return .element(
      "form", ["method": "post", "action": "\(base)do"],
      hidden + [
        .element(
          "button", ["class": command == "delete" ? "btn danger" : "btn"],
          HTML(action["words"]?.string ?? ""))
      ])
  }

  private func hidden(_ command: String, back: String) -> [HTML] {
    [
      .hidden("back", back), .hidden("command", command),
      .hidden("id", item["id"]?.string ?? ""),
    ]
  }

  /// Returns a field with its label and the value before the edit, which is needed because only fields that differ are
  /// written.
  private func field(_ field: JSON) -> HTML {
    let name = field["name"]?.string ?? ""
    let value = field["value"]?.string ?? ""
    return .group([
      .hidden("was.\(name)", value), labelled(field, name, control(field, name, value)),
    ])
  }

  private func labelled(_ field: JSON, _ name: String, _ control: HTML) -> HTML {
    let hint = field["hint"]?.string
    let note: HTML =
      hint.map { .element("p", ["class": "meta", "id": "hint-\(name)"], HTML($0)) } ?? .nothing
    let label: HTML = .element(
      "label", ["for": "field-\(name)"], HTML(field["label"]?.string ?? ""))
    return .element("div", [:], label, control, note)
  }

  private func control(_ field: JSON, _ name: String, _ value: String) -> HTML {
    let type = field["type"]?.string ?? ""
    let hint = field["hint"]?.string.map { _ in "hint-\(name)" }
    let options = field["options"]?.array ?? []
    // A browser removes all line breaks from the value of an input, and the first line break from the value of a text
    // area.
    if type == "lines" || value.contains(where: \.isNewline) {
      return .element(
        "textarea",
        ["class": "field", "id": "field-\(name)", "name": "field.\(name)", "rows": "3"],
        HTML("\n\(value)"))
    }
    if ["list", "priority"].contains(type) { return choice(field, name, "field.\(name)", value) }
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

  private func choice(_ field: JSON, _ name: String, _ parameter: String, _ value: String) -> HTML {
    .element(
      "select",
      [
        "class": "field", "id": "field-\(name)", "name": parameter,
        "aria-describedby": field["hint"]?.string.map { _ in "hint-\(name)" },
      ], (field["options"]?.array ?? []).map { option($0, chosen: value) })
  }

  private func option(_ option: JSON, chosen: String?) -> HTML {
    let value = option["value"]?.string ?? ""
    return .element(
      "option", ["value": value, "selected": value == chosen ? "" : nil],
      HTML(option["words"]?.string ?? value))
  }

  /// Returns the input type for a value.
  ///
  /// An input for days cannot show a month or a year.
  private func inputType(_ type: String, _ value: String) -> String {
    let isWholeDay = value.isEmpty || value.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil
    switch type {
    case "date" where isWholeDay: return "date"
    case "time": return "time"
    default: return "text"
    }
  }
}
