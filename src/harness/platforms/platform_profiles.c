/*
 * Files that a platform file names: changes of speeds, bandwidths and states over time. SimGrid 3.32 opens anything
 * with that name, and prints a line that it cannot read: only a regular file beside the platform, reached without a
 * link, that holds such numbers, is passed to it.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "harness/platforms/platform_private.h"

enum { LARGEST_PROFILE = 64 << 20 };

bool tutti_platform_next_file(const xmlNode *node, size_t *at, const char **name, const char **path)
{
  static const char *const attributes[] = {"availability_file", "bandwidth_file", "file",
                                           "latency_file",      "speed_file",     "state_file"};
  if (*at == 0 && (*path = tutti_platform_disk_property(node, TUTTI_DISK_CONTENT)) && **path) {
    *name = TUTTI_DISK_CONTENT;
    *at = sizeof attributes / sizeof *attributes; /* a <prop> has none of them */
    return true;
  }
  while (*at < sizeof attributes / sizeof *attributes) {
    *name = attributes[(*at)++];
    *path = tutti_xml_attribute(node, *name);
    if (*path && **path)
      return true;
  }
  return false;
}

/* ---- their content ---- */

/* Whether SimGrid's ProfileBuilder knows the word: a number, or a keyword for continuation or a distribution. */
static bool is_profile_word(const char *word)
{
  static const char *const words[] = {"PERIODICITY", "LOOPAFTER", "STOCHASTIC", "LOOP", "DET",    "EXP",
                                      "EXPONENTIAL", "NORM",      "NORMAL",     "UNIF", "UNIFORM"};
  char *end;
  strtod(word, &end);
  bool known = end != word && *end == '\0';
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    known = known || strcmp(word, words[i]) == 0;
  return known;
}

/* What SimGrid has read of a profile. Dates of a stochastic one are laws. */
struct profile {
  bool stochastic;
  double last, period;
};

static const char more[] = "has more than numbers: no profile of SimGrid's";

/* An event is a date and a value. NULL, or what SimGrid ends at. */
static const char *read_event(struct profile *profile, const char *date, const char *value)
{
  if (profile->stochastic || !date || isalpha((unsigned char)*date))
    return NULL;
  const double at = strtod(date, NULL);
  if (!value)
    return "is no date with a value";
  if (at < profile->last)
    return "has a date before the one above it";
  profile->last = at;
  return NULL;
}

static const char *read_line(struct profile *profile, char *line)
{
  char *rest = NULL, *first = strtok_r(line, " \t\r", &rest), *second = first ? strtok_r(NULL, " \t\r", &rest) : NULL;
  if (!first || *first == '#' || *first == '%')
    return NULL;
  for (const char *word = second; word; word = strtok_r(NULL, " \t\r", &rest))
    if (!is_profile_word(word))
      return more;
  if (!is_profile_word(first))
    return more;
  profile->stochastic |= strcmp(first, "STOCHASTIC") == 0;
  if (strcmp(first, "PERIODICITY") == 0 && second)
    profile->period = strtod(second, NULL);
  return read_event(profile, first, second);
}

/* The first line of @p text, which is changed, that SimGrid does not take, and why; or 0. */
static long find_fault(char *text, size_t length, double period, const char **why)
{
  struct profile profile = {.period = period};
  const char *const end = text + length;
  long number = 1;
  for (char *line; (line = strsep(&text, "\n")); number++) {
    const bool cut = !text && line + strlen(line) != end; /* by a zero byte, after which SimGrid continues to read */
    *why = cut ? more : read_line(&profile, line);
    if (*why)
      return number;
  }
  *why = "is later than the period";
  return !profile.stochastic && profile.period > 0 && profile.last > profile.period ? number - 1 : 0;
}

/* ---- the file ---- */

static bool is_name(const char *name)
{
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-+", *c))
      return false;
  return *name && *name != '-' && strcmp(name, "..") != 0;
}

/* A folder, or a file to be read, without following a link or waiting for a writer. */
static int open_part(int folder, const char *name, bool last)
{
  const int opened = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
  const int reason = errno;
  close(folder);
  errno = reason;
  return opened;
}

