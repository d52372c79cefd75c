/* The remains of a killed program: the heads of FILE.RANK, and the rows of a profile. */
#include "decision/results/rank_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"
#include "tutti/record.h"

enum { MAX_RANKS = 1 << 20, MAX_ROW = 1 << 14, MAX_ROWS = 1 << 16 };

/* ---- a file ---- */

static bool has_end(const char *word, size_t length)
{
  return memchr(word, '\0', length) != NULL;
}

static bool is_good(const struct rank_file_head *head, const char *kind, uint32_t rank)
{
  return memcmp(head->magic, RANK_FILE_MAGIC, sizeof RANK_FILE_MAGIC) == 0 && has_end(head->kind, sizeof head->kind) &&
         strcmp(head->kind, kind) == 0 && head->rank == rank && head->ranks > rank && head->ranks <= MAX_RANKS &&
         has_end(head->flavor, sizeof head->flavor) && has_end(head->library, sizeof head->library) &&
         has_end(head->program, sizeof head->program) && head->row <= MAX_ROW &&
         head->seen + sizeof(struct profile_seen) <= (strcmp(kind, "profile") == 0 ? head->row : MAX_ROW);
}

/* Open FILE.RANK, a regular file, and read its head, or -1. */
static int open_rank(const char *path, const char *kind, uint32_t rank, struct rank_file_head *head)
{
  char *name = tutti_xprintf("%s.%u", path, (unsigned)rank);
  struct stat status;
  int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  free(name);
  if (file < 0)
    return -1;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && pread(file, head, sizeof *head, 0) == sizeof *head &&
      is_good(head, kind, rank))
    return file;
  close(file);
  return -1;
}

bool tutti_rank_files_are_left(const char *path, const char *kind)
{
  struct rank_file_head head;
  struct stat whole, part;
  int file = open_rank(path, kind, 0, &head);
  if (file < 0)
    return false;
  bool younger = fstat(file, &part) == 0 &&
                 (stat(path, &whole) != 0 || whole.st_mtim.tv_sec < part.st_mtim.tv_sec ||
                  (whole.st_mtim.tv_sec == part.st_mtim.tv_sec && whole.st_mtim.tv_nsec < part.st_mtim.tv_nsec));
  close(file);
  return younger;
}

/* ---- all of a run ---- */

enum { NAMED_RANKS = 4 };

/* Ranks that made as many calls, and the first of them. */
struct alike {
  uint64_t calls;
  uint32_t count, ranks[NAMED_RANKS];
};

/* What the ranks have in common, and those that made the fewest and the most calls. */
struct left {
  struct rank_file_head head;
  uint32_t files;
  struct alike fewest, most;
  uint64_t calls, left_out;
  double elapsed, collectives;
  struct {
    TUTTI_VECTOR(tutti_result);
  } rows;
  char program[TUTTI_RESULT_WORD];
};

static bool seen_is_good(const struct profile_seen *seen)
{
  const char *words[] = {seen->site,   seen->communicator, seen->collective,
                         seen->method, seen->type_name,    seen->operation};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (!has_end(words[w], TUTTI_RESULT_WORD) || !*words[w])
      return false;
  return seen->calls >= seen->skipped && seen->calls > seen->skipped && seen->ranks > 0 && seen->nodes > 0;
}

/* Returns the calls of the rank. */
static uint64_t read_rows(struct left *left, int file, const struct rank_file_head *head)
{
  uint64_t calls = head->left_out;
  struct profile_seen seen;
  for (uint64_t r = 0; r < head->used && r < MAX_ROWS; r++) {
    const off_t at = (off_t)(RANK_FILE_HEAD + r * head->row + head->seen);
    if (pread(file, &seen, sizeof seen, at) != sizeof seen || !seen_is_good(&seen))
      continue;
    tutti_result row;
    tutti_profile_row(&seen, left->program, 1, &row);
    left->collectives += row.values[TUTTI_CALL_FIELD_TOTAL].seconds;
    calls += seen.calls;
    tutti_xpush(&left->rows, row);
  }
  left->left_out += head->left_out;
  left->elapsed = head->ended - head->begun > left->elapsed ? head->ended - head->begun : left->elapsed;
  return calls;
}

static void add_alike(struct alike *alike, uint32_t rank)
{
  if (alike->count < NAMED_RANKS)
    alike->ranks[alike->count] = rank;
  alike->count++;
}

static void add_rank(struct left *left, const struct rank_file_head *head, uint64_t calls)
{
  if (left->files++ == 0 || calls < left->fewest.calls)
    left->fewest = (struct alike){.calls = calls};
  if (calls > left->most.calls)
    left->most = (struct alike){.calls = calls};
  if (calls == left->fewest.calls)
    add_alike(&left->fewest, head->rank);
  if (calls == left->most.calls)
    add_alike(&left->most, head->rank);
  left->calls += calls;
}

