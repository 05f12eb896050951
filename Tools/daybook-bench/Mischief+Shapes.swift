import Bytes
import Crypto
import Domain
import Journaling

extension Mischief {
  /// A kind of hostile history: its name, the number of logs that it needs, and a closure that writes such a history.
  struct Shape: Sendable {
    let name: String
    var logs = 1
    let write: @Sendable (inout Mischief, Int) -> Void

    init(_ name: String, logs: Int = 1, _ write: @escaping @Sendable (inout Mischief, Int) -> Void)
    {
      (self.name, self.logs, self.write) = (name, logs, write)
    }
  }

  /// All shapes, each of which writes about as many events as requested.
  static let shapes =
    joins + parents + [
      Shape("field of one log") { mischief, count in
        let todo = mischief.add()
        for number in 0..<count {
          mischief.write(.edit, .entity(todo), [Write(Field.Todo.title, .text("\(number)"))])
        }
      },
      Shape("field of 16 logs", logs: 16) { mischief, count in
        let todo = mischief.add()
        for number in 0..<count {
          let log = number % 16
          if log > 0, number < 16 { mischief.see(0, from: log) }
          let writes = [Write(Field.Todo.title, .text("\(number)"))]
          mischief.write(.edit, .entity(todo), writes, in: log)
        }
      },
      Shape("fields, the last first") { mischief, count in
        let todo = mischief.add()
        for number in 0..<count {
          let field = Field(rawValue: Int64(100 + count - number))
          mischief.write(.edit, .entity(todo), [Write(field, .integer(1))])
        }
      },
      Shape("fields of joined records") { mischief, count in
        let first = mischief.add()
        for number in 0..<count / 2 {
          let todo = mischief.add(.todo, [Write(Field(rawValue: Int64(100 + number)), .integer(1))])
          _ = mischief.join(first, todo)
        }
      },
      Shape("tags and notes") { mischief, count in
        let tags = (0..<64).map { "tag \($0)" }
        for number in 0..<count / 8 {
          _ = mischief.add(
            .todo, [Write(.note, .text("note \(number)")), Write(.tags, .texts(tags))])
        }
      },
      Shape("values of joined records") { mischief, count in
        let first = mischief.add()
        for number in 0..<count / 2 {
          _ = mischief.join(
            first, mischief.add(.todo, [Write(Field.Todo.title, .text("\(number)"))]))
        }
      },
      Shape("deletes and restores", logs: 2) { mischief, count in
        let todo = mischief.add()
        mischief.see(0, upTo: 3, from: 1, missing: [2...2])
        _ = mischief.add(.todo, in: 1)
        for number in 0..<count {
          mischief.write(number % 2 == 0 ? .delete : .restore, .entity(todo))
        }
      },
      Shape("disputes of joined records", logs: 2) { mischief, count in
        let first = mischief.add()
        mischief.see(0, upTo: UInt64(count), from: 1)
        for _ in 0..<count / 4 {
          let todo = mischief.add()
          _ = mischief.join(first, todo)
          mischief.write(.edit, .entity(todo), [Write(Field.Todo.done, .boolean(true))])
          mischief.write(.delete, .entity(todo), in: 1)
        }
      },
      Shape("seen events, with gaps", logs: 2) { mischief, count in
        let odd = (0..<UInt64(count / 2)).map { 2 * $0 + 5...2 * $0 + 5 }
        mischief.see(0, upTo: UInt64(count + 10), from: 1, missing: odd)
        let todo = mischief.add(.todo, in: 1)
        for number in 0..<count / 2 {
          mischief.see(0, upTo: UInt64(2 * number + 5), from: 1)
          mischief.write(.edit, .entity(todo), [Write(Field.Todo.done, .boolean(true))], in: 1)
          _ = mischief.add()
        }
      },
      Shape("picks with draws") { mischief, count in
        let question = mischief.add(.question)
        let entries = (0..<16).map { Draw.Entry(id: .init(high: 0, low: $0), weight: 1) }
        guard let draw = try? Draw(entries, dice: { 5 }) else { return }
        for _ in 0..<count / 8 {
          let owner = Write(.owner, .reference(question))
          _ = mischief.add(.pick, [owner, Write(Field.Pick.draw, .bytes(draw.encoded))])
        }
      },
    ] + trusting

