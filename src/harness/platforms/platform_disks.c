/* Disks of hosts. SimGrid's file system, which SMPI loads, reads their properties when it reads the platform, and ends
   at what it does not understand (src/plugins/file_system of SimGrid 3.32). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/platforms/platform_private.h"

/* ---- their content: a file of paths and sizes ---- */

/* NULL, or what SimGrid ends at. */
static const char *read_file(char *line)
{
  static const char blanks[] = " \t\r";
  char *rest = NULL, *path = strtok_r(line, blanks, &rest), *size = path ? strtok_r(NULL, blanks, &rest) : NULL;
  uint64_t bytes;
  if (!path)
    return NULL;
  if (!size || strtok_r(NULL, blanks, &rest) || !tutti_parse_integer(size, 0, UINT64_MAX, &bytes))
    return "is no path with a size in bytes";
  return NULL;
}

long tutti_platform_content_fault(char *text, size_t length, const char **why)
{
  const char *const end = text + length;
  long number = 1;
  for (char *line; (line = strsep(&text, "\n")); number++) {
    *why = !text && line + strlen(line) != end ? "has a zero byte" : read_file(line);
    if (*why)
      return number;
  }
  return 0;
}

/* ---- their properties ---- */

const char *tutti_platform_disk_property(const xmlNode *node, const char *id)
{
  return tutti_xml_is(node, "prop") && tutti_xml_is(node->parent, "disk") &&
                 strcmp(tutti_xml_attribute(node, "id"), id) == 0
             ? tutti_xml_attribute(node, "value")
             : NULL;
}

static tutti_status check_size(const xml_file *file, const xmlNode *node, tutti_error *error)
{
  tutti_error reason;
  const char *size = tutti_platform_disk_property(node, "size");
  return !size || tutti_platform_check_size(size, &reason) == TUTTI_OK
             ? TUTTI_OK
             : tutti_xml_fail(file, node, error, "size=\"%.200s\": %s", size, reason.message);
}

/* ---- disks of another host: MOUNT:DISK:HOST ---- */

/* A disk of a host, in an index. To be freed by the caller. */
static char *name_disk(const char *disk, const char *host)
{
  return tutti_xprintf("%s:%s", disk, host);
}

static void note_disk(const xmlNode *node, void **disks)
{
  const char *id = tutti_xml_attribute(node, "id");
  char *name = name_disk(id ? id : "", tutti_xml_attribute(node->parent, "id"));
  *tutti_index_number(disks, name) = 1;
  free(name);
}

/* SimGrid takes the third of any number of words. */
static bool is_mounted(void *const *disks, const char *value)
{
  char *copy = tutti_xstrdup(value), *rest = copy;
  const char *mount = strsep(&rest, ":"), *disk = strsep(&rest, ":"), *host = strsep(&rest, ":");
  char *name = mount && disk && host ? name_disk(disk, host) : NULL;
  const bool mounted = name && tutti_index_find(disks, name) != 0;
  free(name);
  free(copy);
  return mounted;
}

static tutti_status check_remote(const xml_file *file, const xmlNode *node, void *const *disks, tutti_error *error)
{
  const char *value = tutti_xml_attribute(node, "value");
  if ((!tutti_xml_is(node->parent, "host") && !tutti_xml_is(node->parent, "cluster")) ||
      strcmp(tutti_xml_attribute(node, "id"), "remote_disk") != 0 || is_mounted(disks, value))
    return TUTTI_OK;
  return tutti_xml_fail(file, node, error, "remote_disk=\"%.200s\": not MOUNT:DISK:HOST with a disk of a host", value);
}

tutti_status tutti_platform_check_disks(const xml_file *file, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  void *disks = NULL;
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "disk"))
      note_disk(node, &disks);
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    if (!tutti_xml_is(node, "prop"))
      continue;
    status = check_size(file, node, error);
    if (status == TUTTI_OK)
      status = check_remote(file, node, &disks, error);
  }
  tutti_index_free(&disks);
  return status;
}
