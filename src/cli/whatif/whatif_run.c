/* tutti whatif: from the edits to what was measured. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/output_file.h"
#include "cli/output/progress.h"
#include "cli/whatif/whatif.h"

/* ---- the changed platform ---- */

/* DATABASE.work, where the runs put their files, too; they leave it behind as long as something is in it. */
static tutti_status make_directory(const char *database, char **directory, tutti_error *error)
{
  if (asprintf(directory, "%s.work", database) < 0) {
    *directory = NULL;
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the name of a directory");
  }
  if (mkdir(*directory, 0777) == 0 || errno == EEXIST)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot make the work directory: %s", *directory, strerror(errno));
}

static tutti_status choose_path(struct whatif *whatif, tutti_error *error)
{
  char *directory = NULL;
  if (whatif->options->output) {
    whatif->paths[1] = strdup(whatif->options->output);
    return whatif->paths[1] ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a path");
  }
  tutti_status status = make_directory(whatif->options->launch.database, &directory, error);
  if (status == TUTTI_OK && asprintf(&whatif->paths[1], "%s/%s.xml", directory, whatif->edited.name) < 0) {
    whatif->paths[1] = NULL;
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a path");
  }
  free(directory);
  return status;
}

static bool is_same_file(const char *left, const char *right)
{
  struct stat a, b;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static tutti_status write_platform(const struct whatif *whatif, tutti_error *error)
{
  struct output_file output;
  const tutti_edited_platform *edited = &whatif->edited;
  if (is_same_file(whatif->paths[0], whatif->paths[1]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--output: %s is the platform itself, which stays as it is",
                      whatif->paths[1]);
  tutti_status status = output_file_begin(whatif->paths[1], &output, error);
  if (status != TUTTI_OK)
    return status;
  if (fwrite(edited->bytes, 1, edited->length, output.stream) != edited->length)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", whatif->paths[1], strerror(errno));
  return output_file_end(&output, status, error);
}

/* Names and room of both, from the files as they are. */
static tutti_status read_platforms(struct whatif *whatif, tutti_error *error)
{
  whatif->room = INT_MAX;
  for (int side = 0; side < 2; side++) {
    tutti_platform platform;
    tutti_status status = tutti_platform_read(whatif->paths[side], &platform, error);
    if (status != TUTTI_OK)
      return status;
    long room = (long)platform.host_count * platform.ranks_per_node;
    memcpy(whatif->names[side], platform.name, sizeof whatif->names[side]);
    whatif->room = room < whatif->room ? (int)room : whatif->room;
    tutti_platform_free(&platform);
  }
  return TUTTI_OK;
}

tutti_status whatif_edit(struct whatif *whatif, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  tutti_status status = tutti_platform_find(options->platform, &whatif->paths[0], error);
  if (status == TUTTI_OK)
    status =
        tutti_platform_edit(whatif->paths[0], options->edits.items, (int)options->edits.count, &whatif->edited, error);
  if (status == TUTTI_OK)
    status = choose_path(whatif, error);
  if (status == TUTTI_OK)
    status = write_platform(whatif, error);
  return status == TUTTI_OK ? read_platforms(whatif, error) : status;
}

/* ---- the runs ---- */

static tutti_status read_experiments(struct whatif *whatif, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  tutti_status status = TUTTI_OK;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    tutti_experiment_setting setting = {.platform = whatif->paths[side],
                                        .ranks_count = options->ranks.count,
                                        .ranks = options->ranks.items,
                                        .size_count = options->sizes.count,
                                        .sizes = options->sizes.items,
                                        .room = whatif->room};
    status = tutti_experiment_read_on(options->experiment, &setting, &whatif->experiments[side], error);
    whatif->left_out = setting.left_out;
  }
  if (status == TUTTI_OK && !tutti_experiment_measures(&whatif->experiments[0]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s measures nothing, it has steps and claims only",
                      options->experiment);
  if (status == TUTTI_OK && options->sizes.count > 0 && whatif->experiments[0].sweep_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--size: %s has no <sweep> that takes sizes", options->experiment);
  return status;
}

static tutti_status run(struct whatif *whatif, int side, const char *program, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  struct progress_display display = progress_display_open(options->launch.quiet);
  tutti_run_options settings = {.database = options->launch.database,
                                .program = program,
                                .jobs = program_jobs(&options->launch),
                                .chunk_points = options->chunk,
                                .report = progress_display_show,
                                .context = &display};
  tutti_status status = tutti_experiment_run(&whatif->experiments[side], &settings, &whatif->summaries[side], error);
  progress_display_close(&display);
  const tutti_run_summary *summary = &whatif->summaries[side];
  if (!options->launch.quiet)
    fprintf(stderr, "tutti: %s: %zu points measured, %zu there already, %.1f s\n", whatif->names[side],
            summary->measured, summary->present + summary->recovered, summary->seconds);
  return status;
}

tutti_status whatif_measure(struct whatif *whatif, int *signal, tutti_error *error)
{
  tutti_status status = read_experiments(whatif, error);
  if (status != TUTTI_OK)
    return status;
  const char *name = tutti_experiment_program(&whatif->experiments[0]);
  char *program = program_find(&whatif->options->launch, "smpi", name);
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    status = run(whatif, side, program ? program : name, error);
    *signal = whatif->summaries[side].signal;
  }
  free(program);
  if (status != TUTTI_OK)
    return status;
  const tutti_finished_run runs[2] = {{&whatif->experiments[0], &whatif->summaries[0]},
                                      {&whatif->experiments[1], &whatif->summaries[1]}};
  return tutti_run_comparison_read(whatif->options->launch.database, runs, &whatif->comparison, error);
}

static void remove_platform(const char *path)
{
  char *directory = strdup(path), *slash = directory ? strrchr(directory, '/') : NULL;
  unlink(path);
  if (slash) {
    *slash = '\0';
    rmdir(directory); /* stays if a killed run left something in it */
  }
  free(directory);
}

void whatif_free(struct whatif *whatif)
{
  if (whatif->paths[1] && !whatif->options->output)
    remove_platform(whatif->paths[1]);
  for (int side = 0; side < 2; side++) {
    tutti_experiment_free(&whatif->experiments[side]);
    free(whatif->paths[side]);
  }
  tutti_edited_platform_free(&whatif->edited);
  tutti_run_comparison_free(&whatif->comparison);
}
