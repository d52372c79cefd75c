/* Importing: walks through folders and archives, and a folder of files of any format. */
#include "harness/store/import_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/store/import_pico.h"

enum { MAX_DEPTH = 16 };

size_t tutti_import_archive_stem(const char *name)
{
  static const char *const endings[] = {".tar.gz", ".tgz", ".tar"};
  size_t stem = 0;
  for (size_t i = 0; i < sizeof endings / sizeof *endings && stem == 0; i++)
    stem = tutti_stem_length(name, endings[i]);
  return stem;
}

/* A file that fails is one item; its message begins with its name, which is not said twice. */
static tutti_status go_on(const struct import_walk *walk, tutti_status status, const char *shown)
{
  if (status == TUTTI_OK || walk->imported->passed.strict)
    return status;
  char *reason = tutti_xstrdup(walk->error->message);
  const size_t length = strlen(shown);
  const bool named = strncmp(reason, shown, length) == 0 && reason[length] == ':';
  status = tutti_pass_over(&walk->imported->passed, shown, 0, "cannot be read", walk->error, "%s",
                           reason + (named ? length + 1 + strspn(reason + length + 1, " ") : 0));
  free(reason);
  return status;
}

static tutti_status take_entry(struct import_walk *walk, const struct import_text *file);

static tutti_status open_archive(struct import_walk *walk, const struct import_text *file, size_t stem)
{
  struct import_texts texts = {.count = 0};
  const char *slash = strrchr(file->shown, '/');
  if (walk->depth >= MAX_DEPTH)
    return tutti_fail(walk->error, TUTTI_ERR_ARGUMENT, "%s: too many archives in each other", file->shown);
  char *inside = tutti_xstrndup(file->shown, (slash ? (size_t)(slash + 1 - file->shown) : 0) + stem);
  tutti_status status =
      go_on(walk, tutti_import_archive_read(file, inside, walk->wanted, &walk->allowance, &texts, walk->error), inside);
  walk->depth++;
  for (size_t i = 0; i < texts.count && status == TUTTI_OK; i++) {
    status = take_entry(walk, &texts.items[i]);
    tutti_import_text_free(&texts.items[i]);
  }
  walk->depth--;
  tutti_import_texts_free(&texts);
  free(inside);
  return status;
}

static tutti_status take_entry(struct import_walk *walk, const struct import_text *file)
{
  const char *slash = strrchr(file->shown, '/'), *name = slash ? slash + 1 : file->shown;
  const size_t stem = tutti_import_archive_stem(name);
  return go_on(walk, stem > 0 ? open_archive(walk, file, stem) : walk->take(walk, file, name), file->shown);
}

/* A folder, or a regular file that is wanted: everything else is passed over, links among it. */
static tutti_status take_path(struct import_walk *walk, const char *path, const char *name)
{
  struct stat entry;
  struct import_text file;
  if (lstat(path, &entry) != 0)
    return go_on(walk, tutti_fail(walk->error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno)), path);
  if (S_ISDIR(entry.st_mode))
    return go_on(walk, tutti_import_walk(walk, path), path);
  if (!S_ISREG(entry.st_mode) || !walk->wanted(name))
    return TUTTI_OK;
  walk->imported->files++;
  tutti_status status = tutti_import_file_read(path, path, &walk->allowance, &file, walk->error);
  if (status != TUTTI_OK)
    return go_on(walk, status, path);
  status = take_entry(walk, &file);
  tutti_import_text_free(&file);
  return status;
}

static int is_shown(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

tutti_status tutti_import_walk(struct import_walk *walk, const char *path)
{
  struct dirent **entries = NULL;
  const int count = walk->depth < MAX_DEPTH ? scandir(path, &entries, is_shown, alphasort) : -1;
  if (count < 0)
    return tutti_fail(walk->error, TUTTI_ERR_IO, "%s: cannot be read: %s", path,
                      walk->depth < MAX_DEPTH ? strerror(errno) : "too many folders in each other");
  tutti_status status = TUTTI_OK;
  walk->depth++;
  for (int i = 0; i < count; i++) {
    char *inner = tutti_xprintf("%s/%s", path, entries[i]->d_name);
    if (status == TUTTI_OK)
      status = take_path(walk, inner, entries[i]->d_name);
    free(inner);
    free(entries[i]);
  }
  walk->depth--;
  free(entries);
  return status;
}

/* ---- files of any format ---- */

static bool is_any(const char *name)
{
  return *name != '.';
}

static tutti_status take_any(struct import_walk *walk, const struct import_text *file, const char *name)
{
  (void)name;
  for (char *zero = file->bytes;
       file->length > 0 && (zero = memchr(zero, '\0', (size_t)(file->bytes + file->length - zero)));)
    *zero = ' '; /* where a stream in memory would end */
  FILE *stream = file->length > 0 ? fmemopen(file->bytes, file->length, "r") : fopen("/dev/null", "r");
  if (!stream)
    return tutti_fail(walk->error, TUTTI_ERR_IO, "%s: %s", file->shown, strerror(errno));
  const tutti_status status = tutti_import_read(walk->imported, walk->context, stream, file->shown, walk->error);
  fclose(stream);
  return status;
}

tutti_status tutti_import_read_folder(tutti_imported *imported, const tutti_import_how *how, const char *path,
                                      tutti_error *error)
{
  struct import_walk walk = {.imported = imported,
                             .wanted = is_any,
                             .take = take_any,
                             .context = (void *)how,
                             .allowance = tutti_import_allowance(),
                             .error = error};
  return how->format == TUTTI_IMPORT_PICO ? tutti_pico_read_folder(&walk, how, path) : tutti_import_walk(&walk, path);
}
