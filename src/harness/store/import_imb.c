/*
 * Intel MPI Benchmarks, IMB-MPI1 and IMB-NBC, as versions 3 to 2021 print them, many tables in a file:
 *
 *     #    Intel(R) MPI Benchmarks 2021.7, MPI-1 part
 *     # MPI_Datatype for reductions    :   MPI_FLOAT
 *     # Benchmarking Allreduce
 *     # #processes = 4
 *     # ( 4 additional processes waiting in MPI_Barrier)
 *            #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *                 0         1000         0.04         0.06         0.05
 *
 * A barrier has no bytes. Nonblocking ones ("Ibcast", "Ibcast_pure") have the time of the communication alone, t_pure.
 * Up to 2018 the size of Reduce_scatter is that of all blocks, from then on that of one.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/import_file.h"

enum { LAST_YEAR_OF_TOTALS = 2018 };
#define UNKNOWN_TYPE UINT64_MAX

static bool recognizes(const char *line)
{
  return (strstr(line, "Intel") && strstr(line, "MPI Benchmark")) || strstr(line, "# Benchmarking ");
}

/* ---- lines above the tables ---- */

static tutti_status take_banner(struct import_file *file, const char *line)
{
  const char *version = strpbrk(strstr(line, "MPI Benchmark"), "0123456789");
  int length = version ? (int)strcspn(version, ",\r\n") : 0;
  snprintf(file->program, sizeof file->program, "imb-%.*s", length > 24 ? 24 : length, version ? version : "");
  for (char *blank = file->program; (blank = strchr(blank, ' '));)
    *blank = '-';
  file->imb.year = version ? atoi(version) : 0;
  return TUTTI_OK;
}

static tutti_status take_type(struct import_file *file, const char *line, tutti_error *error)
{
  const char *name = strchr(line, ':');
  if (!name)
    return TUTTI_OK;
  name += 1 + strspn(name + 1, " \t");
  const uint64_t size = tutti_import_type_size(name);
  if (strstr(line, "reductions"))
    tutti_import_type_word(TUTTI_COLL_REDUCE, name, file->imb.type);
  *(strstr(line, "reductions") ? &file->imb.reduction_type_size : &file->imb.type_size) = size ? size : UNKNOWN_TYPE;
  if (size == 0)
    return tutti_import_fail(file, error, "unknown type", "%.*s", (int)strcspn(name, " \r\n"), name);
  return TUTTI_OK;
}

/* ---- a section ---- */

/* "Ibcast", "Ibcast_pure". */
static bool is_nonblocking(const char *name, size_t length, tutti_collective *collective)
{
  static const char pure[] = "_pure";
  size_t ending = strlen(pure);
  if (length > ending && strncmp(name + length - ending, pure, ending) == 0)
    length -= ending;
  return *name == 'I' && tutti_import_collective(name + 1, length - 1, collective);
}

static tutti_status begin_section(struct import_file *file, const char *name, tutti_error *error)
{
  struct import_benchmark *table = &file->imb.benchmark;
  const size_t length = strcspn(name, " \t\r\n");
  *table = (struct import_benchmark){.known = false};
  tutti_import_end_left(file);
  if (length == 0)
    return tutti_import_fail_table(file, error, "a benchmark without a name", "%s", "");
  const bool nonblocking = is_nonblocking(name, length, &table->collective);
  table->known = nonblocking || tutti_import_collective(name, length, &table->collective);
  const char *form = nonblocking ? "form=nonblocking" : "",
             *type = table->known && tutti_collective_traits(table->collective) & TUTTI_REDUCES ? file->imb.type : "";
  char words[IMPORT_SETTINGS];
  snprintf(words, sizeof words, "%s%s%s", form, *form && *type ? " " : "", type);
  tutti_import_set_words(file, nonblocking, words);
  if (!table->known)
    tutti_import_leave(file, tutti_import_no_collective, "%.*s", length > 40 ? 40 : (int)length, name);
  return TUTTI_OK;
}

static tutti_status take_processes(struct import_file *file, const char *text, tutti_error *error)
{
  char *end;
  long number = strtol(text, &end, 10);
  if (end == text || number < 1 || number > INT_MAX)
    return tutti_import_fail(file, error, "not a number of processes", "'%.40s'", text);
  file->imb.benchmark.ranks = (int)number;
  return TUTTI_OK;
}

