/* tutti explain --ran: what a decision says of each kind of call, beside what the library did in a program. Methods are
   told apart by their messages: how many, of which size, from which rank to which. */
#include "cli/explain/explain.h"
#include "cli/options/common.h"
#include "cli/options/decider.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"
#include "decision/results/ran_file.h"
#include "tutti/library.h"

/* Schedules are built of no more: a row of a file may say any number. */
enum { MAX_RANKS = 1 << 13, MAX_MESSAGES = 1 << 22 };

/* ---- verdicts ---- */

/* Of its parts some may be others that it has. */
static bool is_of_openmpi(const tutti_method *method)
{
  return tutti_implementation_has(TUTTI_IMPLEMENTATION_OPENMPI, method->algorithm);
}

struct checked_row {
  struct ran_row row;
  tutti_method said, ran; /* no algorithm: not known */
  const char *verdict;    /* static */
};

struct checked_rows {
  TUTTI_VECTOR(struct checked_row);
  size_t calls, equal_calls, other, large; /* the last two are rows */
};

static tutti_explained_call explained_of(const struct ran_row *row)
{
  return (tutti_explained_call){.collective = row->collective,
                                .ranks = row->ranks,
                                .rank_bytes = row->bytes,
                                .type_bytes = row->type_bytes,
                                .ordered = row->ordered,
                                .in_place = row->in_place};
}

/* Only Open MPI tells its messages: what it runs by an id of its settings, then its other algorithms, each as it is
   without parameters. */
static bool find_of_library(const tutti_tuning *untuned, struct checked_row *checked)
{
  const tutti_explained_call call = explained_of(&checked->row);
  const tutti_algorithm *algorithm;
  tutti_method method;
  for (int id = 1; untuned && tutti_openmpi_forced(untuned, &call, id, &method); id++)
    if (method.algorithm && explain_sends(&method, &checked->row)) {
      checked->ran = method;
      return true;
    }
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    method = tutti_method_default(algorithm);
    if (algorithm->collective == checked->row.collective && is_of_openmpi(&method) &&
        explain_sends(&method, &checked->row)) {
      checked->ran = method;
      return true;
    }
  }
  return false;
}

static const char too_large[] = "too large";

static const char *compare(const tutti_tuning *untuned, struct checked_row *checked)
{
  const struct ran_row *row = &checked->row;
  tutti_method said = checked->said;
  said.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  if (row->varied)
    return "varies";
  if (row->sent.count == 0 && row->ranks > 1)
    return "not told";
  if (row->ranks > MAX_RANKS || row->sent.count > MAX_MESSAGES)
    return too_large;
  const bool is_said = said.algorithm && explain_sends(&said, row);
  if (is_said && is_of_openmpi(&said))
    checked->ran = said;
  const bool is_alike = !is_said && said.algorithm && explain_sends_alike(said, row);
  const bool found = checked->ran.algorithm || (!is_alike && find_of_library(untuned, checked));
  return is_said ? "as explained" : is_alike ? "alike" : found ? "another" : "not recognized";
}

static void judge(const struct decider *decider, const tutti_tuning *untuned, struct checked_row *checked)
{
  const tutti_explained_call call = explained_of(&checked->row);
  tutti_explanation explanation = {.step_count = 0};
  must(tutti_explain(decider->tuning, &call, &explanation, &failure));
  if (explanation.known && !explanation.fails)
    checked->said = explanation.method;
  tutti_explanation_free(&explanation);
  checked->verdict = compare(untuned, checked);
}

/* The version of Open MPI that ran, where the file says one that is known, which is returned; else that of Debian 12.
 */
static bool find_version(const struct ran_rows *rows, tutti_library_version *version)
{
  if (tutti_library_version_parse(rows->library, version, NULL) == TUTTI_OK &&
      tutti_library_implementation(version->library) == TUTTI_IMPLEMENTATION_OPENMPI)
    return true;
  must(tutti_library_version_parse("openmpi", version, &failure));
  return false;
}

