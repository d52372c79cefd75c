/* tutti platform list. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output/report_json.h"
#include "cli/platform/platform.h"
#include "tutti/platform.h"

struct list {
  char **names;
  int count;
};

static bool has_name(const struct list *list, const char *name)
{
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->names[i], name) == 0)
      return true;
  return false;
}

static int is_platform_file(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

/* Takes over @p name. The first directory that has a name decides, as in tutti_platform_find(). */
static bool add_name(struct list *list, char *name)
{
  char **larger = name ? realloc(list->names, (size_t)(list->count + 1) * sizeof *larger) : NULL;
  if (larger)
    list->names = larger;
  if (larger && !has_name(list, name))
    list->names[list->count++] = name;
  else
    free(name);
  return larger != NULL;
}

static bool add_directory(struct list *list, const char *directory)
{
  struct dirent **entries;
  bool complete = true;
  int count = *directory ? scandir(directory, &entries, is_platform_file, NULL) : -1;
  for (int i = 0; i < count; i++) {
    complete = complete && add_name(list, strndup(entries[i]->d_name, strlen(entries[i]->d_name) - 4));
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
  return complete;
}

static int alphabetically(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static tutti_status collect(struct list *list, tutti_error *error)
{
  char *directories = tutti_platform_directories(), *rest = directories;
  bool complete = directories != NULL;
  for (char *directory; complete && (directory = strsep(&rest, ":"));)
    complete = add_directory(list, directory);
  free(directories);
  if (!complete)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the names of platforms");
  if (list->count > 0)
    qsort(list->names, (size_t)list->count, sizeof *list->names, alphabetically);
  return TUTTI_OK;
}

static void print_row(const tutti_platform *platform, int width)
{
  printf("%-*s %8d %11d  %s\n", width, platform->name, platform->host_count, platform->ranks_per_node,
         platform->description ? platform->description : "");
}

static void print_object(const tutti_platform *platform, bool first)
{
  printf("%s\n  {\"name\": ", first ? "" : ",");
  json_string(stdout, platform->name);
  printf(", \"hosts\": %d, \"ranks_per_node\": %d, \"description\": ", platform->host_count, platform->ranks_per_node);
  json_string(stdout, platform->description ? platform->description : "");
  printf("}");
}

/* A file that is no platform is complained about and does not hide the others. */
static int print(const struct list *list, bool json)
{
  int code = EXIT_DONE, width = 4;
  bool first = true;
  for (int i = 0; i < list->count; i++)
    width = (int)strlen(list->names[i]) > width ? (int)strlen(list->names[i]) : width;
  if (json)
    printf("[");
  else
    printf("%-*s %8s %11s  %s\n", width, "name", "hosts", "ranks/node", "description");
  for (int i = 0; i < list->count; i++) {
    tutti_platform platform;
    tutti_error error;
    if (platform_load(list->names[i], &platform, &error) != TUTTI_OK) {
      code = complain(&error);
      continue;
    }
    if (json)
      print_object(&platform, first);
    else
      print_row(&platform, width);
    first = false;
    tutti_platform_free(&platform);
  }
  if (json)
    printf("\n]\n");
  return code;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  (void)argument;
  if (key == 'j')
    *(bool *)state->input = true;
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

int platform_list(int argc, char **argv)
{
  static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Print JSON", 0}, {0}};
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .doc = "List the platforms that are found by name: in the directories of TUTTI_PLATFORM_PATH, in ./platforms and "
             "in the installed ones."};
  bool json = false;
  tutti_error error;
  struct list list = {0};
  parse_options(&argp, argc, argv, &json);
  int code = collect(&list, &error) == TUTTI_OK ? print(&list, json) : complain(&error);
  for (int i = 0; i < list.count; i++)
    free(list.names[i]);
  free(list.names);
  return code;
}
