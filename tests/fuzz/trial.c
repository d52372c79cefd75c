/* What all kinds do. */
#include "kinds.h"

void fuzz_fail(const fuzz_trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->reason, trial->reason_bytes, format, arguments);
  va_end(arguments);
  if (trial->aborts) {
    fprintf(stderr, "fuzz: %s\n", trial->reason);
    abort();
  }
  _exit(EXIT_FAILURE);
}

char *fuzz_path(const fuzz_trial *trial, const char *name)
{
  char *path;
  if (asprintf(&path, "%s/%s", trial->folder, name) < 0)
    abort();
  return path;
}

char *fuzz_file(const fuzz_trial *trial, const char *name, const char *bytes, size_t length)
{
  char *path = fuzz_path(trial, name);
  fuzz_text text = {(char *)bytes, length};
  if (!fuzz_text_write(&text, path))
    fuzz_fail(trial, "%s cannot be written", path);
  return path;
}

bool fuzz_taken(const fuzz_trial *trial, tutti_status status, const tutti_error *error, const char *path)
{
  if (status == TUTTI_OK)
    return true;
  if (status != error->status)
    fuzz_fail(trial, "the reader returns '%s', its error says '%s'", tutti_status_name(status),
              tutti_status_name(error->status));
  if (!*error->message)
    fuzz_fail(trial, "no message");
  if (path && !strstr(error->message, path))
    fuzz_fail(trial, "the message does not name the file: %s", error->message);
  return false;
}

void fuzz_good(const fuzz_trial *trial, const char *what, tutti_status status, const tutti_error *error)
{
  if (status != TUTTI_OK)
    fuzz_fail(trial, "%s: %s", what, error->message);
}
