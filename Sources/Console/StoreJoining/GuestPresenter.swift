import Bytes
import Daybook
import Phrasing
import Syncing

/// Reports the devices that ask to join through a sealed store, and asks the user about them.
struct GuestPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// How devices are received that present an invitation: on a terminal, the user is asked.
  var greeting: GuestGreeting {
    if context.opener.trial != nil { return .later }
    guard context.environment.streams.isInputTerminal else { return .admit }
    return output.isAnswering ? .ask(isWelcome) : .later
  }

  private func isWelcome(_ device: PendingDevice) -> Bool {
    output.confirms(
      "\(device.name.visible) asks to join through \(device.address.visible), and presented the invitation "
        + "and a key whose words are \(device.words.joined(separator: "-")).\n"
        + "Compare the words with those on its screen. Admit it?")
  }

  func tell(_ guests: [StoreGuest]) {
    for guest in guests {
      let words = guest.words.joined(separator: "-")
      switch guest.fate {
      case .admitted(let name):
        let verb = context.opener.trial == nil ? "Admitted" : "Would admit"
        output.say("\(verb) \(name.visible) (\(words)). It joins at its next 'daybook sync'.")
      case .refused(let code):
        output.note(
          "\(guest.name.visible) (\(words)) was not admitted, because \(code.callerWords).")
      case .waiting:
        output.note(
          "\(guest.name.visible) (\(words)) asks to join by an invitation. "
            + "To answer, run 'daybook sync' on a terminal.")
      }
    }
  }
}

extension StoreGuest {
  var json: JSON {
    let state: String
    var given = name
    switch fate {
    case .admitted(let name): (state, given) = ("admitted", name)
    case .refused: state = "refused"
    case .waiting: state = "waiting"
    }
    return .object(
      ("name", .string(given)), ("fingerprint", .string(words.joined(separator: "-"))),
      ("state", .string(state)))
  }
}
