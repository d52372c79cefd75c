/* tutti export: decisions as files that MPI libraries and others read. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"
#include "tutti/target.h"

struct export_options {
  struct selection_options selection;
  const tutti_target *target;
  const char *path;         /* NULL: standard output */
  int min_ranks, max_ranks; /* 0: not given */
  bool extend, json, csv;
  tutti_collective collective;
  bool one; /* the collective; else all that the decisions answer for */
  struct option_strings names;
};

/* Decisions, and what becomes of them. */
struct exported {
  tutti_decision *decisions; /* as many as names */
  int part_count;
  tutti_export_part parts[TUTTI_COLL_COUNT];
  tutti_decision_map maps[TUTTI_COLL_COUNT];
};

/* ---- from decisions to what the target supports ---- */

static tutti_range range_of(const struct export_options *options, const tutti_decision_map *map)
{
  tutti_range range = map ? tutti_range_of_map(map) : tutti_range_without_map(TUTTI_EVERY_RANKS);
  if (options->max_ranks) {
    range.min_ranks = options->min_ranks;
    range.max_ranks = options->max_ranks;
    range.extend = false;
  }
  range.extend = range.extend || options->extend;
  return range;
}

/* Is there an answer at all? Every size is asked about only where there is. */
static bool answers(const tutti_decision *decision, tutti_collective collective, int max_ranks)
{
  const tutti_rule *rule;
  tutti_question question = {.collective = collective};
  tutti_method method;
  for (uint64_t p = 2; p <= (uint64_t)max_ranks; p += p < 64 ? 1 : p / 8)
    for (int bit = 0; bit < 64; bit++) {
      question.ranks = (int)p;
      question.rank_bytes = (UINT64_C(1) << bit) - (bit < 32);
      if (decision->decide(decision, &question, &method))
        return true;
    }
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    question.ranks = rule->ranks[0] < 2 ? 2 : (int)rule->ranks[0];
    question.rank_bytes = rule->bytes[0];
    if (decision->decide(decision, &question, &method))
      return true;
  }
  return false;
}

static tutti_status read_map(const struct export_options *options, tutti_collective collective, tutti_decision_map *map,
                             tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_status status = selection_read_map(&options->selection, collective, &measured, error);
  *map = measured.map;
  return status;
}

static tutti_status export_collective(const struct export_options *options, const tutti_decision *decision,
                                      tutti_collective collective, struct exported *exported, tutti_error *error)
{
  tutti_decision_map *map = &exported->maps[collective];
  bool measured = *options->selection.platform;
  for (int i = 0; i < exported->part_count; i++)
    if (exported->parts[i].table.collective == collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s and %s both decide on %s: say which with --collective, or leave "
                        "one out",
                        exported->parts[i].decision->name, decision->name, tutti_collective_name(collective));
  tutti_status status = measured ? read_map(options, collective, map, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  tutti_range range = range_of(options, measured ? map : NULL);
  status = tutti_export_part_create(options->target, decision, collective, &range, exported->parts,
                                    exported->part_count, &exported->parts[exported->part_count], error);
  exported->part_count += status == TUTTI_OK;
  return status;
}

/* Collectives of which others are made come first: what others run depends on what the file says about them. */
static tutti_status export_decision(const struct export_options *options, const tutti_decision *decision, bool last,
                                    struct exported *exported, tutti_error *error)
{
  int max = options->max_ranks ? options->max_ranks : INT_MAX;
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if ((!options->one || options->collective == (tutti_collective)c) &&
        tutti_export_comes_last((tutti_collective)c) == last && answers(decision, (tutti_collective)c, max))
      status = export_collective(options, decision, (tutti_collective)c, exported, error);
  return status;
}

/* In a file parts stand in the order of the decisions, then of the collectives. */
static int compare_parts(const void *left, const void *right)
{
  const tutti_export_part *a = left, *b = right;
  if (a->decision != b->decision)
    return a->decision < b->decision ? -1 : 1;
  return (a->table.collective > b->table.collective) - (a->table.collective < b->table.collective);
}

static tutti_status check_answers(const struct exported *exported, size_t count, tutti_error *error)
{
  for (size_t i = 0; i < count; i++) {
    bool answered = false;
    for (int p = 0; p < exported->part_count; p++)
      answered = answered || exported->parts[p].decision == &exported->decisions[i];
    if (!answered)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for what is to be written",
                        exported->decisions[i].name);
  }
  return TUTTI_OK;
}

