/* The folder of a tuning: what is tuned, and what earlier runs found. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine.h"
#include "cli/tune/tune.h"

static const char head[] = "tuning.txt"; /* what is tuned: a folder belongs to one tuning */

char *tune_path(const struct tuning *tuning, const char *name)
{
  return tutti_xprintf("%s/%s", tuning->folder, name);
}

char *tune_file(const struct tuning *tuning, const char *name)
{
  const bool json = strcmp(tuning->flavor, "mpich") == 0 || tuning->target->since >= 600;
  return tutti_xprintf("%s/%s.%s", tuning->folder, name, json ? "json" : "rules");
}

static void write_text(const struct tuning *tuning, const char *name, const char *text)
{
  struct tutti_output output;
  char *path = tune_path(tuning, name);
  output_begin(path, &output);
  fputs(text, output.stream);
  output_end(&output);
  free(path);
}

/* NULL: there is no such file. Owned by the caller. */
static char *read_text(const struct tuning *tuning, const char *name)
{
  char *path = tune_path(tuning, name), *text = NULL;
  size_t length;
  if (access(path, F_OK) == 0)
    must(tutti_input_read_text(path, TUTTI_INPUT_TEXT, &text, &length, &failure));
  free(path);
  return text;
}

int tune_recall(const struct tuning *tuning, const char *name)
{
  uint64_t number = 0;
  char *text = read_text(tuning, name);
  if (text && !tutti_parse_integer(text, 1, INT_MAX, &number))
    die("%s/%s: no number; --again begins anew", tuning->folder, name);
  free(text);
  return (int)number;
}

void tune_note(const struct tuning *tuning, const char *name, int number)
{
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  write_text(tuning, name, text);
}

static void digest_file(const char *path, char *digest)
{
  char *bytes;
  size_t length;
  must(tutti_input_read_bytes(path, TUTTI_INPUT_TEXT, &bytes, &length, &failure));
  tutti_digest_format(tutti_digest(bytes, length), digest);
  free(bytes);
}

/* The name of the note about a file, "candidate.digest" of FOLDER/candidate.rules; owned by the caller. */
static char *seal_of(const char *path)
{
  const char *name = strrchr(path, '/') + 1;
  return tutti_xprintf("%.*s.digest", (int)strcspn(name, "."), name);
}

void tune_seal(const struct tuning *tuning, const char *path)
{
  char digest[TUTTI_DIGEST_LENGTH], *seal = seal_of(path);
  digest_file(path, digest);
  write_text(tuning, seal, digest);
  free(seal);
}

bool tune_has(const struct tuning *tuning, const char *path)
{
  char digest[TUTTI_DIGEST_LENGTH], *seal = seal_of(path);
  char *noted = read_text(tuning, seal);
  const bool there = noted && access(path, F_OK) == 0;
  if (there)
    digest_file(path, digest);
  if (there && strcmp(digest, noted) != 0)
    die("%s is not as it was written: remove it, and it is written anew", path);
  free(noted);
  free(seal);
  return there;
}

static char *describe(const struct tuning *tuning)
{
  static const char *const others[] = {"profile",    "launcher",      "launcher-args", "hostfile", "ranks-per-node",
                                       "slurm-args", "oversubscribe", "reproducible",  NULL};
  char *given = options_given(others);
  char *text =
      tutti_xprintf("%s on %s, %s -P %s -s %s%s, seed %llu\n", tuning->library, tuning->platform, tuning->collectives,
                    tuning->ranks, tuning->sizes, given, (unsigned long long)tuning->options->seed);
  free(given);
  return text;
}

static void remove_results(const struct tuning *tuning, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    char *path = tune_path(tuning, names[i]);
    unlink(path);
    free(path);
  }
}

static const char load_name[] = "load"; /* of the machine, in percent of a processor, and 1 */

/* What follows from the measurements, and these. Only what a tuning has written: the folder may have more. */
static const char *const results[] = {
    "decided.json",   "decided.rules",  "decided.digest", "candidate.rules", "candidate.json", "candidate.digest",
    "mended-1.rules", "mended-2.rules", "mended-3.rules", "mended-1.json",   "mended-2.json",  "mended-3.json",
    "tuned.rules",    "tuned.json",     "repetitions",    "rounds",          "measured.db",    "expected.db"};

enum { RESULTS = sizeof results / sizeof *results, DECIDED = RESULTS - 2 };

static bool has_results(const struct tuning *tuning)
{
  bool found = false;
  for (int i = 0; i < RESULTS; i++) {
    char *path = tune_path(tuning, results[i]);
    found = found || access(path, F_OK) == 0;
    free(path);
  }
  return found;
}

void tune_open_folder(struct tuning *tuning)
{
  const struct tune_options *options = tuning->options;
  const int budget = (int)fmin(INT_MAX, ceil(options->budget));
  if (mkdir(tuning->folder, 0777) != 0 && errno != EEXIST)
    die("%s: %s", tuning->folder, strerror(errno));
  char *now = describe(tuning), *before = read_text(tuning, head);
  if (before && !options->again && strcmp(before, now) != 0)
    die("%s has another tuning: %.*s; say --again to begin anew, or --dir for another folder", tuning->folder,
        (int)strcspn(before, "\n"), before);
  if (!before && !options->again && has_results(tuning))
    die("%s has results of which nothing says what was tuned; say --again to begin anew, or --dir for another folder",
        tuning->folder);
  if (options->again)
    remove_results(tuning, results, RESULTS);
  else if (before && tune_recall(tuning, "budget") < budget) /* more is measured and decided anew */
    remove_results(tuning, results, DECIDED);
  if (before && !options->again && !options->quiet)
    tutti_say(stderr, "tutti tune: goes on with what %s has\n", tuning->folder);
  write_text(tuning, head, now);
  tune_note(tuning, "budget", budget);
  if (before && !options->again) /* what was measured was measured then */
    tuning->load = fmax(0, tune_recall(tuning, load_name) - 1) / 100.0;
  else
    tune_note(tuning, load_name, 1 + (int)(100 * tuning->load));
  free(before);
  free(now);
}
