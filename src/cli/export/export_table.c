/* What was exported, and what was lost. */
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/utf8.h"
#include "cli/export/export.h"
#include "cli/options/comparisons.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"
#include "harness/experiments/launch/launcher.h"

static void print_part(const tutti_export_part *part, FILE *stream)
{
  fprintf(stream, "%s: decided by %s", tutti_collective_name(part->table.collective), part->decision->name);
  if (!part->map) {
    fprintf(stream, "\n");
    return;
  }
  fputs("; ", stream);
  tutti_export_part_print(part, stream);
  fprintf(stream, "\n");
}

char *export_describe(const struct exported *exported)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (int i = 0; i < exported->part_count; i++)
    print_part(&exported->parts[i], text.stream);
  char *described = tutti_xclose_text(&text);
  tutti_utf8_clean(described); /* it is part of files that are read again */
  return described;
}

/* Of a penalty, which is absent if no point was counted. */
static void get_penalty(tutti_cell *cell, const void *row)
{
  const tutti_penalty *penalty = TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_real(cell, penalty->points == 0 ? NAN : cell->column->index ? penalty->max : penalty->mean);
}

/* Time that the file adds, relative to the library's own choice. */
static void get_untuned(tutti_cell *cell, const void *row)
{
  const double gain = *(const double *)TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_real(cell, ((const tutti_export_part *)row)->untuned.points > 0 ? 0 - gain : NAN); /* no negative zero */
}

static const tutti_column part_columns[] = {
    {NULL, "collective", TUTTI_FIELD(tutti_export_part, table.collective), .get = cell_collective},
    {NULL, "decision", TUTTI_FIELD_THROUGH(tutti_export_part, decision, tutti_decision, name)},
    {NULL, "points", TUTTI_FIELD(tutti_export_part, points)},
    {NULL, "replaced", TUTTI_FIELD(tutti_export_part, replaced)},
    {NULL, "before.mean_percent", .at = offsetof(tutti_export_part, before), .get = get_penalty},
    {NULL, "before.max_percent", .at = offsetof(tutti_export_part, before), .get = get_penalty, .index = 1},
    {NULL, "after.mean_percent", .at = offsetof(tutti_export_part, after), .get = get_penalty},
    {NULL, "after.max_percent", .at = offsetof(tutti_export_part, after), .get = get_penalty, .index = 1},
    {NULL, "missing", TUTTI_FIELD(tutti_export_part, after.missing)},
    {NULL, "own_choices", TUTTI_FIELD(tutti_export_part, after.own_choice)},
    {NULL, "candidates", .at = offsetof(tutti_decision_map, candidates),
     .through = offsetof(tutti_export_part, map) + 1, .get = cell_candidates},
    {NULL, "untuned.points", TUTTI_FIELD(tutti_export_part, untuned.points)},
    {NULL, "untuned.mean_percent", TUTTI_FIELD(tutti_export_part, untuned.mean), .get = get_untuned},
    {NULL, "untuned.max_percent", TUTTI_FIELD(tutti_export_part, untuned.min), .get = get_untuned},
    {NULL, "untuned.slower", TUTTI_FIELD(tutti_export_part, untuned.slower)},
    {NULL, "untuned.faster", TUTTI_FIELD(tutti_export_part, untuned.faster)},
};

static bool says_nothing(const struct exported *exported)
{
  for (int i = 0; i < exported->part_count; i++)
    if (tutti_step_table_answers(&exported->parts[i].table))
      return false;
  return true;
}

static int most_ranks(const struct measured_map *map)
{
  return map->map.ranks[map->map.ranks_count - 1];
}

/* Of several collectives the one of most ranks says how the ranks of a comparison are started. NULL: the library's own
   times are not known. */
static const struct measured_map *find_judge(const struct exported *exported)
{
  const struct measured_map *judge = NULL;
  for (int i = 0; i < exported->part_count; i++) {
    const struct measured_map *map = &exported->maps[exported->parts[i].table.collective];
    if (exported->parts[i].untuned.points > 0 && (!judge || most_ranks(map) > most_ranks(judge)))
      judge = map;
  }
  return judge;
}

/* Whether a library reads files of the target. */
static bool reads(const struct export_options *options, const char *flavor, const char *library)
{
  tutti_library_version version;
  return tutti_library_version_of_run(flavor, library, &version, NULL) == TUTTI_OK &&
         tutti_target_of_version(&version) == options->target;
}

/* Whether the library can be compared: it is the one that was measured, or the one that is installed. @p here receives
   that one; "": none is. */
