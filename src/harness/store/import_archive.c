#include "harness/store/import_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"

/* A folder of PICO has some thousand files of some KB, all of them some hundred MB. */
#define MAX_UNPACKED (UINT64_C(4) << 30)
#define MAX_TEXT     (UINT64_C(1) << 30)
#define MAX_ENTRIES  UINT64_C(1000000)

struct import_allowance tutti_import_allowance(void)
{
  return (struct import_allowance){MAX_UNPACKED, MAX_TEXT, MAX_ENTRIES};
}

/* Spend some of the remaining amount; false: less is left. */
static bool spend(uint64_t *left, uint64_t amount)
{
  const bool enough = amount <= *left;
  *left -= enough ? amount : *left;
  return enough;
}

void tutti_import_text_free(struct import_text *text)
{
  free(text->bytes);
  free(text->shown);
  *text = (struct import_text){NULL, 0, NULL};
}

/* ---- files ---- */

tutti_status tutti_import_file_read(const char *path, const char *shown, struct import_allowance *allowance,
                                    struct import_text *text, tutti_error *error)
{
  struct stat status;
  *text = (struct import_text){NULL, 0, NULL};
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0) {
    const int fault = errno;
    if (file >= 0)
      close(file);
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be read: %s", shown, strerror(fault));
  }
  tutti_status result = TUTTI_OK;
  if (!S_ISREG(status.st_mode))
    result = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: not a regular file", shown);
  else if ((uint64_t)status.st_size > allowance->text) /* smaller ones may follow */
    result = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: more than %llu MB of texts in one import", shown,
                        (unsigned long long)(MAX_TEXT >> 20));
  else if ((result = tutti_input_read_opened(file, shown, MAX_TEXT, &text->bytes, &text->length, error)) == TUTTI_OK)
    text->shown = tutti_xstrdup(shown);
  if (result == TUTTI_OK)
    spend(&allowance->text, text->length);
  close(file);
  return result;
}

/* ---- archives ---- */

struct unpacking {
  struct archive *archive;
  const char *shown;
  struct import_allowance *allowance;
  struct import_texts *texts;
  tutti_error *error;
};

static tutti_status fail(const struct unpacking *u, const char *reason)
{
  return tutti_fail(u->error, TUTTI_ERR_ARGUMENT, "%s: %s", u->shown, reason);
}

static tutti_status fail_to_unpack(const struct unpacking *u)
{
  const char *reason = archive_error_string(u->archive);
  return tutti_fail(u->error, TUTTI_ERR_ARGUMENT, "%s: cannot be unpacked: %s", u->shown,
                    reason ? reason : "it is damaged");
}

/* Read the next part of an entry; unwanted ones are unpacked all the same, and count. */
static tutti_status take_block(const struct unpacking *u, struct import_text *text, const void *bytes, size_t length,
                               la_int64_t offset)
{
  if (!spend(&u->allowance->bytes, length))
    return fail(u, "unpacks to more than 4 GB");
  if (!text)
    return TUTTI_OK;
  if (offset < 0 || (uint64_t)offset < text->length)
    return fail(u, "cannot be unpacked: it is damaged");
  const uint64_t end = (uint64_t)offset + length;
  if (end < length || !spend(&u->allowance->text, end - text->length))
    return fail(u, "has more than 1 GB of texts");
  text->bytes = tutti_xrealloc(text->bytes, end + 1);
  memset(text->bytes + text->length, 0, (size_t)offset - text->length); /* a hole */
  memcpy(text->bytes + offset, bytes, length);
  text->length = end;
  return TUTTI_OK;
}

/* text NULL: passed over. */
static tutti_status read_entry(const struct unpacking *u, struct import_text *text)
{
  const void *bytes;
  size_t length;
  la_int64_t offset;
  tutti_status status = TUTTI_OK;
  for (int result; status == TUTTI_OK;) {
    result = archive_read_data_block(u->archive, &bytes, &length, &offset);
    if (result == ARCHIVE_EOF)
      break;
    status = result == ARCHIVE_OK ? take_block(u, text, bytes, length, offset) : fail_to_unpack(u);
  }
  return status;
}

static bool is_regular(struct archive_entry *entry)
{
  return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) && archive_entry_pathname(entry);
}

static tutti_status take_entry(const struct unpacking *u, struct archive_entry *entry, bool (*wanted)(const char *name))
{
  const char *path = is_regular(entry) ? archive_entry_pathname(entry) : "", *slash = strrchr(path, '/');
  if (!spend(&u->allowance->entries, 1))
    return fail(u, "has more than a million entries");
  if (!*path || !wanted(slash ? slash + 1 : path))
    return read_entry(u, NULL);
  path += strncmp(path, "./", 2) == 0 ? 2 : 0;
  tutti_xpush(u->texts, (struct import_text){tutti_xmalloc(1), 0, tutti_xprintf("%s/%s", u->shown, path)});
  return read_entry(u, &u->texts->items[u->texts->count - 1]);
}

/* The order of a walk: by name, folder by folder. */
static int compare_paths(const void *left, const void *right)
{
  const char *a = ((const struct import_text *)left)->shown, *b = ((const struct import_text *)right)->shown;
  while (*a && *a == *b)
    a++, b++;
  return (*a == '/' ? 1 : (unsigned char)*a) - (*b == '/' ? 1 : (unsigned char)*b);
}

tutti_status tutti_import_archive_read(const struct import_text *packed, const char *shown,
                                       bool (*wanted)(const char *name), struct import_allowance *allowance,
                                       struct import_texts *texts, tutti_error *error)
{
  const struct unpacking u = {archive_read_new(), shown, allowance, texts, error};
  const size_t before = texts->count;
  struct archive_entry *entry;
  if (!u.archive)
    tutti_out_of_memory();
  archive_read_support_filter_gzip(u.archive); /* not all: some filters start programs */
  archive_read_support_format_tar(u.archive);
  int result = archive_read_open_memory(u.archive, packed->bytes, packed->length);
  tutti_status status = result == ARCHIVE_OK ? TUTTI_OK : fail_to_unpack(&u);
  while (status == TUTTI_OK && (result = archive_read_next_header(u.archive, &entry)) != ARCHIVE_EOF)
    status = result == ARCHIVE_OK || result == ARCHIVE_WARN ? take_entry(&u, entry, wanted) : fail_to_unpack(&u);
  archive_read_free(u.archive);
  if (status == TUTTI_OK && texts->count > before)
    qsort(texts->items + before, texts->count - before, sizeof *texts->items, compare_paths);
  return status;
}

void tutti_import_texts_free(struct import_texts *texts)
{
  for (size_t i = 0; i < texts->count; i++)
    tutti_import_text_free(&texts->items[i]);
  tutti_vector_free(texts);
}
