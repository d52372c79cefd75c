/* What a repository has for a gate: sources of plug-ins and MPI programs. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "cli/check/check_gate.h"

enum { DEPTH = 8, FILES = 20000 };

struct search {
  struct gate *gate;
  int files;
};

/* ---- one source ---- */

/* Whether a line includes the header: #include <NAME> or "NAME". */
static bool includes(const char *line, const char *name)
{
  line += strspn(line, " \t");
  if (*line++ != '#')
    return false;
  line += strspn(line, " \t");
  if (strncmp(line, "include", 7) != 0)
    return false;
  line += 7;
  line += strspn(line, " \t");
  return (*line == '<' || *line == '"') && strncmp(line + 1, name, strlen(name)) == 0 &&
         strchr(">\"", line[1 + strlen(name)]);
}

/* "int main(", or "main(" at the beginning of a line. */
static bool begins_main(const char *line)
{
  const char *found = strstr(line, "main");
  if (!found || (found > line && strncmp(line, "int", 3) != 0 && strncmp(line, "auto", 4) != 0))
    return false;
  found += 4;
  return found[strspn(found, " ")] == '(';
}

/* A name that no other part has: the file's without its ending, or with its folders. */
static char *name_of(const struct gate *gate, const char *path)
{
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  char *name = tutti_xstrndup(file, strcspn(file, "."));
  for (size_t i = 0; i < gate->count; i++) {
    if (strcmp(gate->items[i].name, name) != 0)
      continue;
    free(name);
    name = tutti_xstrndup(path, strlen(path) - strlen(strrchr(path, '.')));
    for (char *c = name; *c; c++)
      *c = *c == '/' ? '-' : *c;
    break;
  }
  return name;
}

static void add_part(struct gate *gate, const char *path, bool program)
{
  struct gate_part part = {.program = program, .name = name_of(gate, path)};
  const char *trouble = gate_check_source(path);
  if (!trouble)
    trouble = gate_check_name(part.name);
  part.trouble = trouble ? tutti_xstrdup(trouble) : NULL;
  tutti_xpush(&part.sources, tutti_xstrdup(path));
  tutti_xpush(gate, part);
}

/* A file that cannot be read as a text is no source. */
static void look_at(struct search *search, const char *path)
{
  struct tutti_lines lines;
  bool plugin = false, mpi = false, runs = false;
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, NULL);
  while (tutti_lines_next(&lines)) {
    plugin |= includes(lines.text, "tutti/plugin.h");
    mpi |= includes(lines.text, "mpi.h");
    runs |= begins_main(lines.text);
  }
  if (tutti_lines_close(&lines) == TUTTI_OK && (plugin || (mpi && runs)))
    add_part(search->gate, path, !plugin);
}

/* ---- the folder ---- */

static bool is_source(const char *name)
{
  static const char *const endings[] = {".c", ".cc", ".cpp"};
  bool found = false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    found |= tutti_stem_length(name, endings[i]) > 0;
  return found;
}

/* Folders of tools, and those of builds, have no sources of the repository. */
static int is_looked_at(const struct dirent *entry)
{
  return entry->d_name[0] != '.' && strncmp(entry->d_name, "build", 5) != 0;
}

/* Links are not followed: they may lead out of the repository. */
static void search_folder(struct search *search, const char *folder, int depth)
{
  struct dirent **entries;
  const int count = scandir(*folder ? folder : ".", &entries, is_looked_at, alphasort);
  if (count < 0)
    die("%s: %s", *folder ? folder : ".", strerror(errno));
  for (int i = 0; i < count; i++) {
    char *path = tutti_xprintf("%s%s%s", folder, *folder ? "/" : "", entries[i]->d_name);
    struct stat status;
    if (++search->files > FILES)
      die("more than %d files: go to the folder that has the algorithm or the program", FILES);
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && depth < DEPTH)
      search_folder(search, path, depth + 1);
    else if (S_ISREG(status.st_mode) && is_source(entries[i]->d_name))
      look_at(search, path);
    free(path);
    free(entries[i]);
  }
  free(entries);
}

void gate_detect(struct gate *gate)
{
  struct search search = {.gate = gate};
  search_folder(&search, "", 0);
}
