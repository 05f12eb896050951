import Bytes
import Daybook
import Phrasing
import Platform
import QR
import Syncing

/// Makes an invitation, and shows it as text and, where a camera may look on, as a QR code.
struct InviteDevice {
  let context: CommandContext
  /// Where others reach this machine, if that is elsewhere.
  let address: Endpoint?
  /// Whether the code was asked for, or declined.
  let wantsCode: Bool
  let declinesCode: Bool

  func run() throws {
    if wantsCode, declinesCode { throw UsageFault.contradiction("--qr", "--no-qr") }
    if wantsCode, context.output.isJSON { throw UsageFault.contradiction("--qr", "--json") }
    let book = try context.book()
    let invited = try book.invitations.invite(at: address)
    if context.output.isJSON {
      answer(invited)
    } else {
      context.output.say(
        "On the other machine, within ten minutes, say 'daybook join' and give it this:\n")
      context.output.answer(["  \(invited.invitation.text)"])
      context.output.say("\nIt lets one device in, once. Show it to nobody else.")
    }
    try noteWays(to: invited.invitation.endpoint, invited.alternatives, book)
    if showsCode { showCode(of: invited.invitation) }
  }

  private func answer(_ invited: Invited) {
    let others = invited.alternatives.map { JSON.string($0.text) }
    context.output.answer(
      .object(
        ("invitation", .string(invited.invitation.text)),
        ("address", .string(invited.invitation.endpoint.text)),
        ("alternatives", .array(others)), ("until", .string(Instant.text(invited.end)))))
  }

  /// Says what may be in the way to an address.
  private func noteWays(to endpoint: Endpoint, _ others: [Endpoint], _ book: Book) throws {
    if !others.isEmpty {
      context.output.note(
        "the invitation says \(endpoint.text), and this machine has other addresses. To choose: "
          + others.map { "daybook invite --address \($0.text)" }.joined(separator: ", or "))
    }
    let served = try book.service.served()
    if endpoint.isLoopback {
      // Who serves everywhere has chosen this address.
      let advice =
        served == endpoint ? " For others: daybook serve --listen 0.0.0.0:\(endpoint.port)" : ""
      context.output.note("only this machine itself reaches \(endpoint.text).\(advice)")
    }
    if served == nil {
      context.output.note(
        "this book is not being served yet. Start 'daybook serve' before the other device joins.")
    }
  }

  // MARK: The code

  private var showsCode: Bool {
    let globals = context.invocation.globals
    if wantsCode || declinesCode { return wantsCode }
    return context.environment.streams.isOutputTerminal && !context.environment.isDumb
      && !globals.isJSON && !globals.isQuiet && !globals.isPlain
  }

  /// Draws it below all else, so that the whole code is on the terminal when the command ends.
  private func showCode(of invitation: Invitation) {
    // In capitals, of which a code holds more; 'join' reads letters of either case.
    guard let code = QRCode(invitation.text.uppercased()) else {
      preconditionFailure("the longest invitation fits into a code")
    }
    guard let drawing = CodeDrawing(code, on: context.environment.streams.size) else {
      let (columns, lines) = CodeDrawing.least(for: code)
      return context.output.note(
        "the terminal is too small for the QR code, which takes \(columns) columns and \(lines) lines."
      )
    }
    let paint = context.output.paint
    context.output.say(
      paint.isOn ? "\nOr scan it:\n" : "\nOr scan it; with --color it is black on white:\n")
    context.output.answer(drawing.lines(paint))
  }
}
