/* Importing: the format of a file, its lines, at the end whether anything was in it; storing all of it in one
 * transaction. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/label.h"
#include "base/words.h"
#include "harness/store/import_file.h"
#include "harness/store/private.h"
#include "tutti/import.h"

static const struct {
  const char *name, *program;
  const struct import_reader *reader;
} formats[TUTTI_IMPORT_GUESS] = {
    [TUTTI_IMPORT_OSU] = {"osu", "osu", &tutti_import_osu},
    [TUTTI_IMPORT_IMB] = {"imb", "imb", &tutti_import_imb},
    [TUTTI_IMPORT_REPRO] = {"repro", "reprompi", &tutti_import_repro},
    [TUTTI_IMPORT_PICO] = {"pico", "pico", &tutti_import_pico},
    [TUTTI_IMPORT_NCCL] = {"nccl", "nccl-tests", &tutti_import_nccl},
    [TUTTI_IMPORT_OMPI] = {"ompi", "ompi-tuning", &tutti_import_ompi},
    [TUTTI_IMPORT_CSV] = {"csv", "csv", &tutti_import_csv},
};

tutti_status tutti_import_format_parse(const char *name, tutti_import_format *format, tutti_error *error)
{
  for (int f = 0; f < TUTTI_IMPORT_GUESS; f++)
    if (strcmp(formats[f].name, name) == 0) {
      *format = (tutti_import_format)f;
      return TUTTI_OK;
    }
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int f = 0; f < TUTTI_IMPORT_GUESS; f++)
    tutti_guess_try(&guess, formats[f].name);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown format '%.80s'%s: known are osu, imb, repro, pico, nccl, ompi, csv", name,
                    tutti_guess_text(&guess, meant));
}

static tutti_import_format recognize(const char *line)
{
  int f = 0;
  while (f < TUTTI_IMPORT_GUESS && !formats[f].reader->recognizes(line))
    f++;
  return (tutti_import_format)f;
}

/* Lines before the first one that identifies the format are not read. */
static tutti_status take_line(struct import_file *file, tutti_import_format *format, char *line, tutti_error *error)
{
  if (*format == TUTTI_IMPORT_GUESS)
    *format = recognize(line);
  if (*format == TUTTI_IMPORT_GUESS)
    return TUTTI_OK;
  if (!*file->program)
    snprintf(file->program, sizeof file->program, "%s", formats[*format].program);
  return formats[*format].reader->take(file, line, error);
}

/* The text without what is put into or before lines. Those of tables with any headings may begin with a time. */
static char *skip_prefix(char *line, tutti_import_format format)
{
  tutti_strip_escapes(line);
  return format == TUTTI_IMPORT_CSV ? tutti_skip_label(line) : tutti_skip_prefix(line);
}

/* Facts in lines of any format; rows of numbers have none. */
static void note_line(struct import_file *file, tutti_import_format format, const char *line)
{
  tutti_import_note_settings(file, line, tutti_import_note_launch(file, line));
  tutti_import_note_failure(file, line);
  if (format == TUTTI_IMPORT_GUESS || format == TUTTI_IMPORT_NCCL)
    tutti_import_note_nccl(file, line);
}

static tutti_status take_lines(struct import_file *file, FILE *stream, tutti_import_format *format, tutti_error *error)
{
  struct tutti_lines lines;
  struct import_rows rows = {.words = 0};
  tutti_status status = tutti_lines_open_stream(&lines, stream, file->name, error);
  lines.zeros = true;
  while (status == TUTTI_OK && tutti_lines_next(&lines)) {
    file->line++;
    char *text = skip_prefix(lines.text, *format);
    if (!lines.ended && *format != TUTTI_IMPORT_GUESS && tutti_import_is_cut_off(&rows, text)) {
      status =
          tutti_import_go_on(file, tutti_import_fail(file, error, "the file ends within this row", "'%.60s'", text));
      continue;
    }
    tutti_import_note_row(&rows, text);
    if (file->csv.count == 0 && text[strspn(text, "0123456789.+- \t")] != '\0')
      note_line(file, *format, text);
    status = tutti_import_go_on(file, take_line(file, format, text, error));
  }
  return tutti_lines_leave(&lines, status);
}

static uint64_t content_of(const tutti_imported *imported)
{
  return imported->count + imported->passed.count + imported->allocations.count;
}

/* A file in which nothing was met, not even something to pass over, is passed over itself. */
static tutti_status check_content(tutti_imported *imported, uint64_t before, tutti_import_format format,
                                  const char *name, tutti_error *error)
{
  if (format == TUTTI_IMPORT_GUESS)
    return tutti_pass_over(
        &imported->passed, name, 0,
        "no known benchmark printed this, as far as can be seen (--format; a table of any headings: --map)", error,
        "%s", "");
  if (content_of(imported) == before)
    return tutti_pass_over(&imported->passed, name, 0, "no times of a collective", error, "%s", "");
  return TUTTI_OK;
}