static int open_folder(const char *platform)
{
  char *absolute = realpath(platform, NULL), *slash = absolute ? strrchr(absolute, '/') : NULL;
  if (slash)
    slash[1] = '\0';
  const int folder = absolute ? open(absolute, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
  free(absolute);
  return folder;
}

/* -1, with the reason in errno; EINVAL: not the path of a file beside the platform. */
static int open_beside(const char *platform, const char *path)
{
  char *copy = tutti_xstrdup(path), *rest = copy, *name = strsep(&rest, "/");
  int file = open_folder(platform);
  while (file >= 0 && name) {
    if (!is_name(name)) {
      close(file);
      file = -1;
      errno = EINVAL;
    } else
      file = open_part(file, name, !rest);
    name = strsep(&rest, "/");
  }
  const int reason = errno;
  free(copy);
  errno = reason;
  return file;
}

/* SimGrid looks into the working directory first. */
static bool is_hidden(int file, const char *path)
{
  struct stat here, beside;
  return stat(path, &here) == 0 && fstat(file, &beside) == 0 &&
         (here.st_ino != beside.st_ino || here.st_dev != beside.st_dev);
}

static tutti_status check_opened(int file, const char *name, const char *path, tutti_error *error)
{
  char *text;
  size_t length;
  if (tutti_input_read_opened(file, path, LARGEST_PROFILE, &text, &length, NULL) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a regular file of at most %d MB", LARGEST_PROFILE >> 20);
  const char *why;
  const bool is_content = strcmp(name, TUTTI_DISK_CONTENT) == 0;
  const long fault = is_content ? tutti_platform_content_fault(text, length, &why) : find_fault(text, length, 0, &why);
  free(text);
  if (fault)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "line %ld of that file %s", fault, why);
  if (is_hidden(file, path))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "SimGrid would open the file of that name in the current folder");
  return TUTTI_OK;
}

tutti_status tutti_platform_check_profile(const char *platform, const char *name, const char *path, bool *missing,
                                          tutti_error *error)
{
  const int file = open_beside(platform, path);
  *missing = file < 0 && errno == ENOENT;
  if (*missing)
    return TUTTI_OK;
  if (file < 0 && errno == EINVAL)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "not the path of a file beside this one, NAME or FOLDER/NAME, of letters, digits and ._-+");
  if (file < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s",
                      errno == ELOOP || errno == ENOTDIR ? "a link or no folder is on its way" : strerror(errno));
  const tutti_status status = check_opened(file, name, path, error);
  close(file);
  return status;
}

/* ---- all of a platform ---- */

static tutti_status check_files(const xml_file *file, const xmlNode *node, tutti_platform *platform, tutti_error *error)
{
  const char *name, *path;
  for (size_t at = 0; tutti_platform_next_file(node, &at, &name, &path);) {
    tutti_error reason;
    bool missing;
    platform->has_files = true;
    if (tutti_platform_check_profile(file->path, name, path, &missing, &reason) != TUTTI_OK)
      return tutti_xml_fail(file, node, error, "%s=\"%.200s\": %s", name, path, reason.message);
  }
  return TUTTI_OK;
}

static tutti_status check_text(const xml_file *file, const xmlNode *node, tutti_error *error)
{
  xmlChar *content = xmlNodeGetContent(node);
  const char *why, *period = tutti_xml_attribute(node, "periodicity");
  const long fault = content ? find_fault((char *)content, strlen((char *)content), strtod(period, NULL), &why) : 0;
  xmlFree(content);
  return fault ? tutti_xml_fail(file, node, error, "<trace>: its line %ld %s", fault, why) : TUTTI_OK;
}

/* The option path sends SimGrid elsewhere. */
static tutti_status check_search(const xml_file *file, const xmlNode *node, const tutti_platform *platform,
                                 tutti_error *error)
{
  if (platform->has_files && tutti_xml_is(node->parent, "config") &&
      strcmp(tutti_xml_attribute(node, "id"), "path") == 0)
    return tutti_xml_fail(file, node, error, "option path together with files: SimGrid may open others of these names");
  return TUTTI_OK;
}

tutti_status tutti_platform_check_profiles(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    if (node->type == XML_ELEMENT_NODE)
      status = check_files(file, node, platform, error);
    if (status == TUTTI_OK && tutti_xml_is(node, "trace"))
      status = check_text(file, node, error);
  }
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "prop"))
      status = check_search(file, node, platform, error);
  return status;
}
