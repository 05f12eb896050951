import Bytes
import Journaling
import Sealing

/// The objects of a sealed store whose names a device can open.
struct SealedListing {
  /// An object with events.
  struct Events {
    let key: StoreKey
    let named: NamedObject
  }

  /// A statement that events are lost.
  struct Loss {
    let key: StoreKey
    let loss: NamedLoss
  }

  /// The lists of objects, by the replicas whose events they contain.
  private(set) var lists: [UniqueID: ObjectList] = [:]
  /// The objects with events, by the names of their files.
  private(set) var events: [String: Events] = [:]
  /// The statements of losses, by the names of their files.
  private(set) var losses: [String: Loss] = [:]
  /// The key packages, with the names of their files.
  private(set) var packages: [(id: UniqueID, file: String)] = []
  /// The names that are sealed with keys that the device does not have.
  private(set) var waiting: [SealedName] = []
  /// The names that a holder of a key did not seal correctly, or that have been changed.
  private(set) var badNames: [(file: String, fault: ObjectNameError)] = []

  /// - Parameters:
  ///   - objects: The objects.
  ///   - ring: The keys of the device.
  ///   - former: An earlier listing, whose names need not be opened again.
  init(
    of objects: [BucketObject], openedWith ring: KeyRing, reusing former: SealedListing? = nil
  ) {
    for object in objects {
      if let known = former?.events[object.name] { add(object, known) } else { add(object, ring) }
    }
    for replica in lists.keys { lists[replica]?.objects.sort { $0.name < $1.name } }
    packages.sort { ($0.id, $0.file) < ($1.id, $1.file) }
  }

  private mutating func add(_ object: BucketObject, _ ring: KeyRing) {
    // Other names are skipped, because other programs and newer versions write them.
    guard let name = try? ObjectName(parsing: object.spelling) else { return }
    do throws(ObjectNameError) {
      switch name {
      case .events(let sealed):
        let opened = try ring.open(sealed)
        add(object, Events(key: opened.key, named: opened.object))
      case .loss(let sealed):
        let (key, loss) = try ring.openLoss(sealed)
        losses[object.name] = Loss(key: key, loss: loss)
        lists[loss.replica, default: ObjectList()].losses.append(
          LossName(events: loss.events, end: loss.end))
      case .package(let id): packages.append((id, object.name))
      case .knock, .bell: break
      }
    } catch .key {
      switch name {
      case .events(let sealed), .loss(let sealed): waiting.append(sealed)
      case .package, .knock, .bell: break
      }
    } catch {
      badNames.append((object.name, error))
    }
  }

  private mutating func add(_ object: BucketObject, _ found: Events) {
    events[object.name] = found
    let range = found.named.range
    lists[range.replica, default: ObjectList()].objects.append(
      StoredObject(
        name: DirectoryName(
          events: range.events, digest: found.named.digest, file: object.name),
        stamp: object.stamp))
  }
}

extension SealedListing {
  /// The number of objects whose names are sealed with keys that the device does not have.
  var waitingCount: Int { waiting.count }

  /// The ids of the keys with which the objects are sealed.
  var keys: Set<UniqueID> {
    Set(events.values.map(\.key.id)).union(losses.values.map(\.key.id))
  }

  /// Whether at least one of the names, in which the case of letters counts, is that of an object of a sealed store.
  static func isStore(_ names: [String]) -> Bool {
    names.contains { name in
      switch try? ObjectName(parsing: name) {
      case .events, .loss, .package, .knock: true
      case .bell, nil: false
      }
    }
  }
}