tutti_status tutti_import_read(tutti_imported *imported, const tutti_import_how *how, FILE *stream, const char *name,
                               tutti_error *error)
{
  struct import_passing passing = {.why = NULL};
  struct import_file file = {.how = how, .imported = imported, .name = name, .passing = &passing};
  tutti_import_format format = how->format;
  imported->tables++;
  const uint64_t before = content_of(imported);
  tutti_status status = take_lines(&file, stream, &format, error);
  if (format != TUTTI_IMPORT_GUESS && formats[format].reader->end)
    status = formats[format].reader->end(&file, status, error);
  tutti_import_end_left(&file);
  tutti_import_settings_free(&file.settings);
  free(file.answer.settings);
  return status == TUTTI_OK ? check_content(imported, before, format, name, error) : status;
}

void tutti_imported_free(tutti_imported *imported)
{
  for (size_t i = 0; i < imported->count; i++)
    free(imported->items[i].settings);
  for (size_t i = 0; i < imported->origins.count; i++) {
    free(imported->origins.items[i].platform);
    free(imported->origins.items[i].library);
    free(imported->origins.items[i].run);
  }
  for (size_t i = 0; i < imported->allocations.count; i++) {
    free(imported->allocations.items[i].machine);
    free(imported->allocations.items[i].run);
  }
  for (size_t i = 0; i < imported->sources.count; i++)
    free(imported->sources.items[i]);
  free(imported->sources.items);
  free(imported->origins.items);
  free(imported->allocations.items);
  tutti_passed_free(&imported->passed);
  free(imported->items);
  free(imported->told);
  tutti_index_free(&imported->index);
  free(imported->warnings);
  *imported = (tutti_imported){.items = NULL};
}

/* ---- storing ---- */

const char *tutti_import_flavor(const char *library)
{
  static const struct {
    const char *word, *flavor;
  } words[] = {{"open mpi", "openmpi"}, {"open-mpi", "openmpi"}, {"openmpi", "openmpi"},
               {"ompi", "openmpi"},     {"fjmpi", "openmpi"},    {"mpich", "mpich"},
               {"mvapich", "mpich"},    {"intel", "mpich"},      {"impi", "mpich"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(library, words[i].word))
      return words[i].flavor;
  return "other";
}

static bool is_same_text(const char *left, const char *right)
{
  return strcmp(left ? left : "", right ? right : "") == 0;
}

static bool are_of_one_table(const tutti_import_item *left, const tutti_import_item *right)
{
  return left->table == right->table && left->origin == right->origin && strcmp(left->program, right->program) == 0 &&
         is_same_text(left->settings, right->settings) && left->measurement.scheme == right->measurement.scheme &&
         left->measurement.method.algorithm->collective == right->measurement.method.algorithm->collective;
}

/* How many items from this one on are of one table, without a point that is there twice. */
static size_t table_of(const tutti_import_item *items, size_t count)
{
  void *points = NULL;
  size_t length = 0;
  while (length < count && are_of_one_table(&items[length], items) &&
         (*tutti_import_points_add(&points, &items[length].measurement))++ == 0)
    length++;
  tutti_import_points_free(&points);
  return length;
}

/* The environment of a table: facts in its rows override those of the caller. */
static tutti_environment environment_of(const tutti_imported *imported, const tutti_import_item *item,
                                        const tutti_environment *said)
{
  tutti_environment environment = *said;
  environment.tutti = item->program;
  environment.settings = item->settings;
  if (item->origin == 0)
    return environment;
  const tutti_import_origin *origin = &imported->origins.items[item->origin - 1];
  environment.platform = origin->platform;
  environment.library = origin->library;
  environment.flavor = tutti_import_flavor(origin->library);
  environment.hosts = tutti_import_hosts(imported, origin);
  return environment;
}

static tutti_status store_all(const tutti_imported *imported, const tutti_environment *said, tutti_store *store,
                              tutti_import_stored *counts, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  void *seen = NULL;
  for (size_t i = 0, length; i < imported->count && status == TUTTI_OK; i += length) {
    const tutti_import_item *items = &imported->items[i];
    int64_t id;
    length = table_of(items, imported->count - i);
    const tutti_environment environment = environment_of(imported, items, said);
    status = tutti_store_environment(store, &environment, &id, error);
    if (status == TUTTI_OK)
      status = tutti_import_store_table(items, length, store, id, &seen, counts, error);
  }
  tutti_import_seen_free(&seen);
  return status;
}

tutti_status tutti_import_store(const tutti_imported *imported, const tutti_import_machine *machine, tutti_store *store,
                                tutti_import_stored *counts, tutti_error *error)
{
  tutti_environment environment = {.platform = machine->platform,
                                   .platform_hash = "",
                                   .flavor = machine->flavor    ? machine->flavor
                                             : machine->library ? tutti_import_flavor(machine->library)
                                                                : NULL,
                                   .library = machine->library};
  *counts = (tutti_import_stored){0};
  tutti_status status = tutti_store_begin_together(store, error);
  if (status == TUTTI_OK)
    status = tutti_store_end_together(store, store_all(imported, &environment, store, counts, error), error);
  return status;
}