static bool can_compare(const struct export_options *options, const struct measured_map *judge,
                        char here[LAUNCHER_LIBRARY_LENGTH])
{
  const char *flavor = tutti_implementation_name(tutti_target_implementation(options->target));
  if (!tutti_launcher_installed(flavor, here))
    *here = '\0';
  return (judge && reads(options, flavor, judge->library)) || (*here && reads(options, flavor, here));
}

/* Nobody has seen yet what the file wins: where the library's own times say what it is worth, they are those that the
   decision was learnt from. */
static void suggest_comparison(const struct export_options *options, const struct exported *exported)
{
  const struct measured_map *judge = find_judge(exported);
  char *file = tutti_xshell_word(options->path), *words = tutti_xprintf("compare untuned %s --between", file);
  char *command = judge ? selection_command(&options->selection, judge, words, true) : tutti_xprintf("tutti %s", words);
  char here[LAUNCHER_LIBRARY_LENGTH], where[LAUNCHER_LIBRARY_LENGTH + 80] = "";
  if (!can_compare(options, judge, here))
    snprintf(where, sizeof where, ", on a machine with a library that reads it (%s%s)",
             *here ? "here is " : "none is here", here);
  char *doubt =
      tutti_xprintf("Not compared yet.%s To measure what the file wins and loses, before it is used%s:",
                    judge ? " The figures above are of the times that were learnt from, luck included." : "", where);
  tutti_print_folded(stderr, 0, doubt);
  tutti_say(stderr, "  %s\n", command);
  free(doubt);
  free(file);
  free(words);
  free(command);
}

/* What pairs of launches in the store say comes before what single measurements promise. */
static void print_comparisons(const struct export_options *options, const struct exported *exported)
{
  for (int i = 0; i < exported->part_count; i++) {
    const tutti_export_part *part = &exported->parts[i];
    char *note = part->map && *options->selection.platform
                     ? comparisons_note(&options->selection, &exported->maps[part->table.collective])
                     : NULL;
    if (note)
      tutti_print_folded(stderr, 0, note);
    free(note);
  }
}

/* What the file says of itself, folded on a terminal. */
static void print_comment(const char *comment)
{
  for (const char *line = comment; *line;) {
    const size_t length = strcspn(line, "\n");
    char *text = tutti_xprintf("%.*s", (int)length, line);
    tutti_print_folded(stderr, 0, text);
    free(text);
    line += length + (line[length] == '\n');
  }
}

/* Standard output, a pipe or a device is no file that a library could be told to read. */
static bool is_kept(const char *path)
{
  struct stat about;
  return strcmp(path, "-") != 0 && strcmp(path, "/dev/stdout") != 0 && stat(path, &about) == 0 &&
         S_ISREG(about.st_mode);
}

/* A file whose text does not show which version it is for is judged for another one, unless lint is told. */
static void suggest_target(const struct export_options *options)
{
  const tutti_library_version wanted = tutti_library_version_of_target(options->target);
  tutti_library_version seen;
  char *text, name[40];
  size_t length;
  if (tutti_input_read_bytes(options->path, TUTTI_INPUT_TEXT, &text, &length, NULL) != TUTTI_OK)
    return;
  if (tutti_tuning_identify(options->path, text, length, NULL, NULL, &seen, NULL) == TUTTI_OK &&
      seen.library == wanted.library && tutti_target_of_version(&seen) != tutti_target_of_version(&wanted)) {
    char *file = tutti_xshell_word(options->path);
    tutti_say(stderr, "The file does not say for which version it is: tutti lint --target %s %s\n",
              tutti_library_version_format(&wanted, name), file);
    free(file);
  }
  free(text);
}

void export_print(const struct export_options *options, const struct exported *exported, const char *comment)
{
  const tutti_table table = {
      .key = "parts", TUTTI_COLUMNS(part_columns), TUTTI_ROWS(exported->parts, exported->part_count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  char whole[PATH_MAX]; /* a file that is not known by its whole path is not found from other directories */
  print_comparisons(options, exported);
  print_comment(comment);
  if (says_nothing(exported))
    tutti_say(stderr, "The library's own choice everywhere: there is nothing to install\n");
  else if (options->path && is_kept(options->path)) {
    if (tutti_target_implementation(options->target) != TUTTI_IMPLEMENTATION_TUTTI &&
        !options->target->kind) /* of the main reader of an MPI library */
      suggest_comparison(options, exported);
    suggest_target(options);
    tutti_target_print_use(options->target, realpath(options->path, whole) ? whole : options->path, stderr);
  }
  if (options->json || options->csv)
    must(tutti_document_print(&document, options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_JSON, stdout, &failure));
}
