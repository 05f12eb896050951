#include <sqlite3.h>

// `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift cannot see.
static inline sqlite3_destructor_type daybook_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

// Takes optional arguments, which Swift cannot give. Counting each byte SQLite uses costs a lock for each allocation.
static inline int daybook_sqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Takes optional arguments, too. What the write-ahead log holds is left there when the connection closes.
static inline int daybook_sqlite_leave_log(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
