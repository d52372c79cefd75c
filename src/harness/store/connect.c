/* Opening a database file, and looking at one before it is opened. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/store/private.h"

/* A path as a URI, which spares it every special meaning (":memory:", "file:", "?"). Owned by the caller. */
static char *uri_of(const char *path, bool still)
{
  static const char hexadecimal[] = "0123456789ABCDEF";
  char *uri = tutti_xmalloc(3 * strlen(path) + sizeof "file://./?immutable=1");
  char *end = stpcpy(uri, *path == '/' ? "file://" : "file:./");
  for (; *path; path++) {
    if (strchr("%?#", *path)) {
      *end++ = '%';
      *end++ = hexadecimal[*path >> 4 & 15];
      *end++ = hexadecimal[*path & 15];
    } else
      *end++ = *path;
  }
  strcpy(end, still ? "?immutable=1" : "");
  return uri;
}

/* Whether a file cannot change: it has no log and is in a directory without write permission, where SQLite would ask
 * for a log all the same. */
static bool lies_still(const char *path)
{
  char *copy = tutti_xstrdup(path), *log = tutti_xprintf("%s-wal", path);
  bool still = access(dirname(copy), W_OK) != 0 && access(log, F_OK) != 0;
  free(log);
  free(copy);
  return still;
}

/* SQLite opens readers for writing, else the last one would leave its log; PRAGMA query_only restricts them. */
static int flags_of(enum store_mode mode, bool still)
{
  if (still)
    return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
}

/* Whether a file may be created there. For a directory without write permission SQLite reports a missing file. */
static bool may_create(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder = slash ? tutti_xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : tutti_xstrdup(".");
  bool may = access(path, F_OK) == 0 || access(folder, W_OK) == 0;
  int reason = errno;
  free(folder);
  errno = reason;
  return may;
}

/* A store may come from any source: nothing in its file is run, and no value in it takes much memory. */
static void distrust(sqlite3 *database)
{
  enum { MAX_BYTES = 1 << 20 }; /* of a value; the longest that are stored are lists of settings */
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, MAX_BYTES);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_exec(database, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

static tutti_status configure(const char *path, enum store_mode mode, sqlite3 *database, tutti_error *error)
{
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, STORE_BUSY_MILLISECONDS);
  distrust(database);
  if (tutti_store_add_functions(database) != SQLITE_OK)
    return tutti_store_fault(database, path, "open it", error);
  if (mode == STORE_WRITE)
    return sqlite3_db_readonly(database, "main") ? tutti_fail(error, TUTTI_ERR_IO, "%s: not writable", path) : TUTTI_OK;
  if (sqlite3_exec(database, "PRAGMA query_only = ON", NULL, NULL, NULL) == SQLITE_OK)
    return TUTTI_OK;
  return tutti_store_fault(database, path, "open it", error);
}

tutti_status tutti_store_connect(const char *path, enum store_mode mode, sqlite3 **database, tutti_error *error)
{
  *database = NULL;
  bool still = mode == STORE_INSPECT || (mode == STORE_READ && lies_still(path));
  char *uri = uri_of(path, still);
  int code = sqlite3_open_v2(uri, database, flags_of(mode, still), NULL);
  free(uri);
  tutti_status status = code == SQLITE_OK ? configure(path, mode, *database, error)
                        : mode == STORE_WRITE && !may_create(path)
                            ? tutti_fail(error, TUTTI_ERR_IO, "%s: cannot make it: %s", path, strerror(errno))
                            : tutti_store_fault(*database, path, "open it", error);
  if (status != TUTTI_OK) {
    sqlite3_close(*database);
    *database = NULL;
  }
  return status;
}

tutti_status tutti_store_connect_copy(const char *path, sqlite3 *database, sqlite3 **copy, tutti_error *error)
{
  sqlite3_backup *backup = NULL;
  int code = sqlite3_open_v2("", copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
  tutti_status status =
      code == SQLITE_OK ? configure(path, STORE_WRITE, *copy, error) : tutti_store_fault(*copy, path, "copy it", error);
  if (status == TUTTI_OK && !(backup = sqlite3_backup_init(*copy, "main", database, "main")))
    status = tutti_store_fault(*copy, path, "copy it", error);
  if (status == TUTTI_OK)
    sqlite3_backup_step(backup, -1);
  if (status == TUTTI_OK && sqlite3_backup_finish(backup) != SQLITE_OK)
    status = tutti_store_fault(*copy, path, "copy it", error);
  if (status != TUTTI_OK) {
    sqlite3_close(*copy);
    *copy = NULL;
  }
  return status;
}

/* The reason in the words of the system, where SQLite has only a class for it. */
static const char *reason_of(sqlite3 *database, int code)
{
  int number = database ? sqlite3_system_errno(database) : 0;
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "another process has kept it locked for more than 10 seconds";
  case SQLITE_NOTADB:
    return "it is not a database";
  case SQLITE_CORRUPT:
    return "it is damaged (sqlite3 FILE .recover may save what is left)";
  case SQLITE_CANTOPEN:
  case SQLITE_IOERR:
    if (number)
      return strerror(number);
  }
  return database ? sqlite3_errmsg(database) : sqlite3_errstr(code);
}

