/* Files of tutti check: baselines, and a store that is thrown away. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/output/output_file.h"

/* ---- baselines ---- */

static const char preface[] = "# What simulated operations took and cost; docs/how-to/check.md has the format.\n"
                              "# `tutti check --baseline FILE` compares with it, and with --update makes it anew.\n";

static tutti_status begin_baseline(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  if (access(path, F_OK) == 0)
    return tutti_baseline_read(path, baseline, error);
  return tutti_baseline_create(path, baseline, error);
}

static tutti_status add_experiments(const struct check_options *options, tutti_baseline *baseline, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool empty = baseline->count == 0;
  for (size_t i = 0; i < options->experiments.count && status == TUTTI_OK; i++)
    status = tutti_baseline_add_experiment(baseline, options->experiments.items[i], error);
  if (status == TUTTI_OK && baseline->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is not there yet: name the experiments that it shall have",
                      baseline->path);
  if (status == TUTTI_OK && empty)
    baseline->sections[0].comment = tutti_xstrdup(preface);
  return status;
}

/* Better told before the measurements: can the file be written? */
static tutti_status probe(const char *path, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(path, &output, error);
  if (status == TUTTI_OK)
    output_file_end(&output, TUTTI_ERR_UNSUPPORTED, error); /* which removes what was begun */
  return status;
}

static tutti_status read_one(const struct check_options *options, const char *path, tutti_baseline *baseline,
                             tutti_error *error)
{
  if (!options->update)
    return tutti_baseline_read(path, baseline, error);
  tutti_status status = begin_baseline(path, baseline, error);
  if (status == TUTTI_OK)
    status = add_experiments(options, baseline, error);
  return status == TUTTI_OK ? probe(path, error) : status;
}

tutti_status check_read(const struct check_options *options, struct checked *checked, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK; i++)
    status = read_one(options, options->baselines.items[i], &checked[i].before, error);
  return status == TUTTI_OK && options->junit ? probe(options->junit, error) : status;
}

tutti_status check_write(struct checked *checked, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(checked->after.path, &output, error);
  if (status != TUTTI_OK)
    return status;
  tutti_baseline_adopt(&checked->after, &checked->before);
  return output_file_end(&output, tutti_baseline_write(&checked->after, output.stream, error), error);
}

/* ---- the store ---- */

tutti_status scratch_open(const char *keep, struct scratch *scratch, tutti_error *error)
{
  const char *temporary = getenv("TMPDIR");
  *scratch = (struct scratch){0};
  if (keep && access(keep, F_OK) == 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is there already; a check measures into a store of its own", keep);
  scratch->folder = keep ? tutti_xprintf("%s.XXXXXX", keep)
                         : tutti_xprintf("%s/tutti-check.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(scratch->folder)) {
    scratch->database = tutti_xprintf("%s/check.db", scratch->folder);
    return TUTTI_OK;
  }
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be made: %s", keep ? keep : scratch->folder, strerror(errno));
  free(scratch->folder);
  return status;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
  (void)status;
  (void)type;
  (void)place;
  remove(path);
  return 0;
}

tutti_status scratch_close(struct scratch *scratch, const char *keep, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK && keep && rename(scratch->database, keep) != 0)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", keep, strerror(errno));
  nftw(scratch->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(scratch->folder);
  free(scratch->database);
  return status;
}
