/*
 * OSU micro-benchmarks, blocking collectives, as versions 3 to 7 print them:
 *
 *     # OSU MPI-CUDA Broadcast Latency Test v7.3          -CUDA, ...: buffers on an accelerator
 *     # Datatype: MPI_CHAR.                               from 7 on
 *     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *     1                       7.61              6.38              8.84        1000
 *
 * Without -f there is one time, without a size for a barrier; other options add columns at the end.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "harness/store/import_file.h"

static bool recognizes(const char *line)
{
  return strstr(line, "OSU MPI") != NULL;
}

/* ---- the title ---- */

static const struct {
  const char *title;
  tutti_collective collective;
} titles[] = {
    {"All-to-All Personalized Exchange", TUTTI_COLL_ALLTOALL},
    {"All-to-Allv Personalized Exchange", TUTTI_COLL_ALLTOALLV},
    {"All-to-Allw Personalized Exchange", TUTTI_COLL_ALLTOALLW},
    {"Broadcast", TUTTI_COLL_BCAST},
};

static bool find_title(const char *title, size_t length, tutti_collective *collective)
{
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (strlen(titles[i].title) == length && strncasecmp(titles[i].title, title, length) == 0) {
      *collective = titles[i].collective;
      return true;
    }
  return tutti_import_collective(title, length, collective);
}

/* "osu-7.3", "osu-7.3-CUDA". */
static void name_program(struct import_file *file, const char *version, const char *accelerator, size_t length)
{
  size_t digits = strspn(version, "0123456789.");
  snprintf(file->program, sizeof file->program, "osu-%.*s%.*s", digits ? (int)digits : 1, digits ? version : "?",
           (int)length, accelerator);
}

static tutti_status refuse(const struct import_file *file, const char *title, int length, tutti_error *error)
{
  if (strncasecmp(title, "Non-blocking", strlen("Non-blocking")) == 0 ||
      memmem(title, (size_t)length, "Persistent", 10))
    return tutti_import_fail(
        file, error,
        "'%.*s' is nonblocking or persistent: it measures overlap, and cannot stand beside blocking "
        "collectives",
        length, title);
  return tutti_import_fail(file, error, "'%.*s' is not a benchmark of a blocking collective", length, title);
}

static tutti_status begin_table(struct import_file *file, const char *line, tutti_error *error)
{
  static const char ending[] = " Latency Test";
  struct import_benchmark *table = &file->osu.benchmark;
  const char *accelerator = strstr(line, "OSU MPI") + strlen("OSU MPI"), *title = accelerator;
  title += strcspn(title, " ");
  size_t accelerator_length = (size_t)(title - accelerator);
  title += strspn(title, " ");
  const char *end = strstr(title, ending);
  int length = end ? (int)(end - title) : (int)strcspn(title, "\r\n");
  file->osu = (struct osu_state){.type_size = 0};
  if (!end || !find_title(title, (size_t)length, &table->collective))
    return refuse(file, title, length > 80 ? 80 : length, error);
  tutti_status status = tutti_import_ranks(file, &table->ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (table->ranks == 0)
    return tutti_import_fail(file, error,
                             "OSU benchmarks do not print the number of processes, and no line above (mpirun -np N, "
                             "srun -n N) does: say it with --ranks");
  const char *version = strstr(end, " v");
  name_program(file, version ? version + 2 : "", accelerator, accelerator_length);
  table->known = true;
  table->total = table->collective == TUTTI_COLL_REDUCE_SCATTER || table->collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
  return TUTTI_OK;
}

/* ---- the header ---- */

static const struct import_columns columns = {.cut = CUT_BLANKS,
                                              .unit = 1e-6,
                                              .items = {{"Size", FIELD_SIZE},
                                                        {"Avg Latency(us)|Latency (us)|Latency(us)", FIELD_MEAN},
                                                        {"Min Latency(us)", FIELD_MINIMUM},
                                                        {"Max Latency(us)", FIELD_MAXIMUM},
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
  if (strncmp(text, "Datatype:", strlen("Datatype:")) == 0) {
    text += strlen("Datatype:");
    text += strspn(text, " ");
    file->osu.type_size = tutti_import_type_size(text);
    if (file->osu.type_size == 0)
      return tutti_import_fail(file, error, "unknown type '%.*s'", (int)strcspn(text, " .\r\n"), text);
    return TUTTI_OK;
  }
  if (!table->known || !strstr(text, "(us)"))
    return TUTTI_OK;
  table->type_size = type_of(file, table->collective);
  return tutti_import_begin_table(file, table, &columns, text, error);
}

static tutti_status parse_line(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  if (recognizes(line))
    return begin_table(file, line, error);
  if (*line == '#')
    return take_comment(file, line, error);
  if (!isdigit((unsigned char)*line))
    return TUTTI_OK;
  return tutti_import_table_row(file, &file->osu.benchmark, TUTTI_SCHEME_OSU, line, error);
}

const struct import_reader tutti_import_osu = {.recognizes = recognizes, .take = parse_line};
