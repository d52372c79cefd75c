/* tutti platform: list, show and check machines; write hostfiles. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "experiments/launcher.h"

/* Of all verbs. */
struct platform_options {
  const char *name;
  tutti_format format;
  bool measure;
  const char *program; /* NULL: beside this executable */
  const char *output;  /* NULL: standard output */
  int ranks;
};

#define PLATFORM_ROW ARGUMENT_STRING("PLATFORM", struct platform_options, name)
/* Before OPTION_FORMAT(), for its old letter. */
#define JSON_ROW OPTION_SET("json", struct platform_options, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j")

/* ---- list ---- */

struct names {
  TUTTI_VECTOR(char *);
};

static bool has_name(const struct names *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

static int is_platform_file(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

/* The first directory that has a name decides, as in tutti_platform_find(). */
static void add_directory(struct names *names, const char *directory)
{
  struct dirent **entries;
  int count = *directory ? scandir(directory, &entries, is_platform_file, NULL) : -1;
  for (int i = 0; i < count; i++) {
    char *name = tutti_xstrndup(entries[i]->d_name, strlen(entries[i]->d_name) - 4);
    if (has_name(names, name))
      free(name);
    else
      tutti_xpush(names, name);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

static int alphabetically(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static void collect(struct names *names)
{
  char *directories = tutti_platform_directories(), *rest = directories;
  if (!directories)
    tutti_out_of_memory();
  for (char *directory; (directory = strsep(&rest, ":"));)
    add_directory(names, directory);
  free(directories);
  if (names->count > 0)
    qsort(names->items, names->count, sizeof *names->items, alphabetically);
}

struct list_row {
  const char *name;
  int hosts, ranks_per_node;
  char *description; /* owned */
};

static const tutti_column list_columns[] = {
    {"name", "name", TUTTI_FIELD(struct list_row, name)},
    {"hosts", "hosts", TUTTI_FIELD(struct list_row, hosts), .width = 8, .gap = 1},
    {"ranks/node", "ranks_per_node", TUTTI_FIELD(struct list_row, ranks_per_node), .width = 11, .gap = 1},
    {"description", "description", TUTTI_FIELD(struct list_row, description)},
};

struct list {
  TUTTI_VECTOR(struct list_row);
};

/* An error about a file that is no platform does not hide the others. Returns an exit status. */
static int read_all(const struct names *names, struct list *list)
{
  int code = EXIT_DONE;
  for (size_t i = 0; i < names->count; i++) {
    tutti_platform platform;
    tutti_error error;
    if (platform_load(names->items[i], &platform, &error) != TUTTI_OK) {
      code = complain(&error);
      continue;
    }
    tutti_xpush(list, (struct list_row){names->items[i], platform.host_count, platform.ranks_per_node,
                                        tutti_xstrdup(platform.description ? platform.description : "")});
    tutti_platform_free(&platform);
  }
  return code;
}

static int run_list(void *values)
{
  const struct platform_options *chosen = values;
  struct names names = {0};
  struct list list = {0};
  tutti_error error;
  collect(&names);
  int code = read_all(&names, &list);
  const tutti_table table = {TUTTI_COLUMNS(list_columns), TUTTI_ROWS(list.items, list.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (tutti_document_print(&document, chosen->format, stdout, &error) != TUTTI_OK)
    code = complain(&error);
  for (size_t i = 0; i < list.count; i++)
    free(list.items[i].description);
  for (size_t i = 0; i < names.count; i++)
    free(names.items[i]);
  tutti_vector_free(&list);
  tutti_vector_free(&names);
  return code;
}

static const struct option_row list_options[] = {JSON_ROW, OPTION_FORMAT(struct platform_options, format), OPTION_END};

static const struct command platform_list = {
    .name = "list",
    .help = "List the platforms that are found by name: in the directories of TUTTI_PLATFORM_PATH, in ./platforms and "
            "in the installed ones.",
    .options = list_options,
    .size = sizeof(struct platform_options),
    .run = run_list,
};

/* ---- show ---- */

static void get_hosts(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_platform *platform = row;
  (void)column;
  tutti_cell_format(cell, "%d, %s to %s", platform->host_count, platform->hosts[0],
                    platform->hosts[platform->host_count - 1]);
}

static void get_ranks(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_platform *platform = row;
  (void)column;
  cell->type = TUTTI_CELL_INTEGER;
  cell->integer = (long)platform->host_count * platform->ranks_per_node;
}

/* In microseconds, or nothing where actors cost nothing. */
static void get_cost(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_actor_cost *cost = &((const tutti_platform *)row)->actor_cost;
  (void)column;
  if (cost->start + cost->send + cost->receive + cost->byte + cost->entry > 0)
    tutti_cell_format(cell, "%g us to begin, %g us a message sent, %g us received, %g us a byte, %g us an entry",
                      1e6 * cost->start, 1e6 * cost->send, 1e6 * cost->receive, 1e6 * cost->byte, 1e6 * cost->entry);
}

#define PUBLISHED(heading, key, member, in)                                                                            \
  {                                                                                                                    \
    "published " heading, "published_" key, TUTTI_FIELD(tutti_platform, member), .scale = 1e6, .significant = 9,       \
                                                                                 .suffix = " " in                      \
  }
#define COST(member)                                                                                                   \
  {                                                                                                                    \
    NULL, "actor_cost." #member "_s", TUTTI_FIELD(tutti_platform, actor_cost.member), .digits = 6                      \
  }

static const tutti_column show_facts[] = {
    {"name", "name", TUTTI_FIELD(tutti_platform, name)},
    {"file", "file", TUTTI_FIELD(tutti_platform, path)},
    {"description", "description", TUTTI_FIELD(tutti_platform, description)},
    {"hosts", NULL, .get = get_hosts},
    {NULL, "hosts", TUTTI_FIELD(tutti_platform, host_count)},
    {"ranks per node", "ranks_per_node", TUTTI_FIELD(tutti_platform, ranks_per_node)},
    {"room for ranks", NULL, .get = get_ranks},
    PUBLISHED("alpha", "alpha_s", published_alpha, "us"),
    PUBLISHED("beta", "beta_s_per_B", published_beta, "us/B"),
    PUBLISHED("L", "L_s", published_L, "us"),
    PUBLISHED("o", "o_s", published_o, "us"),
    PUBLISHED("g", "g_s", published_g, "us"),
    PUBLISHED("G", "G_s_per_B", published_G, "us/B"),
    PUBLISHED("gamma", "gamma_s_per_B", published_gamma, "us/B"),
    {"actors", NULL, .get = get_cost},
    {"source", "source", TUTTI_FIELD(tutti_platform, source)},
    {"SHA-256", "sha256", TUTTI_FIELD(tutti_platform, hash)},
    COST(start),
    COST(send),
    COST(receive),
    COST(byte),
    COST(entry),
};

/* One line for each fact; facts that are not known are left out. */
static void print_facts(const tutti_platform *platform)
{
  tutti_cell cell;
  char buffer[TUTTI_CELL_LENGTH];
  for (const tutti_column *fact = show_facts; fact < show_facts + sizeof show_facts / sizeof *show_facts; fact++) {
    if (!fact->heading)
      continue;
    tutti_cell_get(&cell, fact, platform);
    if (cell.type != TUTTI_CELL_NONE)
      printf("%-16s %s\n", fact->heading, tutti_cell_show(&cell, fact, buffer));
  }
}

static int run_show(void *values)
{
  const struct platform_options *chosen = values;
  tutti_platform platform;
  tutti_error error;
  if (platform_load(chosen->name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  tutti_status status = TUTTI_OK;
  if (chosen->format == TUTTI_FORMAT_TEXT)
    print_facts(&platform);
  else
    status =
        tutti_document_print(&(tutti_document){TUTTI_FACTS(show_facts, &platform)}, chosen->format, stdout, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

static const struct option_row show_options[] = {JSON_ROW, OPTION_FORMAT(struct platform_options, format), PLATFORM_ROW,
                                                 OPTION_END};

static const struct command platform_show = {
    .name = "show",
    .help = "Show the properties of a platform file: hosts, published parameters, source.",
    .options = show_options,
    .size = sizeof(struct platform_options),
    .run = run_show,
};

/* ---- check ---- */

/* A larger difference between measured and published values is reported. */
#define TOLERANCE_PERCENT 2.0

struct comparison {
  const char *label, *unit;
  double published, measured;
};

static double difference_percent(const struct comparison *comparison)
{
  double percent = 100 * (comparison->measured - comparison->published) / comparison->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* what is printed as 0.00 has no sign */
}

static bool is_off(const struct comparison *comparison)
{
  return isfinite(comparison->published) && !(fabs(difference_percent(comparison)) <= TOLERANCE_PERCENT);
}

static void get_difference(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_REAL;
  cell->real = difference_percent(row);
}

static void get_verdict(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  if (is_off(row))
    tutti_cell_format(cell, "beyond 2 %%");
}

static const tutti_column comparison_columns[] = {
    {"", NULL, TUTTI_FIELD(struct comparison, label), .width = 6},
    {"", NULL, TUTTI_FIELD(struct comparison, unit), .width = 5},
    {"measured", NULL, TUTTI_FIELD(struct comparison, measured), .scale = 1e6, .significant = 9, .width = 14},
    {"published", NULL, TUTTI_FIELD(struct comparison, published), .scale = 1e6, .significant = 9,
     .none = "not published", .width = 14},
    {"difference", NULL, .get = get_difference, .decimals = 2, .suffix = " %", .none = "", .width = 12,
     .alignment = TUTTI_ALIGN_RIGHT},
    {"", NULL, .get = get_verdict, .none = "", .gap = 2},
};

struct checked {
  const tutti_platform *platform;
  struct comparison alpha, beta;
  bool agrees;
};

static void get_platform(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const struct checked *checked = row;
  tutti_cell_get(cell, column->context, checked->platform);
}

static const tutti_column path = {NULL, NULL, TUTTI_FIELD(tutti_platform, path)},
                          hosts = {NULL, NULL, TUTTI_FIELD(tutti_platform, host_count)},
                          ranks_per_node = {NULL, NULL, TUTTI_FIELD(tutti_platform, ranks_per_node)};

static const tutti_column check_facts[] = {
    {NULL, "file", .get = get_platform, .context = &path},
    {NULL, "hosts", .get = get_platform, .context = &hosts},
    {NULL, "ranks_per_node", .get = get_platform, .context = &ranks_per_node},
    {NULL, "agrees", TUTTI_FIELD(struct checked, agrees)},
    {NULL, "measured_alpha_s", TUTTI_FIELD(struct checked, alpha.measured)},
    {NULL, "published_alpha_s", TUTTI_FIELD(struct checked, alpha.published)},
    {NULL, "measured_beta_s_per_B", TUTTI_FIELD(struct checked, beta.measured)},
    {NULL, "published_beta_s_per_B", TUTTI_FIELD(struct checked, beta.published)},
};

enum { FACTS_WITHOUT_MEASUREMENT = 4 };

static tutti_status print_comparisons(const struct checked *checked, bool measured, tutti_error *error)
{
  const tutti_platform *platform = checked->platform;
  const struct comparison comparisons[] = {checked->alpha, checked->beta};
  const tutti_table table = {TUTTI_COLUMNS(comparison_columns), TUTTI_ROWS(comparisons, 2), .gap = 1};
  printf("%s: valid, %d hosts, %d rank%s per node\n", platform->path, platform->host_count, platform->ranks_per_node,
         tutti_plural((uint64_t)platform->ranks_per_node));
  return measured ? tutti_table_print(&table, stdout, error) : TUTTI_OK;
}

static tutti_status print_check(const struct platform_options *chosen, const struct checked *checked,
                                tutti_error *error)
{
  tutti_document document = {TUTTI_FACTS(check_facts, checked)};
  if (chosen->format == TUTTI_FORMAT_TEXT)
    return print_comparisons(checked, chosen->measure, error);
  if (!chosen->measure)
    document.fact_count = FACTS_WITHOUT_MEASUREMENT;
  return tutti_document_print(&document, chosen->format, stdout, error);
}

static tutti_status measure(const struct platform_options *chosen, struct checked *checked, tutti_error *error)
{
  platform_probe probe;
  char *program = program_find(&(struct program_options){.program = chosen->program}, "smpi", "tutti-pingpong");
  tutti_status status = tutti_platform_probe_run(checked->platform, program, &probe, error);
  free(program);
  if (status != TUTTI_OK)
    return status;
  checked->alpha = (struct comparison){"alpha", "[us]", checked->platform->published_alpha, probe.alpha};
  checked->beta = (struct comparison){"beta", "[us/B]", checked->platform->published_beta, probe.beta};
  checked->agrees = !is_off(&checked->alpha) && !is_off(&checked->beta);
  return TUTTI_OK;
}

static int run_check(void *values)
{
  const struct platform_options *chosen = values;
  tutti_platform platform;
  struct checked checked = {.platform = &platform, .agrees = true};
  tutti_error error;
  if (platform_load(chosen->name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  tutti_status status = chosen->measure ? measure(chosen, &checked, &error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = print_check(chosen, &checked, &error);
  tutti_platform_free(&platform);
  return status != TUTTI_OK ? complain(&error) : checked.agrees ? EXIT_DONE : EXIT_FOUND;
}

static const struct option_row check_options[] = {
    OPTION_FLAG("measure", struct platform_options, measure,
                "simulate messages between the first two hosts and compare with the published values", .aliases = "m"),
    OPTION_PROGRAM(struct platform_options, program, .aliases = "pingpong p"),
    JSON_ROW,
    OPTION_FORMAT(struct platform_options, format),
    PLATFORM_ROW,
    OPTION_END};

static const struct command platform_check = {
    .name = "check",
    .help = "Validate a platform file.",
    .notes = "Exit status: 0 valid, 1 a measured value is more than 2 % off the published one, 2 the file is not valid "
             "or could not be measured.",
    .options = check_options,
    .size = sizeof(struct platform_options),
    .run = run_check,
};

/* ---- hostfile ---- */

static tutti_status write_hostfile(const tutti_platform *platform, const struct platform_options *chosen,
                                   tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(chosen->output, &output, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_write_hostfile(platform, chosen->ranks, output.stream, error);
  return output_file_end(&output, status, error);
}

static int run_hostfile(void *values)
{
  const struct platform_options *chosen = values;
  tutti_platform platform;
  tutti_error error;
  tutti_status status = platform_load(chosen->name, &platform, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  status = write_hostfile(&platform, chosen, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

static tutti_status check_ranks(void *values, tutti_error *error)
{
  const struct platform_options *chosen = values;
  return chosen->ranks > 0 ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "--ranks N is missing");
}

static const struct option_row hostfile_options[] = {
    OPTION_NUMBER("ranks", "N", struct platform_options, ranks, "number of ranks", .letter = 'P', .min = 1,
                  .aliases = "n"),
    OPTION_OUTPUT(struct platform_options, output), PLATFORM_ROW, OPTION_CHECK(check_ranks), OPTION_END};

static const struct command platform_hostfile = {
    .name = "hostfile",
    .arguments = "PLATFORM --ranks N",
    .help = "Write a hostfile for smpirun: one host name a line, each as often in a row as the platform puts ranks on "
            "a node.",
    .options = hostfile_options,
    .size = sizeof(struct platform_options),
    .run = run_hostfile,
};

/* ---- the command ---- */

static const struct command *const verbs[] = {&platform_list, &platform_show, &platform_check, &platform_hostfile,
                                              NULL};

const struct command command_platform = {
    .name = "platform",
    .summary = "list, show and check platforms; write hostfiles",
    .arguments = "list\nshow PLATFORM\ncheck PLATFORM [--measure]\nhostfile PLATFORM --ranks N [-o FILE]",
    .help = "List, show and check platforms; write hostfiles.",
    .notes = "PLATFORM is a file, or a name that is looked up in the directories of TUTTI_PLATFORM_PATH, in "
             "./platforms and in the installed ones. Each verb has its --help.",
    .verbs = verbs,
};
