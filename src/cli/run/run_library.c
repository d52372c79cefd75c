/* Which MPI library a program is linked with, found as the dynamic linker finds libraries (ld.so(8)), without starting
   anything. */
#include <glob.h>
#include <unistd.h>

#include "cli/run/run.h"

/* By how their names begin. The number 12 is what MPICH and the libraries with its binary interface agreed on
   (MPICH ABI Compatibility Initiative); Open MPI has had 20, 40 and more since 2.0. What a library of Fortran or C++
   is called tells the two apart as well. */
static const struct {
  const char *beginning, *flavor;
} names[] = {
    {"libmpi_abi.so", "abi"},       {"libmpich", "mpich"},         {"libmpi.so.12", "mpich"},
    {"libmpifort.so", "mpich"},     {"libmpicxx.so", "mpich"},     {"libmpi.so.", "openmpi"},
    {"libmpi_mpifh.so", "openmpi"}, {"libmpi_usempi", "openmpi"},  {"libmpi_cxx.so", "openmpi"},
    {"libopen-rte.so", "openmpi"},  {"libopen-pal.so", "openmpi"}, {"libprrte.so", "openmpi"},
    {"libsimgrid.so", "smpi"},
};

static const char *flavor_of_name(const char *name)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i].beginning, strlen(names[i].beginning)) == 0)
      return names[i].flavor;
  return NULL;
}

/* ---- where libraries are ---- */

struct folders {
  TUTTI_VECTOR(char *);
};

/* A list with colons between; $ORIGIN is the folder of the file that has it. */
static void add_folders(struct folders *folders, const char *list, const char *path)
{
  static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
  const char *slash = strrchr(path, '/');
  for (size_t length; list && *list; list += length + (list[length] == ':')) {
    length = strcspn(list, ":");
    size_t begin = 0;
    for (int i = 0; i < 2; i++)
      if (strncmp(list, origins[i], strlen(origins[i])) == 0)
        begin = strlen(origins[i]);
    if (length > 0)
      tutti_xpush(folders, tutti_xprintf("%.*s%.*s", begin && slash ? (int)(slash - path) : 0, path,
                                         (int)(length - begin), list + begin));
  }
}

/* The folders that a file of ld.so.conf(5) lists, a line each. */
static void add_listed(struct folders *folders, const char *path)
{
  char *line = NULL;
  size_t room = 0;
  FILE *file = fopen(path, "re");
  while (file && getline(&line, &room, file) > 0)
    if (*line == '/')
      tutti_xpush(folders, tutti_xstrndup(line, strcspn(line, " \t\n#")));
  free(line);
  if (file)
    fclose(file);
}

static void add_usual(struct folders *folders)
{
  static const char *const usual[] = {"/lib", "/usr/lib", "/lib64", "/usr/lib64"};
  glob_t files = {0};
  add_listed(folders, "/etc/ld.so.conf");
  if (glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++)
      add_listed(folders, files.gl_pathv[i]);
  globfree(&files);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    tutti_xpush(folders, tutti_xstrdup(usual[i]));
}

/* The path of a library; owned, NULL: it is in none. */
static char *find_in(const struct folders *folders, const char *name)
{
  for (size_t i = 0; i < folders->count; i++) {
    char *path = tutti_xprintf("%s/%s", folders->items[i], name);
    if (access(path, R_OK) == 0)
      return path;
    free(path);
  }
  return NULL;
}

static void folders_free(struct folders *folders)
{
  for (size_t i = 0; i < folders->count; i++)
    free(folders->items[i]);
  tutti_vector_free(folders);
}

/* ---- libraries of libraries ---- */

enum { MAX_FILES = 512 };

struct files {
  TUTTI_VECTOR(char *); /* paths, which are looked at in this order */
};

static void add_file(struct files *files, char *path)
{
  for (size_t i = 0; path && i < files->count; i++)
    if (strcmp(files->items[i], path) == 0) {
      free(path);
      path = NULL;
    }
  if (path)
    tutti_xpush(files, path);
}

/* The flavor that a file names itself; else the libraries that it names are appended. */
static const char *look_at(const char *path, struct files *files)
{
  struct run_needs needs;
  struct folders folders = {.items = NULL};
  const char *flavor = NULL;
  run_needs_read(path, &needs);
  for (size_t i = 0; i < needs.count && !flavor; i++)
    flavor = flavor_of_name(needs.items[i]);
  add_folders(&folders, needs.folders, path);
  add_folders(&folders, getenv("LD_LIBRARY_PATH"), path);
  add_usual(&folders);
  for (size_t i = 0; i < needs.count && !flavor && files->count < MAX_FILES; i++)
    add_file(files, strchr(needs.items[i], '/') ? tutti_xstrdup(needs.items[i]) : find_in(&folders, needs.items[i]));
  folders_free(&folders);
  run_needs_free(&needs);
  return flavor;
}

const char *run_flavor_of_file(const char *path)
{
  struct files files = {.items = NULL};
  const char *flavor = NULL;
  tutti_xpush(&files, tutti_xstrdup(path));
  for (size_t i = 0; i < files.count && !flavor; i++)
    flavor = look_at(files.items[i], &files);
  for (size_t i = 0; i < files.count; i++)
    free(files.items[i]);
  tutti_vector_free(&files);
  return flavor;
}
