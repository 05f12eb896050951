import DaybookTesting
import Testing

/// The machine in memory for tests of programs that use the library.
///
/// These tests use only the declarations that one import provides.
struct TestMachineTests {
  private func open(_ computer: TestMachine) throws -> Book {
    try Book.open("/book", on: computer.machine, device: "laptop")
  }

  @Test func `Test machine: the test sets its clock, and its disk outlives the book`() throws {
    let computer = TestMachine(seed: 1, milliseconds: 1_000_000)
    try open(computer).addTodo("Sweep")
    computer.advance(milliseconds: 60_000)
    let book = try open(computer)
    let before = computer.milliseconds
    try book.addTodo("Mop")
    #expect(try book.events().map(\.title) == ["Mop", "Sweep"])
    #expect(try book.events().first?.milliseconds == before)
    #expect(try book.at(milliseconds: before - 1).todos().map(\.title) == ["Sweep"])
    computer.milliseconds = 5_000_000
    #expect(computer.milliseconds == 5_000_000)
    #expect(computer.machine.timekeeper.now() == Moment(milliseconds: 5_000_000))
    computer.setLocalOffset(seconds: 3_600)
    let moment = Moment(milliseconds: 0)
    #expect(computer.machine.timekeeper.localOffsetSeconds(at: moment) == 3_600)
  }

  @Test func `Test machine: its clock is plausible to a book`() throws {
    let computer = TestMachine(seed: 1)
    // 2026-01-01 in milliseconds, as in EventWriter.
    let earliest: Int64 = 1_767_225_600_000
    #expect(computer.milliseconds >= earliest)
    let book = try open(computer)
    computer.advance(milliseconds: 86_400_000)
    try book.addTodo("Sweep")
    computer.milliseconds -= 7_200_000
    try book.addTodo("Mop")
    // The dates come from the clock, although the second event comes after the first.
    #expect(try book.events().first { $0.title == "Mop" }?.milliseconds == computer.milliseconds)
  }

  @Test func `Test machine: equal seeds give equal records, and others different ids`() throws {
    func id(_ seed: UInt64) throws -> Book.RecordID {
      try open(TestMachine(seed: seed)).addTodo("Sweep")
    }
    #expect(try id(1) == id(1))
    #expect(try id(1) != id(2))
  }

  @Test func `Test machine: a stick carries a book from one machine to another`() throws {
    let stick = TestStick()
    let folder = Book.Peer.folder(TestMachine.stickFolder)
    let laptop = try open(TestMachine(seed: 1, stick: stick))
    try laptop.addTodo("Sweep")
    try laptop.sync(with: folder)
    let other = TestMachine(seed: 2, stick: stick)
    let phone = try Book.join(folder, in: "/book", on: other.machine, device: "phone")
    #expect(try phone.todos() == laptop.todos())
    try laptop.writeBundle(to: "\(TestMachine.stickFolder)/backup")
    let third = try Book.join(
      .bundle("\(TestMachine.stickFolder)/backup"), in: "/book",
      on: TestMachine(seed: 3, stick: stick).machine, device: "third")
    #expect(try third.todos() == laptop.todos())
  }

  @Test func `Actor: on a machine without threads it works on the thread of its caller`()
    async throws
  {
    let computer = TestMachine(seed: 4)
    let machine = computer.machine
    let shared = try await BookActor.opening(on: machine) { () throws(Book.Failure) in
      try Book.open("/book", on: machine, device: "laptop")
    }
    let id = try await shared.perform { book in try book.addTodo("Sweep") }
    let found = try await shared.perform { book in try book.todos().map(\.id) }
    #expect(found == [id])
  }

  @Test func `Actor: without threads its last reference may be released by a task`() async throws {
    for seed in 5..<25 {
      let machine = TestMachine(seed: UInt64(seed)).machine
      let task = Task {
        let shared = try await BookActor.opening(on: machine) { () throws(Book.Failure) in
          try Book.open("/book", on: machine, device: "laptop")
        }
        return Task { try await shared.perform { book in try book.addTodo("Sweep") } }
      }
      let id = try await task.value.value
      #expect(try open(TestMachine(seed: UInt64(seed))).addTodo("Sweep") == id)
    }
  }
}
