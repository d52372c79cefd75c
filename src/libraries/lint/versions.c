/* Versions of libraries, and which one a file is for. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/lint/lint.h"
#include "tutti/target.h"

static const struct family {
  const char *name;
  tutti_library_version usual; /* without a number: that of Debian 12 */
  int least, most;             /* major * 100 + minor */
} families[] = {
    {"openmpi", {TUTTI_FAMILY_OPENMPI, 4, 1, 4}, 400, 699},
    {"mpich", {TUTTI_FAMILY_MPICH, 4, 0, 2}, 400, 599},
    {"tutti", {TUTTI_FAMILY_TUTTI, -1, -1, -1}, 0, 0},
};

/* A number and the dot behind it, if there is one. */
static bool read_part(const char **text, int *number)
{
  char *end;
  if (!isdigit((unsigned char)**text))
    return false;
  unsigned long value = strtoul(*text, &end, 10);
  *number = value < 100 ? (int)value : 100;
  bool more = *end == '.' && isdigit((unsigned char)end[1]);
  *text = more ? end + 1 : end;
  return *number < 100 && (more || !*end);
}

static bool read_numbers(const char *text, const struct family *family, tutti_library_version *version)
{
  int *const parts[] = {&version->major, &version->minor, &version->patch};
  for (int i = 0; i < 3 && *text; i++)
    if (!read_part(&text, parts[i]))
      return false;
  int number = version->major * 100 + (version->minor < 0 ? 0 : version->minor);
  return !*text && number >= family->least && number <= family->most;
}

tutti_status tutti_library_version_parse(const char *name, tutti_library_version *version, tutti_error *error)
{
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    const struct family *family = &families[i];
    size_t length = strlen(family->name);
    if (strncmp(name, family->name, length) != 0)
      continue;
    *version = family->usual;
    if (!name[length])
      return TUTTI_OK;
    version->major = version->minor = version->patch = -1;
    if (name[length] == '-' && family->most && name[length + 1] && read_numbers(name + length + 1, family, version))
      return TUTTI_OK;
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "'%.40s' is no library with tuning files that are known: these are openmpi-4.0 to openmpi-6, "
                    "mpich-4.0 to mpich-5, tutti (openmpi-4.1.8 names a patch level)",
                    name);
}

char *tutti_library_version_format(const tutti_library_version *version, char *text)
{
  size_t length = (size_t)snprintf(text, 40, "%s", families[version->family].name);
  const int parts[] = {version->major, version->minor, version->patch};
  for (int i = 0; i < 3 && parts[i] >= 0; i++)
    length += (size_t)snprintf(text + length, 40 - length, "%c%d", i ? '.' : '-', parts[i]);
  return text;
}

bool tutti_lint_since(const tutti_library_version *version, int major, int minor, int patch)
{
  const int wanted[] = {major, minor, patch}, had[] = {version->major, version->minor, version->patch};
  for (int i = 0; i < 3; i++) {
    int number = had[i] < 0 ? 0 : had[i];
    if (number != wanted[i])
      return number > wanted[i];
  }
  return true;
}

bool tutti_lint_between(const tutti_library_version *version, int since, int until)
{
  return tutti_lint_since(version, since / 100, since % 100, 0) &&
         (until == 0 || !tutti_lint_since(version, until / 100, until % 100, 0));
}

/* The first thing in a file that is neither blank nor, before numbers, a comment. */
static char first_of(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '#')
      while (i + 1 < length && text[i + 1] != '\n')
        i++;
    else if (!isspace((unsigned char)text[i]))
      return text[i];
  }
  return '\0';
}

tutti_library_version tutti_lint_guess(const char *text, size_t length)
{
  char first = first_of(text, length);
  if (first == '{' && memmem(text, length, "\"collectives\"", strlen("\"collectives\"")))
    return (tutti_library_version){TUTTI_FAMILY_OPENMPI, 6, -1, -1};
  if (first == '{')
    return families[1].usual;
  if (isdigit((unsigned char)first) || (length > 9 && memcmp(text, "rule-file", 9) == 0))
    return families[0].usual;
  return families[2].usual;
}

void tutti_lint_print_use(const tutti_library_version *version, const char *path, FILE *stream)
{
  const tutti_target *target = NULL;
  const char *name = "tutti";
  if (version->family == TUTTI_FAMILY_OPENMPI)
    name = version->major >= 5 ? "openmpi-5" : "openmpi-4.1";
  else if (version->family == TUTTI_FAMILY_MPICH)
    name = "mpich-4.0";
  if (tutti_target_find(name, &target, NULL) == TUTTI_OK)
    target->print_use(path, stream);
}
