/* Files that change what a library does: the parameter files of Open MPI (NAME = VALUE, comments begin with '#'), and
   those that variables name. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/settings/settings.h"

extern char **environ;

/* ---- parameter files ---- */

/* Callback for parameters. */
struct telling {
  tutti_mca_function *tell;
  void *context;
};

static void read_line(const struct telling *telling, const char *path, char *line)
{
  char *equals;
  line[strcspn(line, "#")] = '\0';
  line += strspn(line, " \t");
  equals = strchr(line, '=');
  if (!equals)
    return;
  char *value = equals + 1 + strspn(equals + 1, " \t"), *end = value + strlen(value);
  while (end > value && isspace((unsigned char)end[-1]))
    *--end = '\0';
  while (equals > line && isspace((unsigned char)equals[-1]))
    equals--;
  *equals = '\0';
  telling->tell(telling->context, path, line, value);
}

static void read_file(const struct telling *telling, char *path)
{
  struct tutti_lines lines;
  const bool there =
      path && access(path, R_OK) == 0 && tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, NULL) == TUTTI_OK;
  while (there && tutti_lines_next(&lines))
    read_line(telling, path, lines.text);
  if (there)
    tutti_lines_close(&lines);
  free(path);
}

/* PREFIX/etc/openmpi-mca-params.conf of PREFIX/bin/mpiexec; Debian has it in a folder of /etc. */
static char *file_beside(const char *launcher)
{
  char *real = launcher ? realpath(launcher, NULL) : NULL;
  for (int up = 0; real && up < 2; up++) {
    char *slash = strrchr(real, '/');
    if (slash)
      *slash = '\0';
  }
  char *path = real ? tutti_xprintf("%s/etc/openmpi-mca-params.conf", real) : NULL;
  free(real);
  return path;
}

char *tutti_mca_system_file(const char *launcher)
{
  const char *prefix = getenv("OPAL_PREFIX");
  char *paths[] = {prefix ? tutti_xprintf("%s/etc/openmpi-mca-params.conf", prefix) : NULL, file_beside(launcher),
                   tutti_xstrdup("/etc/openmpi/openmpi-mca-params.conf")};
  char *found = NULL;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (!found && paths[i] && access(paths[i], R_OK) == 0)
      found = paths[i];
    else
      free(paths[i]);
  return found;
}

/* Files with commas between them, the last one first, in place of all others; "none" is none (opal/mca/base/
   mca_base_var.c of Open MPI 4.1 and 5.0). A "~/" is that of the user at the beginning of the list only. */
static void read_listed(const struct telling *telling, const char *list, const char *home)
{
  const bool of_home = home && strncmp(list, "~/", 2) == 0;
  char *words = of_home ? tutti_xprintf("%s%s", home, list + 1) : tutti_xstrdup(list), *rest = words, *word;
  char *files[TUTTI_MCA_FILES];
  int count = 0;
  while (count < TUTTI_MCA_FILES && (word = strsep(&rest, ",")))
    if (*word)
      files[count++] = word;
  while (count > 0 && strcmp(list, "none") != 0)
    read_file(telling, tutti_xstrdup(files[--count]));
  free(words);
}

void tutti_mca_files(const char *launcher, tutti_mca_function *tell, void *context)
{
  const struct telling telling = {tell, context};
  const char *home = getenv("HOME"), *list = getenv("OMPI_MCA_mca_base_param_files");
  if (list && *list) {
    read_listed(&telling, list, home);
    return;
  }
  read_file(&telling, tutti_mca_system_file(launcher));
  if (home)
    read_file(&telling, tutti_xprintf("%s/.openmpi/mca-params.conf", home));
}

/* ---- files that variables name ---- */

/* Whether MPICH reads a variable of this name at start. Its variables have one of three prefixes. */
static bool is_read_by_mpich(const char *name, size_t length)
{
  static const char *const prefixes[] = {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"};
  static const char ending[] = "_JSON_FILE";
  const size_t end = sizeof ending - 1;
  bool known = false;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    known = known || strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
  return known && length > end && strncmp(name + length - end, ending, end) == 0;
}

tutti_status tutti_settings_check_files(const char *flavor, tutti_error *error)
{
  for (char **each = environ; *each && strcmp(flavor, "mpich") == 0; each++) {
    const size_t length = strcspn(*each, "=");
    const char *path = (*each)[length] ? *each + length + 1 : "";
    if (*path && is_read_by_mpich(*each, length) && access(path, R_OK) != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "the variable %.*s names %s: %s: MPICH crashes in MPI_Init then; correct the path, or unset it",
                        (int)length, *each, path, strerror(errno));
  }
  return TUTTI_OK;
}
