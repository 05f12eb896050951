#include <sqlite3.h>

// `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift cannot see.
static inline sqlite3_destructor_type daybook_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}