/* Several groups at once, which disturb each other. */
static void leave_out_groups(struct import_file *file)
{
  struct import_benchmark *table = &file->imb.benchmark;
  if (table->known)
    tutti_import_leave(file, "several groups at once", "%s", tutti_collective_name(table->collective));
  table->known = false;
}

/* ---- the header ---- */

static const struct import_columns columns = {.cut = CUT_BLANKS,
                                              .unit = 1e-6,
                                              .items = {{"#bytes", FIELD_SIZE},
                                                        {"#repetitions", FIELD_REPETITIONS},
                                                        {"t_min[usec]", FIELD_MINIMUM},
                                                        {"t_max[usec]", FIELD_MAXIMUM},
                                                        {"t_avg[usec]|t_pure[usec]", FIELD_MEAN},
                                                        {"t_ovrl[usec]|t_CPU[usec]|overlap[%]", FIELD_IGNORED},
                                                        {"defects", FIELD_WRONG},
                                                        {"Mbytes/sec", FIELD_IGNORED}}};

static uint64_t type_of(const struct import_file *file, bool reduces)
{
  uint64_t said = reduces ? file->imb.reduction_type_size : file->imb.type_size;
  return said ? said : file->how->type_size ? file->how->type_size : reduces ? 4 : 1;
}

static tutti_status complete_table(struct import_file *file, tutti_error *error)
{
  struct import_benchmark *table = &file->imb.benchmark;
  tutti_status status = tutti_import_own_ranks(file, &table->ranks, error);
  if (status != TUTTI_OK) {
    table->table.count = 0;
    return status;
  }
  const char *lacks = NULL;
  if (table->ranks == 0)
    lacks = "no line '# #processes = N' before the table: say the number with --ranks";
  else if (table->collective == TUTTI_COLL_REDUCE_SCATTER && file->imb.year == 0)
    lacks =
        "the size of Reduce_scatter means one thing up to 2018, another from then on, and the version of IMB is not "
        "in the file";
  table->type_size = type_of(file, tutti_collective_traits(table->collective) & TUTTI_REDUCES);
  if (table->type_size == UNKNOWN_TYPE)
    lacks = "unknown type";
  if (lacks) {
    table->table.count = 0;
    return tutti_import_fail_table(file, error, lacks, "%s", "");
  }
  table->total = table->collective == TUTTI_COLL_REDUCE_SCATTER && file->imb.year <= LAST_YEAR_OF_TOTALS;
  return TUTTI_OK;
}

static tutti_status take_header(struct import_file *file, char *line, tutti_error *error)
{
  tutti_status status = tutti_import_begin_table(file, &file->imb.benchmark, &columns, line, error);
  return status == TUTTI_OK ? complete_table(file, error) : status;
}

/* ---- lines ---- */

static tutti_status take_comment(struct import_file *file, char *line, tutti_error *error)
{
  static const char section[] = "# Benchmarking ", processes[] = "# #processes = ";
  if (strncmp(line, section, strlen(section)) == 0)
    return begin_section(file, line + strlen(section), error);
  if (strncmp(line, processes, strlen(processes)) == 0)
    return take_processes(file, line + strlen(processes), error);
  if (strncmp(line, "#bytes", 6) == 0 || strncmp(line, "#repetitions", 12) == 0)
    return file->imb.benchmark.known ? take_header(file, line, error) : TUTTI_OK;
  if (strstr(line, "groups of"))
    leave_out_groups(file);
  if (strstr(line, "MPI_Datatype"))
    return take_type(file, line, error);
  return strstr(line, "Intel") && strstr(line, "MPI Benchmark") ? take_banner(file, line) : TUTTI_OK;
}

static tutti_status parse_line(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  if (*line == '#')
    return take_comment(file, line, error);
  if (!isdigit((unsigned char)*line) || (!file->imb.benchmark.known && tutti_import_leaves_row(file)) ||
      !file->imb.benchmark.known)
    return TUTTI_OK;
  if (strstr(line, "out-of-mem") || strstr(line, "time-out") || strstr(line, "int-overflow")) {
    tutti_import_pass(file, tutti_import_given_up, "%.60s", line);
    return TUTTI_OK;
  }
  return tutti_import_table_row(file, &file->imb.benchmark, TUTTI_SCHEME_IMB, line, error);
}

const struct import_reader tutti_import_imb = {.recognizes = recognizes, .take = parse_line};
