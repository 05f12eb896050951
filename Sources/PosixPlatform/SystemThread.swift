import Glibc

/// Runs a function on a new thread.
///
/// If a function waits for a network, it would otherwise block one of the few threads that tasks share, possibly
/// indefinitely.
package enum SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  package static func start(_ body: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let answer = unsafe pthread_create(
      &thread, nil,
      { work in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    precondition(answer == 0, "a process may have a few threads")
    pthread_detach(thread)
  }
}