tutti_status tutti_store_fault(sqlite3 *database, const char *path, const char *what, tutti_error *error)
{
  int code = database ? sqlite3_extended_errcode(database) : SQLITE_NOMEM;
  tutti_status status = TUTTI_ERR_IO;
  if ((code & 0xff) == SQLITE_NOMEM)
    status = TUTTI_ERR_MEMORY;
  else if ((code & 0xff) == SQLITE_CONSTRAINT)
    status = TUTTI_ERR_ARGUMENT;
  char *reason = tutti_xstrdup(reason_of(database, code)); /* with names of the store among it */
  tutti_utf8_clean_piece(reason);
  tutti_fail(error, status, "%s: cannot %s: %s", path, what, reason);
  free(reason);
  return status;
}

static tutti_status read_number(sqlite3 *database, const char *path, const char *sql, int64_t *number,
                                tutti_error *error)
{
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_step(statement);
  *number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  tutti_status status = code == SQLITE_ROW ? TUTTI_OK : tutti_store_fault(database, path, "read it", error);
  sqlite3_finalize(statement);
  return status;
}

static tutti_status judge_marks(const char *path, int64_t application, int64_t number, int *version, tutti_error *error)
{
  if (application != STORE_APPLICATION_ID)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: a database of another program, not a store of measurements", path);
  if (number < 1 || number > TUTTI_SCHEMA_VERSION)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: a store of version %lld, but this program reads versions 1 to %d only",
                      path, (long long)number, TUTTI_SCHEMA_VERSION);
  *version = (int)number;
  return TUTTI_OK;
}

tutti_status tutti_store_check_marks(sqlite3 *database, const char *path, int *version, tutti_error *error)
{
  int64_t application, number = 0, objects = 0;
  tutti_status status = read_number(database, path, "PRAGMA application_id", &application, error);
  if (status == TUTTI_OK)
    status = read_number(database, path, "PRAGMA user_version", &number, error);
  if (status == TUTTI_OK)
    status = read_number(database, path, "SELECT count(*) FROM sqlite_schema", &objects, error);
  if (status != TUTTI_OK)
    return status;
  *version = 0;
  if (application == 0 && number == 0 && objects == 0)
    return TUTTI_OK;
  return judge_marks(path, application, number, version, error);
}

/* Offsets of the marks in a database file (sqlite.org/fileformat2.html, section 1.3): four bytes each, highest first.
 */
enum { HEADER_LENGTH = 100, VERSION_OFFSET = 60, APPLICATION_OFFSET = 68 };

static int64_t number_at(const unsigned char *bytes)
{
  return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/* A file with a log is complete only together with it: a full disk may have interrupted a checkpoint. But a store was
 * marked before it had a log. False without a log, or with an invalid header. */
static bool read_header(const char *path, int64_t *application, int64_t *number)
{
  unsigned char header[HEADER_LENGTH];
  char *log = tutti_xprintf("%s-wal", path);
  struct stat about;
  bool logged = stat(log, &about) == 0 && about.st_size > 0;
  free(log);
  FILE *stream = logged ? fopen(path, "rb") : NULL;
  if (!stream)
    return false;
  bool whole = fread(header, 1, sizeof header, stream) == sizeof header;
  fclose(stream);
  if (!whole || memcmp(header, "SQLite format 3", 16) != 0)
    return false;
  *application = number_at(header + APPLICATION_OFFSET);
  *number = number_at(header + VERSION_OFFSET);
  return true;
}

tutti_status tutti_store_inspect(const char *path, int *version, tutti_error *error)
{
  struct stat about;
  *version = 0;
  if (*path == '\0')
    return tutti_fail(error, TUTTI_ERR_IO, "the name of the store is empty");
  if (stat(path, &about) != 0)
    return errno == ENOENT ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  if (!S_ISREG(about.st_mode))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: not a regular file", path);
  if (about.st_size == 0)
    return TUTTI_OK;
  tutti_status status = tutti_store_check_journal(path, error);
  if (status != TUTTI_OK)
    return status;
  int64_t application, number;
  if (read_header(path, &application, &number))
    return judge_marks(path, application, number, version, error);
  sqlite3 *database;
  status = tutti_store_connect(path, STORE_INSPECT, &database, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_check_marks(database, path, version, error);
  sqlite3_close(database);
  return status;
}