/* Files of other runs, which may have had more ranks, do not count. */
static tutti_status read_left(const char *path, const char *kind, struct left *left, tutti_error *error)
{
  struct rank_file_head head;
  int file = open_rank(path, kind, 0, &left->head);
  if (file < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: there is neither this file nor %s.0, as a program that was cut leaves",
                      path, path);
  close(file);
  snprintf(left->program, sizeof left->program, "%.*s(cut)", (int)(sizeof left->program - sizeof "(cut)"),
           *left->head.program ? left->head.program : "-");
  for (uint32_t rank = 0; rank < left->head.ranks; rank++) {
    file = open_rank(path, kind, rank, &head);
    if (file < 0)
      continue;
    if (head.run == left->head.run)
      add_rank(left, &head, head.row > 0 ? read_rows(left, file, &head) : head.calls);
    close(file);
  }
  return TUTTI_OK;
}

/* "rank 3", "ranks 0, 2", "ranks 0, 2, 3, 5 and 7 others": to be freed. */
static char *name_ranks(const struct alike *alike)
{
  char *names = NULL;
  for (uint32_t i = 0; i < alike->count && i < NAMED_RANKS; i++) {
    char *longer = names ? tutti_xprintf("%s, %u", names, (unsigned)alike->ranks[i])
                         : tutti_xprintf("rank%s %u", tutti_plural(alike->count), (unsigned)alike->ranks[i]);
    free(names);
    names = longer;
  }
  if (alike->count <= NAMED_RANKS)
    return names;
  const uint32_t others = alike->count - NAMED_RANKS;
  char *whole = tutti_xprintf("%s and %u other%s", names, (unsigned)others, tutti_plural(others));
  free(names);
  return whole;
}

/* How far the ranks came. Of those that came as far, nobody knows which one ended the program. */
static char *describe_calls(const struct left *left)
{
  if (left->fewest.calls == left->most.calls)
    return tutti_xprintf("%llu calls each", (unsigned long long)left->most.calls);
  char *fewest = name_ranks(&left->fewest), *most = name_ranks(&left->most);
  char *text = tutti_xprintf("from %llu calls (%s) to %llu (%s)", (unsigned long long)left->fewest.calls, fewest,
                             (unsigned long long)left->most.calls, most);
  free(fewest);
  free(most);
  return text;
}

static char *describe(const struct left *left)
{
  char *missing = left->files < left->head.ranks
                      ? tutti_xprintf(", of %u ranks nothing was found", (unsigned)(left->head.ranks - left->files))
                      : tutti_xstrdup("");
  char *calls = describe_calls(left);
  char *text = tutti_xprintf("cut: the program ended before MPI_Finalize; its ranks had made %s%s", calls, missing);
  free(calls);
  free(missing);
  return text;
}

char *tutti_rank_files_describe(const char *path, const char *kind, tutti_error *error)
{
  struct left *left = tutti_xcalloc(1, sizeof *left);
  char *text = read_left(path, kind, left, error) == TUTTI_OK ? describe(left) : NULL;
  tutti_vector_free(&left->rows);
  free(left);
  return text;
}

/* ---- a profile from these files ---- */

static void print_profile(FILE *stream, struct left *left)
{
  tutti_record *record = tutti_xcalloc(1, sizeof *record);
  record->kind = TUTTI_RECORD_RUN;
  snprintf(record->tutti, sizeof record->tutti, "%s", TUTTI_VERSION);
  snprintf(record->flavor, sizeof record->flavor, "%s", left->head.flavor);
  snprintf(record->library, sizeof record->library, "%s", left->head.library);
  record->ranks = (int)left->head.ranks;
  record->ranks_per_node = (int)left->head.ranks_per_node;
  record->cores = (int)left->head.cores;
  tutti_record_print(stream, record);
  record->kind = TUTTI_RECORD_RESULT;
  record->result = (tutti_result){.kind = TUTTI_RESULT_PROGRAM, .ranks_per_node = 1};
  tutti_value *values = record->result.values;
  tutti_result_set_word(&record->result, TUTTI_PROGRAM_FIELD_PROGRAM, left->program);
  values[TUTTI_PROGRAM_FIELD_RANKS].integer = left->head.ranks;
  values[TUTTI_PROGRAM_FIELD_ELAPSED].seconds = left->elapsed;
  values[TUTTI_PROGRAM_FIELD_COLLECTIVES].seconds = left->collectives;
  values[TUTTI_PROGRAM_FIELD_CALLS].integer = left->calls;
  values[TUTTI_PROGRAM_FIELD_LEFT_OUT].integer = left->left_out;
  tutti_record_print(stream, record);
  const size_t count = tutti_profile_merge_rows(left->rows.items, left->rows.count);
  for (size_t r = 0; r < count; r++) {
    record->result = left->rows.items[r];
    tutti_record_print(stream, record);
  }
  *record = (tutti_record){.kind = TUTTI_RECORD_END, .measurements = count + 1};
  tutti_record_print(stream, record);
  free(record);
}

FILE *tutti_rank_files_profile(const char *path, tutti_error *error)
{
  struct left *left = tutti_xcalloc(1, sizeof *left);
  FILE *stream = NULL;
  if (read_left(path, "profile", left, error) == TUTTI_OK) {
    stream = tmpfile();
    if (!stream)
      tutti_fail(error, TUTTI_ERR_IO, "%s: no temporary file: %s", path, strerror(errno));
  }
  if (stream) {
    print_profile(stream, left);
    rewind(stream);
  }
  tutti_vector_free(&left->rows);
  free(left);
  return stream;
}
