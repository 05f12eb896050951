import Bytes
import Daybook
import Domain
import Phrasing

/// A request from a page to change the book, which consists of a command and its parameters.
struct Wish {
  /// The page's name for the wish; if a wish is sent twice, it is carried out once.
  let request: String
  let command: String
  private let json: JSON

  init(_ json: JSON) throws(PageFault) {
    guard let command = json["command"]?.string else { throw .badMember("command") }
    guard let request = json["request"]?.string, (1...64).contains(request.utf8.count) else {
      throw .badMember("request")
    }
    (self.request, self.command, self.json) = (request, command, json)
  }

  /// Reads a form, which is what a page without a script sends.
  ///
  /// A form sends all fields of a record, together with their values before the edit. The wish contains only the fields
  /// that differ.
  init(_ form: Pairs, request: String) throws(PageFault) {
    var members: [JSON.Member] = [JSON.Member("request", .string(request))]
    var fields: [JSON.Member] = []
    for name in form.names where name != "back" && !name.hasPrefix("was.") {
      // Browsers send line breaks as CR LF.
      let value = (form[name] ?? "").replacing("\r\n", with: "\n")
      if name.hasPrefix("field.") {
        let field = String(name.dropFirst(6))
        if form["was.\(field)"]?.replacing("\r\n", with: "\n") == value { continue }
        fields.append(JSON.Member(field, .string(value)))
      } else if ["done", "all"].contains(name) {
        members.append(JSON.Member(name, .boolean(value == "true")))
      } else if name != "request" {
        members.append(JSON.Member(name, .string(value)))
      }
    }
    members.append(JSON.Member("fields", .object(fields)))
    try self.init(.object(members))
  }

  func text(_ name: String) throws(PageFault) -> String {
    guard let text = json[name]?.string else { throw .badMember(name) }
    return text
  }

  func textOrNil(_ name: String) -> String? { json[name]?.string }

  /// Returns a list of texts; empty if there is none.
  func texts(_ name: String) throws(PageFault) -> [String] {
    try json.texts(name)
  }

  func flag(_ name: String) -> Bool { json[name]?.boolean ?? false }

  func number(_ name: String) throws(PageFault) -> Int64 {
    if let number = json[name]?.integer { return number }
    guard let text = json[name]?.string, let number = Int64(text) else { throw .badMember(name) }
    return number
  }

  /// Returns the id of a record.
  func id(_ name: String = "id") throws(PageFault) -> UniqueID {
    guard let text = json[name]?.string, let id = UniqueID(uuid: text) else {
      throw .badMember(name)
    }
    return id
  }

  /// Returns the dates of a repeating to-do that an edit applies to.
  func scope() throws(PageFault) -> Request.EditScope {
    switch json["scope"]?.string {
    case nil, "": .automatic
    case "this": .occurrence
    case "all": .series
    default: throw .badMember("scope")
    }
  }

  /// Returns the fields to write, by name.
  func fields() throws(PageFault) -> [(name: String, words: String)] {
    guard let members = json["fields"]?.members else { throw .badMember("fields") }
    var fields: [(name: String, words: String)] = []
    for member in members {
      guard let words = member.value.string else { throw .badMember(member.name) }
      fields.append((member.name, words))
    }
    return fields
  }
}

extension JSON {
  /// Returns the member with this name as a list of texts; empty if there is none.
  func texts(_ name: String) throws(PageFault) -> [String] {
    guard let member = self[name], member != .null else { return [] }
    guard let texts = member.array?.map(\.string), !texts.contains(nil) else {
      throw .badMember(name)
    }
    return texts.compactMap(\.self)
  }
}

/// The answers to the latest wishes, for pages that repeat a wish because they have received no answer.
struct WishMemory {
  private static let kept = 256

  private var answers: [String: JSON] = [:]
  private var order: [String] = []

  subscript(request: String) -> JSON? { answers[request] }

  mutating func remember(_ answer: JSON, to request: String) {
    if answers.updateValue(answer, forKey: request) == nil { order.append(request) }
    if order.count > Self.kept { answers[order.removeFirst()] = nil }
  }
}