/* Make the parts of all decisions; exported_free() in any case. */
static tutti_status export_all(const struct export_options *options, struct exported *exported, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  size_t count = options->names.count;
  const char *collective = options->one ? tutti_collective_name(options->collective) : NULL;
  exported->decisions = tutti_xcalloc(count, sizeof *exported->decisions);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = decision_argument_read(options->names.items[i], collective, &exported->decisions[i], error);
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < count && status == TUTTI_OK; i++)
      status = export_decision(options, &exported->decisions[i], last, exported, error);
  if (status == TUTTI_OK)
    status = check_answers(exported, count, error);
  if (status == TUTTI_OK && exported->part_count > 0)
    qsort(exported->parts, (size_t)exported->part_count, sizeof *exported->parts, compare_parts);
  return status;
}

static void exported_free(struct exported *exported, size_t names)
{
  for (int i = 0; i < exported->part_count; i++)
    tutti_export_part_free(&exported->parts[i]);
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    tutti_decision_map_free(&exported->maps[i]);
  for (size_t i = 0; exported->decisions && i < names; i++)
    tutti_decision_free(&exported->decisions[i]);
  free(exported->decisions);
}

/* ---- options ---- */

static void begin(void *values)
{
  struct export_options *options = values;
  options->selection.optional = true;
}

static tutti_status read_target(void *member, const char *text, tutti_error *error)
{
  return tutti_target_find(text, member, error);
}

/* FROM..TO */
static tutti_status read_ranks(void *values, const char *text, tutti_error *error)
{
  struct export_options *options = values;
  const char *dots = strstr(text, "..");
  uint64_t min, max;
  char *from = tutti_xstrndup(text, dots ? (size_t)(dots - text) : 0);
  bool good =
      dots && tutti_parse_integer(from, 2, INT_MAX - 1, &min) && tutti_parse_integer(dots + 2, min, INT_MAX - 1, &max);
  free(from);
  if (!good)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.40s' is not FROM..TO, two numbers of ranks, at least 2", text);
  options->min_ranks = (int)min;
  options->max_ranks = (int)max;
  return TUTTI_OK;
}

static tutti_status check(void *values, tutti_error *error)
{
  const struct export_options *options = values;
  if (!options->names.count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which decision?");
  if (!options->target)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--format TARGET is missing");
  if ((options->json || options->csv) && !options->path)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--json and --csv need --output: the file takes standard output");
  return TUTTI_OK;
}

static const struct option_row option_table[] = {
    OPTION_HEADING("Output:"),
    OPTION_PARSE("format", "TARGET", struct export_options, target, read_target, "what to write: see below"),
    OPTION_OUTPUT(struct export_options, path),
    OPTION_PARSE("collective", "NAME", struct export_options, collective, option_collective, "only this collective",
                 OPTION_GIVEN(struct export_options, one)),
    OPTION_PARSE_ALL("ranks", "A..B", read_ranks, "communicator sizes", .letter = 'P',
                     .otherwise = "the measured ones, or 2..1024"),
    OPTION_FLAG("extend", struct export_options, extend,
                "let the answers of the ends hold beyond what was measured, or --ranks"),
    OPTION_JSON(struct export_options, json),
    OPTION_CSV(struct export_options, csv),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct export_options, selection, selection_table),
    ARGUMENT_STRINGS("DECISION", struct export_options, names, .optional = true),
    OPTION_BEGIN(begin),
    OPTION_CHECK(check),
    OPTION_END};

/* The targets, below the options. */
static char *list_targets(void)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  fprintf(list.stream, "Targets (openmpi and mpich are the versions of Debian 12):\n");
  for (size_t i = 0; tutti_target_at(i); i++)
    fprintf(list.stream, "  %-12s %s\n", tutti_target_at(i)->name, tutti_target_at(i)->summary);
  return tutti_xclose_text(&list);
}

/* ---- what was exported, and what was lost ---- */

