/*
 * OSU micro-benchmarks, collectives in all their forms, as versions 3 to 7 print them:
 *
 *     # OSU MPI-CUDA Broadcast Latency Test v7.3          -CUDA, -ZE, ...: buffers on an accelerator
 *     # OSU MPI Allreduce Persistent Latency Test v7.4    also "Non-blocking Allreduce"
 *     # Datatype: MPI_CHAR.                               from 7 on
 *     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *     1                       7.61              6.38              8.84        1000
 *
 * Without -f there is one time, without a size for a barrier; other options add columns at the end. Of nonblocking
 * calls the time is that of the communication alone ("Pure Comm."), without the computation that overlaps it.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "harness/store/import_file.h"

/* ---- the title ---- */

/* The text after "# OSU " of a line that names a benchmark, or NULL: other lines of a log may speak of OSU. */
static const char *find_benchmark(const char *line)
{
  line += strspn(line, "# \t");
  return strncmp(line, "OSU ", 4) == 0 && strstr(line, " Test") ? line + 4 : NULL;
}

static bool recognizes(const char *line)
{
  return find_benchmark(line) != NULL;
}

/* "MPI", "MPI-CUDA", "NCCL": the text after the interface, "" or "-CUDA" or "-NCCL", with its length. */
static const char *find_interface(const char *name, size_t *length)
{
  static const char *const others[] = {"NCCL", "RCCL", "XCCL", "HCCL", "oneCCL"};
  *length = strcspn(name, " ");
  if (strncmp(name, "MPI", 3) == 0 && (*length == 3 || name[3] == '-')) {
    *length -= 3;
    return name + 3;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncasecmp(name, others[i], strlen(others[i])) == 0)
      return name;
  return NULL;
}

static void cut_out(char *text, const char *word)
{
  char *at = strcasestr(text, word);
  if (at)
    memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

/* "Non-blocking All-to-Allv", "Allreduce Persistent", "All-to-All Personalized Exchange". */
static bool find_title(const char *title, size_t length, tutti_collective *collective, const char **form)
{
  static const char *const words[] = {"Non-blocking ", "Nonblocking ", " Persistent", "Persistent ",
                                      " Personalized Exchange"};
  char name[80];
  if (snprintf(name, sizeof name, "%.*s", (int)length, title) >= (int)sizeof name)
    return false;
  const bool persistent = strcasestr(name, "persistent"),
             nonblocking = strcasestr(name, "nonblocking") || strcasestr(name, "non-blocking");
  *form = persistent ? "form=persistent" : nonblocking ? "form=nonblocking" : "";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cut_out(name, words[i]);
  return tutti_import_collective(name, strlen(name), collective);
}

/* "osu-7.3", "osu-7.3-CUDA", "osu-7.4-NCCL". */
static void name_program(struct import_file *file, const char *version, const char *interface, size_t length)
{
  const size_t digits = strspn(version, "0123456789.");
  snprintf(file->program, sizeof file->program, "osu-%.*s%s%.*s", digits ? (int)digits : 1, digits ? version : "?",
           *interface == '-' || length == 0 ? "" : "-", (int)length, interface);
}

/* Of the rows that follow: their form, and the type that is added. */
static void set_words(struct import_file *file, const char *type)
{
  char words[IMPORT_SETTINGS], word[IMPORT_TYPE];
  const char *form = file->osu.form;
  tutti_import_type_word(file->osu.benchmark.collective, type, word);
  snprintf(words, sizeof words, "%s%s%s", form, *form && *word ? " " : "", word);
  tutti_import_set_words(file, *form, words);
}

static tutti_status begin_table(struct import_file *file, const char *name, tutti_error *error)
{
  static const char ending[] = " Latency Test";
  struct import_benchmark *table = &file->osu.benchmark;
  size_t length;
  const char *interface = find_interface(name, &length), *title = name + strcspn(name, " ");
  title += strspn(title, " ");
  const char *end = strstr(title, ending), *form = "";
  const int shown = (int)strcspn(title, "\r\n");
  file->osu = (struct osu_state){.type_size = 0};
  tutti_import_end_left(file);
  if (!interface || !end || !find_title(title, (size_t)(end - title), &table->collective, &form))
    return tutti_import_fail_table(file, error, tutti_import_no_collective, "%.*s", shown > 80 ? 80 : shown, title);
  tutti_status status = tutti_import_ranks(file, &table->ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (table->ranks == 0)
    return tutti_import_fail_table(file, error,
                                   "OSU benchmarks do not print the number of processes, and no line above (mpirun -np "
                                   "N, srun -n N) does: say it with --ranks",
                                   "%.*s", shown > 80 ? 80 : shown, title);
  const char *version = strstr(end, " v");
  name_program(file, version ? version + 2 : "", interface, length);
  file->osu.form = form;
  set_words(file, "");
  table->known = true;
  table->total = table->collective == TUTTI_COLL_REDUCE_SCATTER || table->collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
  return TUTTI_OK;
}

/* ---- the header ---- */

static const struct import_columns columns = {
    .cut = CUT_BLANKS,
    .unit = 1e-6,
    .items = {{"Size", FIELD_SIZE},
              {"Avg Latency(us)|Latency (us)|Latency(us)|Pure Comm.(us)", FIELD_MEAN},
              {"Min Latency(us)|Min Comm.(us)", FIELD_MINIMUM},
              {"Max Latency(us)|Max Comm.(us)", FIELD_MAXIMUM},
              {"Overall(us)|Compute(us)|Coll. Init(us)", FIELD_IGNORED},
              {"MPI_Test(us)|MPI_Wait(us)|Overlap(%)", FIELD_IGNORED},
              {"Iterations", FIELD_REPETITIONS},
              {"Validation", FIELD_VERDICT},
              {"Transmit Size|P* Tail Lat(us)", FIELD_IGNORED}}};

static uint64_t type_of(const struct import_file *file, tutti_collective collective)
{
  if (file->osu.type_size)
    return file->osu.type_size;
  if (file->how->type_size)
    return file->how->type_size;
  return tutti_collective_traits(collective) & TUTTI_REDUCES ? 4 : 1;
}

/* ---- lines ---- */

static tutti_status take_comment(struct import_file *file, char *text, tutti_error *error)
{
  struct import_benchmark *table = &file->osu.benchmark;
  text += strspn(text, "# \t");
  if (!table->known)
    return TUTTI_OK;
  if (strncmp(text, "Datatype:", strlen("Datatype:")) == 0) {
    text += strlen("Datatype:");
    text += strspn(text, " ");
    file->osu.type_size = tutti_import_type_size(text);
    file->osu.unknown_type = file->osu.type_size == 0;
    table->table.count = 0;
    set_words(file, text);
    if (file->osu.unknown_type)
      return tutti_import_fail_table(file, error, "unknown type", "%.*s", (int)strcspn(text, " .\r\n"), text);
    return TUTTI_OK;
  }
  if (file->osu.unknown_type || !strstr(text, "(us)"))
    return TUTTI_OK;
  table->type_size = type_of(file, table->collective);
  return tutti_import_begin_table(file, table, &columns, text, error);
}

static tutti_status parse_line(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  const char *name = find_benchmark(line);
  if (name)
    return begin_table(file, name, error);
  if (*line == '#')
    return take_comment(file, line, error);
  if (!isdigit((unsigned char)*line))
    return TUTTI_OK;
  return tutti_import_table_row(file, &file->osu.benchmark, TUTTI_SCHEME_OSU, line, error);
}

const struct import_reader tutti_import_osu = {.recognizes = recognizes, .take = parse_line};
