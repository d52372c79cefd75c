/* Where experiments are searched, and the files of a folder. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/process.h"
#include "base/text.h"
#include "base/words.h"
#include "tutti/experiment.h"

tutti_status tutti_experiments_find(char **directory, tutti_error *error)
{
  const char *own = getenv("TUTTI_EXPERIMENTS");
  char *places[] = {own && *own ? tutti_xstrdup(own) : NULL, tutti_xstrdup("experiments"),
                    tutti_self_path("../experiments"), tutti_self_path("../share/tutti/experiments"),
                    tutti_xstrdup(TUTTI_EXPERIMENT_DIR)};
  *directory = NULL;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (!*directory && tutti_folder_is(places[i]))
      *directory = places[i];
    else
      free(places[i]);
  if (*directory)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "no folder of experiments: neither TUTTI_EXPERIMENTS nor ./experiments nor %s",
                    TUTTI_EXPERIMENT_DIR);
}

static bool is_xml(const char *name)
{
  return name[0] != '.' && tutti_stem_length(name, ".xml") > 0;
}

static char *path_in_folder(const char *name)
{
  char *folder;
  if (tutti_experiments_find(&folder, NULL) != TUTTI_OK)
    return tutti_xstrdup(name);
  char *path = tutti_xprintf("%s/%s%s", folder, name, is_xml(name) ? "" : ".xml");
  free(folder);
  return path;
}

static tutti_status fail_name(const char *name, tutti_error *error)
{
  char *folder, meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    tutti_guess_try(&guess, tutti_collective_name((tutti_collective)i));
  if (tutti_experiments_find(&folder, NULL) == TUTTI_OK) {
    tutti_guess_try_files(&guess, folder, is_xml(name) ? "" : ".xml");
    free(folder);
  }
  return tutti_fail(error, TUTTI_ERR_IO, "%s: No such file, and no experiment or collective of that name%s", name,
                    tutti_guess_text(&guess, meant));
}

tutti_status tutti_experiment_find(const char *name, char **path, tutti_error *error)
{
  *path = access(name, F_OK) == 0 || strchr(name, '/') ? tutti_xstrdup(name) : path_in_folder(name);
  tutti_status status = tutti_input_permit(*path, error);
  if (status == TUTTI_OK && access(*path, F_OK) != 0)
    status = fail_name(name, error);
  if (status != TUTTI_OK)
    free(*path);
  return status;
}

static int is_experiment(const struct dirent *entry)
{
  return is_xml(entry->d_name);
}

void tutti_experiments_free(tutti_experiment *experiments, int count)
{
  for (int i = 0; i < count; i++)
    tutti_experiment_free(&experiments[i]);
  free(experiments);
}

/* Experiments without a time come last. */
static double takes_of(const tutti_experiment *experiment)
{
  return experiment->takes >= 0 ? experiment->takes : HUGE_VAL;
}

static int compare(const void *left, const void *right)
{
  const tutti_experiment *l = left, *r = right;
  if (takes_of(l) < takes_of(r) || takes_of(l) > takes_of(r))
    return takes_of(l) < takes_of(r) ? -1 : 1;
  return strcmp(l->path, r->path);
}

static tutti_status read_file(const char *directory, const char *name, tutti_experiment *experiment, tutti_error *error)
{
  char *path = tutti_xprintf("%s/%s", directory, name);
  tutti_status status = tutti_experiment_read(path, experiment, error);
  free(path);
  return status;
}

tutti_status tutti_experiments_read(const char *directory, tutti_experiment **experiments, int *count,
                                    tutti_error *error)
{
  struct dirent **entries;
  int found = scandir(directory, &entries, is_experiment, NULL);
  *experiments = NULL;
  *count = 0;
  if (found < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", directory, strerror(errno));
  tutti_status status = TUTTI_OK;
  *experiments = tutti_xcalloc((size_t)found + 1, sizeof **experiments);
  for (int i = 0; i < found; i++) {
    if (status == TUTTI_OK)
      status = read_file(directory, entries[i]->d_name, &(*experiments)[*count], error);
    *count += status == TUTTI_OK;
    free(entries[i]);
  }
  free(entries);
  if (status == TUTTI_OK && *count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no experiments in there", directory);
  if (status == TUTTI_OK)
    qsort(*experiments, (size_t)*count, sizeof **experiments, compare);
  else {
    tutti_experiments_free(*experiments, *count);
    *experiments = NULL;
    *count = 0;
  }
  return status;
}