static void print_part(const tutti_export_part *part, FILE *stream)
{
  fprintf(stream, "%s: decided by %s", tutti_collective_name(part->table.collective), part->decision->name);
  if (!part->map) {
    fprintf(stream, "\n");
    return;
  }
  fprintf(stream, "; %d of %d points (%.1f %%) replaced", part->replaced, part->points,
          part->points ? 100.0 * part->replaced / part->points : 0);
  if (part->before.points > 0)
    fprintf(stream, "; penalty before: mean %.2f %%, worst %.2f %%", part->before.mean, part->before.max);
  if (part->after.points > 0)
    fprintf(stream, "; as written: mean %.2f %%, worst %.2f %%", part->after.mean, part->after.max);
  if (part->after.missing > 0)
    fprintf(stream, " (%d points could not be counted)", part->after.missing);
  fprintf(stream, "\n");
}

/* A line for each part, which is the comment of the file, too. */
static char *describe(const struct exported *exported)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (int i = 0; i < exported->part_count; i++)
    print_part(&exported->parts[i], text.stream);
  return tutti_xclose_text(&text);
}

static void get_decision(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = ((const tutti_export_part *)row)->decision->name;
}

/* Of a penalty, none if no point was counted: `index` 0 the mean, 1 the largest. */
static void get_penalty(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_penalty *penalty = TUTTI_FIELD_OF(row, column);
  cell->type = penalty->points > 0 ? TUTTI_CELL_REAL : TUTTI_CELL_NONE;
  cell->real = column->index ? penalty->max : penalty->mean;
}

static const tutti_column part_columns[] = {
    {NULL, "collective", TUTTI_FIELD(tutti_export_part, table.collective), .get = cell_collective},
    {NULL, "decision", .get = get_decision},
    {NULL, "points", TUTTI_FIELD(tutti_export_part, points)},
    {NULL, "replaced", TUTTI_FIELD(tutti_export_part, replaced)},
    {NULL, "before.mean_percent", .at = offsetof(tutti_export_part, before), .get = get_penalty},
    {NULL, "before.max_percent", .at = offsetof(tutti_export_part, before), .get = get_penalty, .index = 1},
    {NULL, "after.mean_percent", .at = offsetof(tutti_export_part, after), .get = get_penalty},
    {NULL, "after.max_percent", .at = offsetof(tutti_export_part, after), .get = get_penalty, .index = 1},
    {NULL, "missing", TUTTI_FIELD(tutti_export_part, after.missing)},
};

/* A file that is not known by its whole path is not found from other directories. */
static tutti_status print(const struct export_options *options, const struct exported *exported, const char *comment,
                          tutti_error *error)
{
  const tutti_table table = {
      .key = "parts", TUTTI_COLUMNS(part_columns), TUTTI_ROWS(exported->parts, exported->part_count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  char whole[PATH_MAX];
  fprintf(stderr, "%s", comment);
  if (options->path)
    options->target->print_use(realpath(options->path, whole) ? whole : options->path, stderr);
  if (!options->json && !options->csv)
    return TUTTI_OK;
  return tutti_document_print(&document, options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_JSON, stdout, error);
}

/* ---- the command ---- */

static tutti_status write_file(const struct export_options *options, const struct exported *exported,
                               tutti_error *error)
{
  struct output_file output;
  char *comment = describe(exported);
  tutti_status status = output_file_begin(options->path, &output, error);
  if (status == TUTTI_OK) {
    status = options->target->write(exported->parts, exported->part_count, comment, output.stream, error);
    status = output_file_end(&output, status, error);
  }
  if (status == TUTTI_OK)
    status = print(options, exported, comment, error);
  free(comment);
  return status;
}

static int run(void *values)
{
  const struct export_options *options = values;
  struct exported exported = {0};
  tutti_error error;
  tutti_status status = export_all(options, &exported, &error);
  if (status == TUTTI_OK)
    status = write_file(options, &exported, &error);
  exported_free(&exported, options->names.count);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_export = {
    .name = "export",
    .summary = "write decisions as files that MPI libraries and others read",
    .arguments = "DECISION...",
    .help =
        "Write decisions as a file that an MPI library, or another program, reads. A DECISION is a file of rules or "
        "trees, or a method (bcast/binomial). What the target does not support is replaced by what costs least, by "
        "the measurements of --platform, of what it supports; the loss is reported.",
    .list = list_targets,
    .options = option_table,
    .size = sizeof(struct export_options),
    .run = run,
};