  private static let joins = [
    Shape("aliases in a chain") { mischief, count in
      var last = mischief.add()
      for _ in 0..<count / 2 {
        let todo = mischief.add()
        _ = mischief.join(last, todo)
        last = todo
      }
    },
    Shape("aliases in a star") { mischief, count in
      let first = mischief.add()
      for _ in 0..<count / 2 { _ = mischief.join(first, mischief.add()) }
    },
    Shape("aliases of all pairs") { mischief, count in
      let todos = (0..<Int(Double(2 * count).squareRoot())).map { _ in mischief.add() }
      for one in todos {
        for two in todos where one < two { _ = mischief.join(one, two) }
      }
    },
    Shape("aliases before the records they join") { mischief, count in
      for _ in 0..<count / 2 { _ = mischief.join(mischief.key(count), mischief.key(count + 1)) }
      for _ in 0..<count / 2 { _ = mischief.add() }
    },
    Shape("aliases deleted and restored") { mischief, count in
      let first = mischief.add()
      for _ in 0..<count / 4 {
        let alias = mischief.join(first, mischief.add())
        mischief.write(.delete, .entity(alias))
        mischief.write(.restore, .entity(alias))
      }
    },
    Shape("one alias deleted and restored", logs: 2) { mischief, count in
      mischief.see(0, upTo: 3, from: 1, missing: [2...2])
      _ = mischief.add(.todo, in: 1)
      let alias = mischief.join(mischief.add(), mischief.add())
      for number in 0..<count {
        mischief.write(number % 2 == 0 ? .delete : .restore, .entity(alias))
      }
    },
    Shape("aliases across kinds") { mischief, count in
      var last = mischief.add()
      for number in 0..<count / 2 {
        let other = mischief.add(Kind(rawValue: UInt64(100 + number)))
        _ = mischief.join(last, other)
        last = other
      }
    },
    Shape("equal sources") { mischief, count in
      let source = Write(.source, Source(uidText: "one").value)
      for _ in 0..<count { _ = mischief.add(.todo, [source]) }
    },
  ]

  private static let parents = [
    Shape("lists that are to-dos") { mischief, count in
      var last = mischief.add()
      for _ in 0..<count {
        last = mischief.add(.todo, [Write(Field.Todo.list, .reference(last))])
      }
    },
    Shape("owners in a chain") { mischief, count in
      var last = mischief.add(.question)
      for _ in 0..<count { last = mischief.add(.choice, [Write(.owner, .reference(last))]) }
    },
    Shape("owners in a circle") { mischief, count in
      let first = mischief.key()
      for number in 0..<count {
        let owner = number + 1 == count ? first : mischief.key(1)
        _ = mischief.add(.choice, [Write(.owner, .reference(owner))])
      }
    },
    Shape("to-dos of joined lists") { mischief, count in
      let first = mischief.add(.list)
      for _ in 0..<count / 3 {
        let list = mischief.add(.list)
        _ = mischief.join(first, list)
        _ = mischief.add(.todo, [Write(Field.Todo.list, .reference(list))])
      }
    },
    Shape("erased owners in a chain") { mischief, count in
      let first = mischief.add(.question)
      var last = first
      for _ in 0..<count { last = mischief.add(.choice, [Write(.owner, .reference(last))]) }
      mischief.write(TrustVerb.erase(Reference(index: nil, sequence: first.sequence)).encode())
    },
  ]
}

extension Mischief {
  private static let trusting = [
    Shape("keys let in") { mischief, count in
      for number in 0..<count {
        guard let key = key(number) else { return }
        mischief.write(TrustVerb.admit(key, name: "one", naming: 0).encode())
      }
    },
    Shape("keys put out") { mischief, count in
      for number in 0..<count {
        guard let key = key(number) else { return }
        mischief.write(TrustVerb.revoke(key, kept: []).encode())
      }
    },
    Shape("runs within runs") { mischief, count in
      let source = SHA256.digest(of: [])
      for number in 0..<count {
        mischief.write(
          RunMarker(number % 3 == 2 ? .end : .begin, source: source, count: UInt64(number)).encode()
        )
      }
    },
  ]

  private static func key(_ number: Int) -> PublicKey? {
    try? PublicKey(SHA256.digest(of: [UInt8](String(number).utf8)).bytes)
  }
}
