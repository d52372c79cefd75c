#include "cli/failure.h"

#include <errno.h>
#include <stdarg.h>

#include "cli/output/output.h"
#include "harness/experiments/plan/simulation.h"

tutti_error failure;
int failure_signal;

static struct {
  TUTTI_VECTOR(struct undone {
    void (*undo)(void *what);
    void *what;
  });
} undone;

static struct {
  void (*report)(const char *message, void *context);
  void *context;
} reporter;

void failure_report_by(void (*report)(const char *message, void *context), void *context)
{
  reporter.report = report;
  reporter.context = context;
}

void failure_undo(void (*undo)(void *what), void *what)
{
  tutti_xpush(&undone, (struct undone){undo, what});
}

void failure_forget(void)
{
  if (--undone.count == 0)
    tutti_vector_free(&undone);
}

/* ---- the end ---- */

int complain(const tutti_error *error)
{
  fflush(stdout);
  char *message = tutti_xprintf("tutti: %s", error->message), *folded = fold_message(message);
  tutti_say(stderr, "%s\n", folded);
  free(folded);
  free(message);
  return EXIT_USAGE;
}

int exit_status(int code)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  tutti_say(stderr, "tutti: cannot write the output: %s\n", strerror(errno));
  return EXIT_USAGE;
}

static void undo_all(void)
{
  patience_end();
  while (undone.count > 0) {
    const struct undone last = undone.items[--undone.count]; /* which may fail itself */
    last.undo(last.what);
  }
  tutti_vector_free(&undone);
}

void failure_end(int code)
{
  tutti_fail(&failure, TUTTI_ERR_LAUNCH, "status %d", code); /* files that are half written are not kept */
  undo_all();
  exit(exit_status(code));
}

static _Noreturn void end(void)
{
  undo_all();
  if (reporter.report)
    reporter.report(failure.message, reporter.context);
  complain(&failure);
  exit(exit_status(failure_signal ? 128 + failure_signal : EXIT_USAGE));
}

void must(tutti_status status)
{
  if (status != TUTTI_OK)
    end();
}

void die(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_vfail(&failure, TUTTI_ERR_ARGUMENT, format, arguments);
  va_end(arguments);
  end();
}

/* ---- files and stores ---- */

/* Which adds the name of the file to the message, where its writer did not know it. */
static void remove_output(void *output)
{
  tutti_output_end(output, failure.status, &failure);
}

void output_begin(const char *path, struct tutti_output *output)
{
  must(tutti_output_begin(path, output, &failure));
  failure_undo(remove_output, output);
}

void output_end(struct tutti_output *output)
{
  failure_forget();
  must(tutti_output_end(output, TUTTI_OK, &failure));
}

static void close_store(void *store)
{
  tutti_store_close(store);
}

tutti_store *store_open(const char *path)
{
  tutti_store *store;
  must(tutti_store_open(path, &store, &failure));
  failure_undo(close_store, store);
  return store;
}

tutti_store *store_open_existing(const char *path)
{
  tutti_store *store;
  must(tutti_store_open_existing(path, &store, &failure));
  failure_undo(close_store, store);
  return store;
}

void store_close(tutti_store *store)
{
  failure_forget();
  tutti_store_close(store);
}

static void remove_folder_of(void *path)
{
  char *folder = tutti_xstrndup(path, (size_t)(strrchr(path, '/') - (char *)path));
  tutti_folder_remove(folder);
  free(folder);
}

char *simulation_file_begin(const char *name)
{
  char *folder = tutti_simulation_folder(&failure);
  must(folder ? TUTTI_OK : TUTTI_ERR_IO);
  char *path = tutti_xprintf("%s/%s", folder, name);
  failure_undo(remove_folder_of, path);
  free(folder);
  return path;
}

void simulation_file_end(char *path)
{
  failure_forget();
  remove_folder_of(path);
}
