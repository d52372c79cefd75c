/* tutti platform list. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/options/common.h"
#include "cli/platform/platform.h"
#include "tutti/platform.h"

struct list_options {
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_SET("json", struct list_options, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j"),
    OPTION_FORMAT(struct list_options, format), OPTION_END};

/* ---- names ---- */

struct names {
  TUTTI_VECTOR(char *);
};

static bool has_name(const struct names *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

static int is_platform_file(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

/* The first directory that has a name decides, as in tutti_platform_find(). */
static void add_directory(struct names *names, const char *directory)
{
  struct dirent **entries;
  int count = *directory ? scandir(directory, &entries, is_platform_file, NULL) : -1;
  for (int i = 0; i < count; i++) {
    char *name = tutti_xstrndup(entries[i]->d_name, strlen(entries[i]->d_name) - 4);
    if (has_name(names, name))
      free(name);
    else
      tutti_xpush(names, name);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

static int alphabetically(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static void collect(struct names *names)
{
  char *directories = tutti_platform_directories(), *rest = directories;
  if (!directories)
    tutti_out_of_memory();
  for (char *directory; (directory = strsep(&rest, ":"));)
    add_directory(names, directory);
  free(directories);
  if (names->count > 0)
    qsort(names->items, names->count, sizeof *names->items, alphabetically);
}

/* ---- the table ---- */

struct row {
  const char *name;
  int hosts, ranks_per_node;
  char *description; /* owned */
};

static const tutti_column columns[] = {
    {"name", "name", TUTTI_FIELD(struct row, name)},
    {"hosts", "hosts", TUTTI_FIELD(struct row, hosts), .width = 8, .gap = 1},
    {"ranks/node", "ranks_per_node", TUTTI_FIELD(struct row, ranks_per_node), .width = 11, .gap = 1},
    {"description", "description", TUTTI_FIELD(struct row, description)},
};

/* A file that is no platform is complained about and does not hide the others. */
static int run(void *values)
{
  const struct list_options *chosen = values;
  struct names names = {0};
  struct {
    TUTTI_VECTOR(struct row);
  } rows = {0};
  tutti_error error;
  int code = EXIT_DONE;
  collect(&names);
  for (size_t i = 0; i < names.count; i++) {
    tutti_platform platform;
    if (platform_load(names.items[i], &platform, &error) != TUTTI_OK) {
      code = complain(&error);
      continue;
    }
    tutti_xpush(&rows, (struct row){names.items[i], platform.host_count, platform.ranks_per_node,
                                    tutti_xstrdup(platform.description ? platform.description : "")});
    tutti_platform_free(&platform);
  }
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(rows.items, rows.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (tutti_document_print(&document, chosen->format, stdout, &error) != TUTTI_OK)
    code = complain(&error);
  for (size_t i = 0; i < rows.count; i++)
    free(rows.items[i].description);
  for (size_t i = 0; i < names.count; i++)
    free(names.items[i]);
  tutti_vector_free(&rows);
  tutti_vector_free(&names);
  return code;
}

const struct command platform_list = {
    .name = "list",
    .help = "List the platforms that are found by name: in the directories of TUTTI_PLATFORM_PATH, in ./platforms and "
            "in the installed ones.",
    .options = options,
    .size = sizeof(struct list_options),
    .run = run,
};