/* A decision of a library may be of another one than ran, or of another version. */
static void warn_of_version(const struct ran_rows *rows, const struct decider *decider, const char *target)
{
  static const char prefix[] = "library:";
  const char *name = *target ? target : decider->own[0] ? decider->own : decider->name;
  tutti_library_version ran, said;
  char text[40];
  name += strncmp(name, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
  if (!find_version(rows, &ran) || decider->library == TUTTI_IMPLEMENTATION_TUTTI)
    return;
  const bool known = tutti_library_version_parse(name, &said, NULL) == TUTTI_OK;
  if (!known || said.library != ran.library || said.major != ran.major || said.minor != ran.minor)
    tutti_say(stderr, "tutti: warning: %s ran, and explained is %s: they may choose differently\n",
              tutti_library_version_format(&ran, text), name);
}

static void check_collective(const struct explain_options *options, tutti_collective collective,
                             const struct ran_rows *rows, const tutti_tuning *untuned, struct checked_rows *checked)
{
  struct decider decider = {.tuning = NULL};
  tutti_library_version version;
  char target[40] = "", ran[40];
  bool any = false;
  for (size_t i = 0; i < rows->count; i++)
    any = any || rows->items[i].collective == collective;
  if (!any)
    return;
  const bool is_known = find_version(rows, &version);
  const bool is_own = is_known && !options->decision && !options->target && !options->selection.selection.library;
  decider_open(options->decision, is_own ? tutti_library_version_format(&version, ran) : options->target,
               &options->selection, collective, &decider, target);
  if (checked->count == 0)
    warn_of_version(rows, &decider, target);
  for (size_t i = 0; i < rows->count; i++) {
    struct checked_row row = {.row = rows->items[i]};
    if (row.row.collective != collective)
      continue;
    judge(&decider, untuned, &row);
    checked->calls += row.row.calls;
    checked->equal_calls += strcmp(row.verdict, "as explained") == 0 ? row.row.calls : 0;
    checked->other += strcmp(row.verdict, "another") == 0;
    checked->large += row.verdict == too_large;
    tutti_xpush(checked, row);
  }
  decider_close(&decider);
}

/* ---- printing ---- */

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct checked_row, row.collective), .get = cell_collective},
    {"ranks", "ranks", TUTTI_FIELD(struct checked_row, row.ranks)},
    {"size", "rank_B", TUTTI_FIELD(struct checked_row, row.bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"calls", "calls", TUTTI_FIELD(struct checked_row, row.calls)},
    {"messages", "messages", TUTTI_FIELD(struct checked_row, row.sent.count)},
    {"explained", "explained_method", .at = offsetof(struct checked_row, said), .get = cell_method},
    {"ran", "ran_method", .at = offsetof(struct checked_row, ran), .get = cell_method},
    {"", "verdict", TUTTI_FIELD(struct checked_row, verdict)},
};

int explain_ran(const struct explain_options *options)
{
  struct ran_rows rows;
  struct checked_rows checked = {.count = 0};
  tutti_tuning *untuned;
  must(tutti_ran_read(options->ran, options->given ? options->call.collective : TUTTI_COLL_COUNT, &rows, &failure));
  tutti_library_version version;
  find_version(&rows, &version);
  must(tutti_tuning_of_parts(tutti_target_of_version(&version), NULL, 0, &untuned, &failure));
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    check_collective(options, (tutti_collective)c, &rows, untuned, &checked);
  if (checked.count == 0)
    die("%s has no calls%s%s", options->ran, options->given ? " of " : "",
        options->given ? tutti_collective_name(options->call.collective) : "");
  const tutti_table table = {
      .key = "ran_calls", TUTTI_COLUMNS(columns), TUTTI_ROWS(checked.items, checked.count), .keys = 3};
  const tutti_document document = {.tables = &table, .table_count = 1};
  const tutti_format format = options->json ? TUTTI_FORMAT_JSON : options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_TEXT;
  must(tutti_document_print(&document, format, stdout, &failure));
  if (format == TUTTI_FORMAT_TEXT)
    print_sentence(0, "\nas explained: %zu of %zu call%s", checked.equal_calls, checked.calls,
                   tutti_plural(checked.calls));
  if (checked.large > 0)
    tutti_say(stderr, "tutti: note: %zu kind%s of calls passed over (too large): more than %d ranks or %d messages\n",
              checked.large, tutti_plural(checked.large), MAX_RANKS, MAX_MESSAGES);
  const int status = checked.other > 0 ? EXIT_FOUND : EXIT_DONE;
  tutti_tuning_close(untuned);
  tutti_vector_free(&rows);
  tutti_vector_free(&checked);
  return status;
}
