/* Tuning files under the linter of every library, and looked up: what is said has a place in the file, and the sizes
   that an explanation claims to hold for have the same explanation at both ends. */
#include "kinds.h"
#include "tutti/tuning.h"

static const char *const targets[] = {"openmpi-4.1", "openmpi-5.0.7", "openmpi-6", "mpich-4.0", "mpich-4.3",
                                      "mpich-5.1",   "ucc",           "intelmpi",  "mvapich",   "mvapich2",
                                      "tutti",       "nccl",          "ncclx"};

enum { TARGETS = sizeof targets / sizeof *targets };

static int count_lines(const fuzz_text *text)
{
  int lines = 1;
  for (size_t i = 0; i < text->length; i++)
    lines += text->bytes[i] == '\n';
  return lines;
}

static void check_findings(const fuzz_trial *trial, const tutti_findings *findings)
{
  int lines = count_lines(trial->text);
  for (size_t i = 0; i < findings->count; i++) {
    const tutti_finding *finding = &findings->items[i];
    if (finding->line < 1 || finding->line > lines || finding->column < 1 || !*finding->message)
      fuzz_fail(trial, "%s at %d:%d of %d lines", finding->code->name, finding->line, finding->column, lines);
    if (i > 0 && finding[-1].line > finding->line)
      fuzz_fail(trial, "%s is out of order", finding->code->name);
  }
}

static void check_end(const fuzz_trial *trial, const tutti_tuning *tuning, tutti_explained_call call,
                      const tutti_explanation *here, uint64_t bytes)
{
  tutti_explanation there;
  tutti_error error = {0};
  call.rank_bytes = bytes;
  fuzz_good(trial, "explaining", tutti_explain(tuning, &call, &there, &error), &error);
  if (strcmp(there.algorithm, here->algorithm) != 0 || there.fails != here->fails)
    fuzz_fail(trial, "%s on %d ranks: %s from %" PRIu64 " to %" PRIu64 " B, but %s at %" PRIu64,
              tutti_collective_name(call.collective), call.ranks, here->algorithm, here->min, here->max,
              there.algorithm, bytes);
  tutti_explanation_free(&there);
}

static void ask(const fuzz_trial *trial, const tutti_tuning *tuning, const tutti_explained_call *call)
{
  tutti_explanation here;
  tutti_error error = {0};
  fuzz_good(trial, "explaining", tutti_explain(tuning, call, &here, &error), &error);
  if (call->rank_bytes < here.min || call->rank_bytes > here.max)
    fuzz_fail(trial, "%" PRIu64 " B are not between %" PRIu64 " and %" PRIu64, call->rank_bytes, here.min, here.max);
  check_end(trial, tuning, *call, &here, here.min);
  check_end(trial, tuning, *call, &here, here.max);
  tutti_explanation_free(&here);
}

/* The largest calls: sizes that no file can tell apart, so that only the look-up itself is tried. */
static void ask_largest(const fuzz_trial *trial, const tutti_tuning *tuning)
{
  static const int per_node[] = {0, 1, 2, 64, INT_MAX};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int n = 0; n < 5; n++) {
      tutti_explanation here;
      tutti_error error = {0};
      const tutti_explained_call call = {.collective = (tutti_collective)c,
                                         .ranks = INT_MAX,
                                         .ranks_per_node = per_node[n],
                                         .rank_bytes = n % 2 ? UINT64_MAX : (uint64_t)INT64_MAX};
      fuzz_good(trial, "explaining", tutti_explain(tuning, &call, &here, &error), &error);
      tutti_explanation_free(&here);
    }
}

