/* Help: of a command with many options those of every day, and all of them where they are asked for. */
#include "cli/command.h"
#include "cli/options/option_parser.h"

enum { KEY_ALL = 0x100, KEY_USAGE, KEY_VERSION };

bool option_is_everyday(const struct option_row *option)
{
  static const char *const names[] = {"ranks",  "size",   "platform", "flavor",     "db",       "decision",
                                      "output", "plot",   "format",   "json",       "engine",   "methods",
                                      "method", "budget", "jobs",     "collective", "hostfile", "launcher"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option->name, names[i]) == 0)
      return true;
  return option->everyday;
}

void options_add_help(struct parser *parser)
{
  static const struct argp_option rows[] = {{.key = 'h', .flags = OPTION_HIDDEN},
                                            {.name = "help", .key = '?', .flags = OPTION_HIDDEN},
                                            {.name = "help-all", .key = KEY_ALL, .flags = OPTION_HIDDEN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    tutti_xpush(&parser->shown, rows[i]);
}

static bool is_row(const struct parser *parser, const struct argp_option *shown)
{
  return shown->name && !(shown->flags & OPTION_HIDDEN) && option_of_key(parser, shown->key);
}

static size_t count_rows(const struct parser *parser, bool all)
{
  size_t count = 0;
  for (size_t i = 0; i < parser->shown.count; i++)
    if (is_row(parser, &parser->shown.items[i]))
      count += all || option_is_everyday(option_of_key(parser, parser->shown.items[i].key)->option);
  return count;
}

struct help {
  TUTTI_VECTOR(struct argp_option);
};

/* The rows, and the headings of those. */
static void add_rows(const struct parser *parser, bool all, struct help *help)
{
  const struct argp_option *heading = NULL;
  for (size_t i = 0; i < parser->shown.count; i++) {
    const struct argp_option *shown = &parser->shown.items[i];
    if (!shown->name && !shown->key && shown->doc)
      heading = shown;
    if (!is_row(parser, shown) || !(all || option_is_everyday(option_of_key(parser, shown->key)->option)))
      continue;
    if (heading)
      tutti_xpush(help, *heading);
    heading = NULL;
    tutti_xpush(help, *shown);
  }
}

static void print_help(const struct parser *parser, bool all, const struct argp_state *state)
{
  const size_t count = count_rows(parser, true), few = count_rows(parser, false);
  const bool cut = !all && count > OPTIONS_SHOWN && few > 0;
  struct help help = {.count = 0};
  struct argp argp = *parser->argp;
  char name[128];
  add_rows(parser, !cut, &help);
  tutti_xpush(&help, (struct argp_option){"help", '?', NULL, 0, "Give this help list", -1});
  if (count > OPTIONS_SHOWN)
    tutti_xpush(&help, (struct argp_option){"help-all", KEY_ALL, NULL, 0, "Give a list of all options", -1});
  tutti_xpush(&help, (struct argp_option){"usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1});
  tutti_xpush(&help, (struct argp_option){"version", 'V', NULL, 0, "Print program version", -1});
  tutti_xpush(&help, (struct argp_option){0});
  argp.options = help.items;
  snprintf(name, sizeof name, "%s", state->name);
  argp_help(&argp, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK, name);
  if (cut)
    printf("\n%zu more options: %s --help-all\n", count - few, state->name);
  tutti_vector_free(&help);
}

bool options_help(const struct parser *parser, int key, const struct argp_state *state)
{
  if (key != 'h' && key != '?' && key != KEY_ALL)
    return false;
  print_help(parser, key == KEY_ALL, state);
  exit(exit_status(EXIT_DONE));
}
