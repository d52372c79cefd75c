#include "measure/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/agree.h"
#include "measure/library.h"

/* ---- records ---- */

void tutti_program_print(const tutti_record *record)
{
  tutti_record_print(stdout, record);
  fflush(stdout); /* a killed sweep loses no more than the point in flight */
}

void tutti_program_print_run(const tutti_view *view, int ranks_per_node)
{
  tutti_record record = {.kind = TUTTI_RECORD_RUN, .ranks = view->size, .ranks_per_node = ranks_per_node};
  snprintf(record.tutti, sizeof record.tutti, "%s", TUTTI_VERSION);
  snprintf(record.flavor, sizeof record.flavor, "%s", TUTTI_FLAVOR);
  tutti_library_name(record.library, sizeof record.library);
  tutti_program_print(&record);
}

void tutti_program_print_end(size_t measurements)
{
  tutti_record record = {.kind = TUTTI_RECORD_END, .measurements = measurements};
  tutti_program_print(&record);
}

/* ---- what to measure ---- */

enum { SHORT_TEXT = 500 };

/* What rank 0 tells the others about the points: nothing to do has no text, and a short one saves a broadcast. */
struct task {
  uint64_t length;
  int status; /* a tutti_status: rank 0 could not read its options */
  char text[SHORT_TEXT];
};

/* Everybody gets the text that rank 0 has read; *text is owned by the caller. */
static tutti_status share_text(const tutti_view *view, const struct options *options, tutti_status read, char **text,
                               tutti_error *error)
{
  struct task task = {.length = options->text ? strlen(options->text) + 1 : 0, .status = (int)read};
  if (task.length <= SHORT_TEXT && task.length > 0)
    memcpy(task.text, options->text, task.length);
  tutti_status status = tutti_agree(view, &task, sizeof task, error);
  if (status != TUTTI_OK || task.status != TUTTI_OK || task.length == 0)
    return status != TUTTI_OK ? status : (tutti_status)task.status;
  *text = malloc(task.length);
  if (!*text)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu bytes of points", view->rank,
                      (unsigned long long)task.length);
  if (task.length <= SHORT_TEXT || view->rank == 0)
    memcpy(*text, task.length <= SHORT_TEXT ? task.text : options->text, task.length);
  return task.length <= SHORT_TEXT ? TUTTI_OK : tutti_agree(view, *text, task.length, error);
}

/* Errors up to here are the same on all ranks, so that everybody leaves in good order. */
static tutti_status run(const struct program *program, const tutti_view *view, struct options *options,
                        tutti_status read, tutti_error *error)
{
  char *text = NULL;
  tutti_status status = share_text(view, options, read, &text, error);
  if (status == TUTTI_OK && text)
    return program->measure(view, text, view->rank == 0 ? options->name : "points", error);
  free(text);
  return status;
}

/* Of an error that all ranks share, rank 0 tells. */
static bool is_shared(tutti_status status)
{
  return status == TUTTI_ERR_ARGUMENT || status == TUTTI_ERR_UNSUPPORTED || status == TUTTI_ERR_IO;
}

int tutti_program_run(const struct program *program, int argc, char **argv)
{
  tutti_view view;
  tutti_error error = {.status = TUTTI_OK};
  struct options options = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  tutti_status status = tutti_view_of(MPI_COMM_WORLD, &view, &error);
  if (status == TUTTI_OK) {
    tutti_status read = view.rank == 0 ? program->read(argc, argv, &options, &error) : TUTTI_OK;
    status = run(program, &view, &options, read, &error);
  }
  options_free(&options);
  if (status != TUTTI_OK && (view.rank == 0 || !is_shared(status)))
    fprintf(stderr, "%s: %s\n", program->name, error.message);
  if (status != TUTTI_OK && !is_shared(status))
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
