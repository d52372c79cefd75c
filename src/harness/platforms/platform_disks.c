/*
 * Properties of disks: SMPI loads SimGrid's file system (s4u_FileSystem.cpp of 3.32), which opens any file that a disk
 * calls its content, prints a line that it cannot read, and ends at a size or a remote disk that it does not know.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "harness/platforms/platform_private.h"

enum { LARGEST_CONTENT = 64 << 20 };

static const char *prop_of(const xmlNode *parent, const char *id)
{
  for (xmlNode *prop = tutti_xml_element_from(parent->children); prop; prop = tutti_xml_element_from(prop->next))
    if (tutti_xml_is(prop, "prop") && strcmp(tutti_xml_attribute(prop, "id"), id) == 0)
      return tutti_xml_attribute(prop, "value");
  return NULL;
}

/* ---- what is on a disk: a line a file, its name and its bytes ---- */

static bool is_entry(char *line)
{
  char *rest = NULL, *end, *name = strtok_r(line, " \t\r", &rest),
       *bytes = name ? strtok_r(NULL, " \t\r", &rest) : NULL;
  if (!name)
    return true;
  if (!bytes || strtok_r(NULL, " \t\r", &rest) || !isdigit((unsigned char)*bytes))
    return false;
  strtoull(bytes, &end, 10);
  return *end == '\0';
}

static tutti_status check_lines(char *text, size_t length, tutti_error *error)
{
  if (strlen(text) != length)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the file has a zero byte");
  for (char *line; (line = strsep(&text, "\n"));)
    if (!is_entry(line))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a line of the file is not the name of a file and its bytes");
  return TUTTI_OK;
}

static tutti_status check_content(const xml_file *file, const char *path, tutti_error *error)
{
  char *text;
  size_t length;
  bool missing;
  const int opened = tutti_platform_open_beside(file->path, path, &missing, error);
  if (missing)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no such file beside this one: SimGrid ends there");
  if (opened < 0)
    return TUTTI_ERR_ARGUMENT;
  tutti_status status = tutti_input_read_opened(opened, path, LARGEST_CONTENT, &text, &length, NULL);
  close(opened);
  if (status != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a regular file of at most %d MB", LARGEST_CONTENT >> 20);
  status = check_lines(text, length, error);
  free(text);
  return status;
}

/* ---- its size, and disks of other hosts ---- */

/* A number with SimGrid's units: B or b with k M G T P E, or Ki Mi Gi Ti Pi Ei; 1 B without one. */
static bool is_size(const char *text)
{
  char *unit;
  strtod(text, &unit);
  if (unit == text || *unit == '\0')
    return unit != text;
  if (*unit != 'b' && *unit != 'B') {
    const bool binary = unit[1] == 'i';
    if (!strchr(binary ? "KMGTPE" : "kMGTPE", *unit))
      return false;
    unit += binary ? 2 : 1;
  }
  return (*unit == 'b' || *unit == 'B') && unit[1] == '\0';
}

static bool has_disk(const xml_file *file, const char *host, const char *disk)
{
  const xmlNode *root = tutti_xml_root(file);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "disk") && strcmp(tutti_xml_attribute(node, "id"), disk) == 0 &&
        tutti_xml_is(node->parent, "host") && strcmp(tutti_xml_attribute(node->parent, "id"), host) == 0)
      return true;
  return false;
}

/* MOUNT:DISK:HOST */
static bool is_remote_disk(const xml_file *file, const char *value)
{
  char *copy = tutti_xstrdup(value), *rest = copy, *mount = strsep(&rest, ":"), *disk = strsep(&rest, ":"),
       *host = strsep(&rest, ":");
  const bool known = mount && disk && host && has_disk(file, host, disk);
  free(copy);
  return known;
}

static tutti_status check_disk(const xml_file *file, const xmlNode *disk, tutti_platform *platform, tutti_error *error)
{
  const char *content = prop_of(disk, "content"), *size = prop_of(disk, "size");
  tutti_error reason;
  if (size && !is_size(size))
    return tutti_xml_fail(file, disk, error, "size=\"%.40s\" of a disk: a number with a unit is expected, such as 5GiB",
                          size);
  if (!content || !*content)
    return TUTTI_OK;
  platform->has_files = true;
  if (check_content(file, content, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, disk, error, "content=\"%.200s\" of a disk: %s", content, reason.message);
  return TUTTI_OK;
}

static tutti_status check_host(const xml_file *file, const xmlNode *host, tutti_error *error)
{
  const char *remote = prop_of(host, "remote_disk");
  if (remote && !is_remote_disk(file, remote))
    return tutti_xml_fail(
        file, host, error,
        "remote_disk=\"%.80s\": MOUNT:DISK:HOST with a disk of that host is expected: SimGrid ends there", remote);
  return TUTTI_OK;
}

tutti_status tutti_platform_check_disks(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "disk"))
      status = check_disk(file, node, platform, error);
    else if (tutti_xml_is(node, "host"))
      status = check_host(file, node, error);
  return status;
}
