/* Two installations of MPI: the launcher of the second, and what the store calls both. */
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "harness/experiments/settings/tuning.h"

/* Bytes of the library, and digits of the digest, in LIBRARY@DIGEST. */
enum { LIBRARY_BYTES = 18, DIGEST_DIGITS = 12 };

bool tutti_comparing_installed(const struct comparing *comparing)
{
  return comparing->request->installations[BEFORE] != NULL;
}

const char *tutti_comparing_library(const struct comparing *comparing, int side)
{
  return side == AFTER && comparing->manifest.flavor[0] ? comparing->manifest.library : comparing->found->library;
}

/* The digest of an installation and of the file that it reads, [TUTTI_DIGEST_LENGTH]. */
static void digest_of(const struct comparing *comparing, int side, char *digest)
{
  char own[TUTTI_DIGEST_LENGTH];
  char *text = tutti_xprintf("%s %s", tutti_installation_digest(comparing->request->installations[side], own),
                             comparing->found->files[side]);
  tutti_digest_format(tutti_digest(text, strlen(text)), digest);
  free(text);
}

/* Open AFTER as the run has opened BEFORE, and ask it which library it is. */
static tutti_status open_after(struct comparing *comparing)
{
  struct run *run = &comparing->run;
  const tutti_run_options *options = run->options;
  const tutti_installation *installation = comparing->request->installations[AFTER];
  tutti_status status =
      tutti_launcher_open_installed(installation, tutti_experiment_program(run->experiment),
                                    comparing->request->program_after, &comparing->launcher, comparing->error);
  if (status == TUTTI_OK)
    status = tutti_launcher_choose(&comparing->launcher, NULL, options->launch.arguments, comparing->error);
  if (status != TUTTI_OK)
    return status;
  comparing->launcher.placed = run->launcher.placed;
  comparing->launcher.hosts = run->launcher.hosts;
  comparing->launcher.oversubscribe = run->launcher.oversubscribe;
  comparing->manifest = run->manifest;
  *comparing->manifest.library = *comparing->manifest.build = '\0';
  snprintf(comparing->manifest.flavor, sizeof comparing->manifest.flavor, "%s", installation->flavor);
  struct job_setting setting = run->setting;
  setting.launcher = &comparing->launcher;
  setting.manifest = &comparing->manifest;
  double limit = options->job_timeout > 0 ? options->job_timeout : JOB_SILENCE;
  return tutti_job_probe(&setting, run->work.next++, limit, &comparing->manifest, comparing->error);
}

/* The measuring program may have found the library of another installation. */
static void warn_of_other(const tutti_installation *installation, const char *library)
{
  if (*installation->library && strcmp(installation->library, library) != 0)
    tutti_say(stderr,
              "tutti: warning: library %s: %s is of %s, but the ranks ran with %s: see LD_LIBRARY_PATH, or name a "
              "measuring program of that library by program=PATH\n",
              installation->name, installation->words[0], installation->library, library);
}

tutti_status tutti_comparing_open_sides(struct comparing *comparing)
{
  const tutti_tuning_comparison_request *request = comparing->request;
  tutti_status status =
      request->installations[BEFORE] == request->installations[AFTER] ? TUTTI_OK : open_after(comparing);
  for (int side = 0; side < SIDES && status == TUTTI_OK; side++) {
    char digest[TUTTI_DIGEST_LENGTH];
    digest_of(comparing, side, digest);
    snprintf(comparing->found->digests[side], TUTTI_TUNING_DIGEST, "%.*s@%.*s", LIBRARY_BYTES,
             tutti_comparing_library(comparing, side), DIGEST_DIGITS, digest);
    warn_of_other(request->installations[side], tutti_comparing_library(comparing, side));
  }
  return status;
}

/* ---- of pairs in the store ---- */

/* Whether a word is LIBRARY@DIGEST. */
static bool is_of(const char *word, const char *digest)
{
  const char *at = strrchr(word, '@');
  return at && strlen(at + 1) == DIGEST_DIGITS && strncmp(at + 1, digest, DIGEST_DIGITS) == 0;
}

tutti_status tutti_comparing_name_sides(struct comparing *comparing, tutti_store *store)
{
  static const int fields[SIDES] = {TUTTI_COMPARISON_FIELD_BEFORE, TUTTI_COMPARISON_FIELD_AFTER};
  char digests[SIDES][TUTTI_DIGEST_LENGTH];
  tutti_tuning_comparison *found = comparing->found;
  for (int side = 0; side < SIDES; side++) {
    digest_of(comparing, side, digests[side]);
    *found->digests[side] = '\0';
  }
  tutti_status status = tutti_comparing_read(comparing, store);
  for (size_t i = 0; i < comparing->stored_count && status == TUTTI_OK; i++) {
    const tutti_value *values = comparing->stored[i].values;
    if (!is_of(values[fields[BEFORE]].string, digests[BEFORE]) || !is_of(values[fields[AFTER]].string, digests[AFTER]))
      continue;
    for (int side = 0; side < SIDES && status == TUTTI_OK; side++) {
      const char *word = values[fields[side]].string;
      if (*found->digests[side] && strcmp(found->digests[side], word) != 0)
        status = tutti_fail(comparing->error, TUTTI_ERR_ARGUMENT,
                            "%s: has pairs of %s and of %s, which were at the same place: launch, without --stored",
                            comparing->request->run->database, found->digests[side], word);
      snprintf(found->digests[side], TUTTI_TUNING_DIGEST, "%.*s", TUTTI_TUNING_DIGEST - 1, word);
    }
  }
  return status;
}
