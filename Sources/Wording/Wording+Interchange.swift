import Bytes
import Domain
package import Interchange

extension OperationFault {
  /// The fault of a line, without a full stop.
  package var text: String {
    switch self {
    case .tooLong(let bytes):
      "it is longer than \(bytes) bytes, the limit for an operation; look for a missing line break"
    case .notJSON(let fault): "it is not JSON: \(fault.text)"
    case .notAnObject: "it is not a JSON object"
    case .missing(let key): "it has no \"\(key)\""
    case .badKey(let key): "\"\(key.visible)\" has an invalid value"
    case .badTime:
      "\"t\" must be an instant such as 2026-12-24T18:00:00Z, or a number of milliseconds since 1970"
    case .unknownOperation(let name): "\"op\" cannot be '\(name.visible)'"
    case .unknownKind(let name): "\"kind\" cannot be '\(name.visible)'"
    case .unknownField(let kind, let name): "a \(kind.name) has no field '\(name.brief())'"
    case .repeated(let name): "'\(name.brief())' appears twice"
    case .badValue(let kind, let name, let reason):
      "the \(name.visible) of a \(kind.name) \(reason.text)"
    case .provenanceTooLong(let bytes):
      "its unknown keys and their values take up more than \(bytes) bytes; remove some of them, and import the file again"
    case .unknownID(let kind, let id): "there is no \(kind.name) '\(id.visible)'"
    case .unknownReference(let kind, let field, let id):
      "the \(field.visible) '\(id.visible)' of the \(kind.name) does not exist"
    case .addedBefore(let kind, let id, let field):
      "the \(kind.name) '\(id.visible)' was added earlier in the file with a different \(field.visible); "
        + "give this record an id of its own, or change the earlier record with an edit operation"
    case .closesNoDate(let id):
      "the to-do '\(id.visible)' repeats, so its dates are closed one by one; to close one, add a to-do with "
        + "'\(id.visible)' as 'series' and the date as 'slot'"
    case .dead(let kind, let id): "the \(kind.name) '\(id.visible)' is deleted"
    case .refused(let refusal): refusal.text.trimmingStop
    }
  }
}

extension OperationFault.Reason {
  fileprivate var text: String {
    switch self {
    case .value(let fault): fault.text
    case .date(let error): "is not a date: \(error.text(of: "it").trimmingStop)"
    }
  }
}

extension JSONError {
  fileprivate var text: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .unexpected(let offset): "unexpected content at byte \(offset)"
    case .invalidText(let offset): "invalid text at byte \(offset)"
    case .invalidNumber(let offset): "invalid number at byte \(offset)"
    case .duplicateName(let name): "'\(name.brief())' appears twice"
    case .tooDeep(let offset): "nested more than \(JSON.depthLimit) levels deep at byte \(offset)"
    }
  }
}

extension String {
  /// The sentence without its full stop.
  fileprivate var trimmingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
