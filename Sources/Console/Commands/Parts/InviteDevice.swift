import Bytes
import Daybook
import Phrasing
import Platform
import QR
import Syncing

/// Makes an invitation, and shows it as text and as a QR code, by default only on a terminal.
struct InviteDevice {
  let context: CommandContext
  /// The address at which other machines reach this machine; nil for the address at which the book is served.
  let address: MachineAddress?
  /// Whether the user requested or declined the QR code.
  let wantsCode: Bool
  let declinesCode: Bool

  /// Makes an invitation to this machine, or to the sealed store with the given name.
  func run(through store: String? = nil, asking isAsking: Bool = true) throws {
    if wantsCode, declinesCode { throw UsageFault.contradiction("--qr", "--no-qr") }
    if wantsCode, context.output.isJSON { throw UsageFault.contradiction("--qr", "--json") }
    if let store {
      return try InviteThroughStore(context: context).run(store, asking: isAsking) { text in
        if showsCode { showCode(of: text) }
      }
    }
    let book = try context.book()
    let invited = try book.invitations.invite(at: address)
    if context.output.isJSON {
      answer(invited)
    } else {
      context.output.say(
        "On the other machine, within ten minutes, run 'daybook join' and enter this:\n")
      context.output.answer(["  \(invited.invitation.text)"])
      context.output.say("\nThe invitation admits one device, once. Keep it private.")
    }
    try noteWays(to: invited.invitation.address, invited.alternatives, book)
    if showsCode { showCode(of: invited.invitation.text) }
  }

  private func answer(_ invited: Invited) {
    let others = invited.alternatives.map { JSON.string($0.text) }
    context.output.answer(
      .object(
        ("invitation", .string(invited.invitation.text)),
        ("address", .string(invited.invitation.address.text)),
        ("alternatives", .array(others)), ("until", .string(Instant.text(invited.end)))))
  }

  /// Reports conditions that may prevent other machines from reaching an address.
  private func noteWays(to address: MachineAddress, _ others: [MachineAddress], _ book: Book) throws
  {
    // With ssh, nothing has to be served.
    guard let endpoint = address.endpoint else { return }
    if !others.isEmpty {
      context.output.note(
        "the invitation uses \(endpoint.text), but this machine has other addresses. To choose one, run: "
          + others.map { "daybook invite --address \($0.text)" }.joined(separator: ", or "))
    }
    let served = try book.service.served()
    if endpoint.isLoopback {
      // If the book is served at a different address, the user has chosen this address and needs no advice.
      let advice =
        served == endpoint
        ? " To let other machines connect, run 'daybook serve --listen 0.0.0.0:\(endpoint.port)', and then invite again."
        : ""
      context.output.note("only this machine can reach \(endpoint.text).\(advice)")
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

  /// Draws the QR code.
  ///
  /// The code is the last output, so all of it is on the terminal when the command ends.
  private func showCode(of invitation: String) {
    // A code has space for more uppercase than lowercase letters; `join` accepts both.
    guard let code = QRCode(invitation.uppercased()) else {
      return context.output.note("the invitation is too long for a QR code.")
    }
    guard let drawing = CodeDrawing(code, on: context.environment.streams.size) else {
      let (columns, lines) = CodeDrawing.least(for: code)
      return context.output.note(
        "the terminal is too small for the QR code, which needs \(columns) columns and \(lines) lines."
      )
    }
    let paint = context.output.paint
    context.output.say(
      paint.isOn
        ? "\nOr scan this QR code:\n"
        : "\nOr scan this QR code (--color prints it black on white):\n")
    context.output.answer(drawing.lines(paint))
  }
}
