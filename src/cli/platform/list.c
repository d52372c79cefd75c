/* tutti platform list: the platforms that are found by name. */
#include <dirent.h>

#include "base/numbers.h"
#include "cli/output/output.h"
#include "cli/platform/platform.h"

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
  return entry->d_name[0] != '.' && tutti_stem_length(entry->d_name, ".xml") > 0;
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

static void collect(struct names *names)
{
  char *directories = tutti_platform_directories(), *rest = directories;
  if (!directories)
    tutti_out_of_memory();
  for (char *directory; (directory = strsep(&rest, ":"));)
    add_directory(names, directory);
  free(directories);
  tutti_vector_sort(names, tutti_compare_texts);
}

struct list_row {
  const char *name;
  int hosts, ranks_per_node;
  char *description; /* owned */
};

static const tutti_column list_columns[] = {
    {"name", "name", TUTTI_FIELD(struct list_row, name)},
    {"hosts", "hosts", TUTTI_FIELD(struct list_row, hosts), .width = 8, .gap = 1},
    {"ranks/node", "ranks_per_node", TUTTI_FIELD(struct list_row, ranks_per_node), .width = 11, .gap = 1},
    {"description", "description", TUTTI_FIELD(struct list_row, description), .fold = true},
};

struct list {
  TUTTI_VECTOR(struct list_row);
};

/* An error about a file that is no platform does not hide the others. Returns an exit status. */
static int read_all(const struct names *names, struct list *list)
{
  int code = EXIT_DONE;
  for (size_t i = 0; i < names->count; i++) {
    tutti_platform platform;
    must(platform_load(names->items[i], &platform, &failure));
    tutti_xpush(list, (struct list_row){names->items[i], platform.host_count, platform.ranks_per_node,
                                        tutti_xstrdup(platform.description ? platform.description : "")});
    tutti_platform_free(&platform);
  }
  return code;
}

static int run_list(void *values)
{
  const struct platform_options *chosen = values;
  struct names names = {0};
  struct list list = {0};
  collect(&names);
  int code = read_all(&names, &list);
  const tutti_table table = {TUTTI_COLUMNS(list_columns), TUTTI_ROWS(list.items, list.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, chosen->format, stdout, &failure));
  for (size_t i = 0; i < list.count; i++)
    free(list.items[i].description);
  for (size_t i = 0; i < names.count; i++)
    free(names.items[i]);
  tutti_vector_free(&list);
  tutti_vector_free(&names);
  return code;
}

static const struct option_row list_options[] = {JSON_ROW, OPTION_FORMAT(struct platform_options, format), OPTION_END};

DEFINE_COMMAND(platform_list, "list", list_options, struct platform_options, run_list);