/* Sizes that are multiples of the type, as those at the ends of a range are not: they are asked with one byte. */
static void look_up(const fuzz_trial *trial, const tutti_tuning *tuning)
{
  static const int ranks[] = {1, 2, 5, 8, 33};
  static const uint64_t bytes[] = {0, 7, 1024, 100000};
  int skip = trial->aborts ? 8 : 1, number = (int)trial->text->length; /* libFuzzer: an eighth, another for each text */
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int r = 0; r < 5; r++)
      for (int b = 0; b < 4; b++)
        if (number++ % skip == 0)
          ask(trial, tuning,
              &(tutti_explained_call){.collective = (tutti_collective)c,
                                      .ranks = ranks[r],
                                      .ranks_per_node = r % 3,
                                      .rank_bytes = bytes[b],
                                      .type_bytes = 1});
}

/* Files of MPICH need not have all collectives to be read. */
static bool is_read(const tutti_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    if (findings->items[i].code->severity == TUTTI_ERROR && strcmp(findings->items[i].code->name, "MPICH-002") != 0)
      return false;
  return true;
}

/* What can be mended is, and nothing of these kinds is left. */
static void mend(const fuzz_trial *trial, const tutti_library_version *version, const char *path)
{
  tutti_fixed fixed = {0};
  tutti_tuning_fix(trial->text->bytes, trial->text->length, path, version, &fixed);
  if (fixed.left.edit_count > 0 && fixed.mended.count < TUTTI_MAX_FIX_ROUNDS)
    fuzz_fail(trial, "%s is not mended", fixed.left.edits[0].code->name);
  tutti_fixed_free(&fixed);
}

static bool under(const fuzz_trial *trial, const char *target, const char *path)
{
  tutti_findings findings = {0};
  tutti_library_version version;
  tutti_tuning *tuning;
  tutti_error error = {0};
  bool clean;
  fuzz_good(trial, "the target", tutti_library_version_parse(target, &version, &error), &error);
  tutti_lint_text(trial->text->bytes, trial->text->length, path, &version, &findings);
  check_findings(trial, &findings);
  clean = is_read(&findings);
  if (findings.edit_count > 0)
    mend(trial, &version, path);
  tutti_findings_free(&findings);
  if (strcmp(target, "tutti") == 0) /* asked by the kind "decision" */
    return clean;
  fuzz_good(trial, "opening", tutti_tuning_open(path, &version, &tuning, &error), &error);
  look_up(trial, tuning);
  ask_largest(trial, tuning);
  tutti_tuning_close(tuning);
  return clean;
}

/* What it is, is said of any text, of the target or not; a text without a zero after it. */
static void identify(const fuzz_trial *trial)
{
  const size_t length = trial->text->length;
  char *exact = memcpy(malloc(length + !length), trial->text->bytes, length);
  for (int t = -1; t < TARGETS; t++) {
    tutti_library_version version = {.library = NULL};
    tutti_error error = {0};
    if (tutti_tuning_identify("input", exact, length, t < 0 ? NULL : targets[t], NULL, &version, &error) == TUTTI_OK
            ? !version.library
            : !*error.message)
      fuzz_fail(trial, "neither a library nor a reason");
  }
  free(exact);
}

/* Read: some library finds no error. */
static bool under_each(const fuzz_trial *trial, const char *const *some, int count)
{
  bool taken = false;
  char *path = fuzz_file(trial, "input.decision", trial->text->bytes, trial->text->length);
  for (int t = 0; t < count; t++)
    taken = under(trial, some[t], path) || taken;
  free(path);
  return taken;
}

bool fuzz_feed_lint(const fuzz_trial *trial)
{
  identify(trial);
  return under_each(trial, targets, TARGETS);
}

/* The files of one library, under its versions. @{ */
bool fuzz_feed_openmpi(const fuzz_trial *trial)
{
  return under_each(trial, targets, 3);
}

bool fuzz_feed_mpich(const fuzz_trial *trial)
{
  return under_each(trial, targets + 3, 3);
}

bool fuzz_feed_nccl(const fuzz_trial *trial)
{
  return under_each(trial, targets + TARGETS - 2, 2);
}
/* @} */
