import DaybookSystem
import Glibc

/// A shopping list that several devices share.
@main struct Groceries {
  static let usage = """
    usage: daybook-example FOLDER [COMMAND]
      add THING…          put things on the list
      tick THING…         they are bought
      every THING RULE    buy a thing again and again, by a rule such as FREQ=WEEKLY;BYDAY=FR
      skip THING          do not buy it this time
      rename THING NAME   call a thing otherwise
      find TEXT           search everything in the book
      undo THING          undo the last command here that changed a thing
      history [THING]     who has changed what
      conflicts           what devices disagree about
      keep THING NUMBER   settle that by one of the values
      sync PLACE          with a folder, or with HOST:PORT
      serve [PORT]        invite a device, and let devices sync until Return is pressed
      join CODE           join the list of the device that has printed the code
    Without a command it shows what is still to be bought.
    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let folder = words.first else { return print(usage) }
    do {
      try await run(Array(words.dropFirst()), in: folder)
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  static func run(_ words: [String], in folder: String) async throws {
    let device = folder.split(separator: "/").last.map(String.init) ?? "groceries"
    let book = try await BookActor.opening(on: .system) { () throws(Book.Failure) in
      words.count == 2 && words[0] == "join"
        ? try Book.join(by: words[1], in: folder, on: .system, device: device)
        : try Book.open(folder, on: .system, device: device)
    }
    if words.first == "serve" {
      return await serve(book, port: words.dropFirst().first.flatMap { UInt16($0) } ?? 0)
    }
    let lines = try await book.perform { book in try ShoppingList(of: book).run(words) }
    for line in lines { print(line) }
  }
}
