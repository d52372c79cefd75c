/* The command line by tables of options, read by argp. */
#include <ctype.h>
#include <errno.h>

#include "cli/command.h"
#include "cli/options/option_parser.h"
#include "cli/options/steps.h"
#include "cli/output/output.h"

const char *argp_program_version = "tutti " TUTTI_VERSION;

enum { FIRST_KEY = 0x200 };

const struct bound *option_of_key(const struct parser *parser, int key)
{
  if (key > 0 && key < OPTION_LETTERS && parser->letters[key])
    return &parser->items[parser->letters[key] - 1];
  return key >= FIRST_KEY && (size_t)(key - FIRST_KEY) < parser->count ? &parser->items[key - FIRST_KEY] : NULL;
}

static bool is_option(const struct option_row *option)
{
  return option->kind >= OPTION_KIND_FLAG && option->help;
}

static bool is_argument(const struct option_row *option)
{
  return option->kind >= OPTION_KIND_FLAG && !option->help;
}

/* ---- rows for argp ---- */

/* A text that lives as long as the parser. */
static const char *keep(struct parser *parser, char *text)
{
  tutti_xpush(&parser->texts, text);
  return text;
}

static const char *help_of(struct parser *parser, const struct option_row *option)
{
  const char *usual = option->otherwise ? option->otherwise : option->initial;
  return usual ? keep(parser, tutti_xprintf("%s (default: %s)", option->help, usual)) : option->help;
}

/* The name of the value in the help: of words the list of them. */
static const char *argument_of(struct parser *parser, const struct option_row *option)
{
  char *list = NULL;
  for (int i = 0; option->kind == OPTION_KIND_WORD && !option->argument && option->words[i]; i++) {
    char *longer = tutti_xprintf("%s%s%s", list ? list : "", list && *list ? "|" : "", option->words[i]);
    free(list);
    list = longer;
  }
  return list ? keep(parser, list) : option->argument;
}

static void show(struct parser *parser, const struct option_row *option, size_t row)
{
  int key = option->letter ? option->letter : FIRST_KEY + (int)row;
  const char *argument = argument_of(parser, option);
  struct argp_option shown = {.name = option->name,
                              .key = key,
                              .arg = argument,
                              .flags = option->bare ? OPTION_ARG_OPTIONAL : 0,
                              .doc = help_of(parser, option),
                              .group = parser->group};
  if (option->letter)
    parser->letters[(int)option->letter] = row + 1;
  tutti_xpush(&parser->shown, shown);
}

/* Old spellings: accepted, but not shown. */
static void hide_aliases(struct parser *parser, const struct option_row *option, size_t row)
{
  char *rest = (char *)keep(parser, tutti_xstrdup(option->aliases ? option->aliases : ""));
  for (char *alias; (alias = strtok_r(NULL, " ", &rest));) {
    bool is_letter = alias[1] == '\0';
    struct argp_option hidden = {.name = is_letter ? NULL : alias,
                                 .key = is_letter ? alias[0] : FIRST_KEY + (int)row,
                                 .arg = option->argument ? option->argument
                                        : option->words  ? "WORD"
                                                         : NULL,
                                 .flags = OPTION_HIDDEN | (option->bare ? OPTION_ARG_OPTIONAL : 0),
                                 .group = parser->group};
    if (is_letter)
      parser->letters[(int)alias[0]] = row + 1;
    tutti_xpush(&parser->shown, hidden);
  }
}

static bool is_known(const struct parser *parser, const struct option_row *option)
{
  for (size_t i = 0; i < parser->count; i++)
    if (is_option(parser->items[i].option) && strcmp(parser->items[i].option->name, option->name) == 0)
      return true;
  return false;
}

/* Add all rows of a table; of options with the same name the first one counts. */
static void add_table(struct parser *parser, const struct option_row *table, char *values)
{
  for (const struct option_row *option = table; option->kind != OPTION_KIND_END; option++) {
    if (option->kind == OPTION_KIND_TABLE) {
      add_table(parser, option->make ? option->make() : option->table, values + option->offset);
    } else if (option->kind == OPTION_KIND_HEADING) {
      parser->group++;
      tutti_xpush(&parser->shown, (struct argp_option){.doc = option->name, .group = parser->group});
    } else if (!is_option(option) || !is_known(parser, option)) {
      tutti_xpush(parser, (struct bound){option, values});
      if (is_option(option)) {
        show(parser, option, parser->count - 1);
        hide_aliases(parser, option, parser->count - 1);
      }
    }
  }
}

/* ---- values ---- */

/* A row that is being read: a failure names it, unless it is an argument. */
struct reading {
  struct argp_state *state;
  const struct option_row *option; /* NULL: values are checked together */
};

static void refuse(const char *message, void *of)
{
  const struct reading *reading = of;
  if (reading->option && is_option(reading->option))
    argp_error(reading->state, "%s", option_refusal("--%s: %s", reading->option->name, message));
  else
    argp_error(reading->state, "%s", option_refusal("%s", message));
}

static void set(struct argp_state *state, const struct bound *bound, const char *text)
{
  const struct option_row *option = bound->option;
  struct reading reading = {state, option};
  tutti_error error = {0};
  if (is_option(option) && step_check_option(state->argv[0], option->name, text, &error) != TUTTI_OK)
    argp_failure(state, EXIT_USAGE, 0, "%s", option_refusal("--%s: %s", option->name, error.message));
  if (option->given)
    *(bool *)(bound->values + option->given - 1) = true;
  option_note_given(option, text, false);
  if (!text && option->bare)
    return;
  failure_report_by(refuse, &reading);
  option_read(option, bound->values, text);
  failure_report_by(NULL, NULL);
}

/* What messages call an argument: "collective" for COLLECTIVE, "experiment" for EXPERIMENT.xml. */
static const char *plain_name(const struct option_row *option, char name[32])
{
  size_t length = strcspn(option->name, ".|");
  snprintf(name, 32, "%.*s", (int)length, option->name);
  for (char *c = name; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  return name;
}

/* The argument with that number; the last one if it takes as many as there are. */
static const struct bound *find_argument(const struct parser *parser, unsigned number)
{
  const struct bound *last = NULL;
  for (size_t i = 0; i < parser->count; i++)
    if (is_argument(parser->items[i].option)) {
      last = &parser->items[i];
      if (number-- == 0)
        return last;
    }
  return last && last->option->many ? last : NULL;
}

static error_t set_argument(struct argp_state *state, const struct parser *parser, const char *text)
{
  char name[32];
  const struct bound *bound = find_argument(parser, state->arg_num);
  const struct bound *last = state->arg_num > 0 ? find_argument(parser, state->arg_num - 1) : NULL;
  if (bound)
    set(state, bound, text);
  else if (last && state->arg_num == 1)
    argp_error(state, "%s", option_refusal("one %s at a time, not '%s' too", plain_name(last->option, name), text));
  else if (last)
    argp_error(state, "%s", option_refusal("unexpected argument '%s'", text));
  else
    return ARGP_ERR_UNKNOWN; /* "Too many arguments" */
  return 0;
}

static bool is_given(const char *wanted)
{
  const char *name, *text;
  for (size_t i = 0; option_given_at(i, &name, &text); i++)
    if (strcmp(name, wanted) == 0)
      return true;
  return false;
}

/* Ask for all arguments and options that are missing, together. */
static void check_missing(struct argp_state *state, const struct parser *parser)
{
  char name[32], missing[400] = "";
  const struct bound *bound = NULL;
  for (unsigned i = state->arg_num; (bound = find_argument(parser, i)) && !(bound->option->many && i > 0); i++) {
    if (!bound->option->optional)
      text_append(missing, sizeof missing, "; which %s?", plain_name(bound->option, name));
    if (bound->option->many)
      break;
  }
  for (size_t i = 0; i < parser->count; i++)
    if (parser->items[i].option->kind == OPTION_KIND_REQUIRED && !is_given(parser->items[i].option->argument))
      text_append(missing, sizeof missing, "; %s", parser->items[i].option->help);
  if (*missing)
    argp_error(state, "%s", option_refusal("%s", missing + strlen("; ")));
}

static void check(struct argp_state *state, const struct parser *parser)
{
  struct reading reading = {.state = state};
  check_missing(state, parser);
  failure_report_by(refuse, &reading);
  for (size_t i = 0; i < parser->count; i++)
    if (parser->items[i].option->kind == OPTION_KIND_CHECK)
      parser->items[i].option->check(parser->items[i].values);
  for (size_t i = 0; i < parser->count; i++)
    if (parser->items[i].option->writes) {
      reading.option = parser->items[i].option;
      option_check_written(reading.option);
    }
  failure_report_by(NULL, NULL);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  const struct parser *parser = state->input;
  if (key == ARGP_KEY_ARG)
    return set_argument(state, parser, text);
  const struct bound *bound = option_of_key(parser, key);
  if (key == ARGP_KEY_END)
    check(state, parser);
  else if (bound)
    set(state, bound, text);
  else if (!options_help(parser, key, state))
    return ARGP_ERR_UNKNOWN;
  return 0;
}

/* Set the defaults before the command line is read. */
static void begin(const struct parser *parser)
{
  for (size_t i = 0; i < parser->count; i++) {
    const struct bound *bound = &parser->items[i];
    if (bound->option->kind == OPTION_KIND_BEGIN)
      bound->option->begin(bound->values);
    else if (bound->option->initial) {
      option_read(bound->option, bound->values, bound->option->initial);
      option_note_given(bound->option, bound->option->initial, true);
    }
  }
}

/* ---- the synopsis ---- */

static char *synopsis(const struct parser *parser)
{
  char *text = tutti_xstrdup("");
  for (size_t i = 0; i < parser->count; i++) {
    const struct option_row *option = parser->items[i].option;
    if (!is_argument(option))
      continue;
    char *longer = tutti_xprintf("%s%s%s%s%s%s", text, *text ? " " : "", option->optional ? "[" : "", option->name,
                                 option->many ? "..." : "", option->optional ? "]" : "");
    free(text);
    text = longer;
  }
  return text;
}

/* Help, and below the options notes and what the usage lists. */
static char *describe(struct parser *parser, const struct option_usage *usage)
{
  const char *list = usage->list ? keep(parser, usage->list()) : NULL;
  return tutti_xprintf("%s%s%s%s%s", usage->help, usage->notes || list ? "\v" : "", usage->notes ? usage->notes : "",
                       usage->notes && list ? "\n\n" : "", list ? list : "");
}

static void parser_free(struct parser *parser)
{
  for (size_t i = 0; i < parser->texts.count; i++)
    free((char *)parser->texts.items[i]);
  tutti_vector_free(&parser->texts);
  tutti_vector_free(&parser->shown);
  tutti_vector_free(parser);
}

void options_parse(const struct option_row *table, const struct option_usage *usage, int argc, char **argv,
                   void *values)
{
  struct parser parser = {.group = 1};
  add_table(&parser, table, values);
  options_add_help(&parser);
  tutti_xpush(&parser.shown, (struct argp_option){0});
  const char *arguments = usage->arguments ? usage->arguments : keep(&parser, synopsis(&parser));
  struct argp argp = {.options = parser.shown.items,
                      .parser = parse,
                      .args_doc = *arguments ? arguments : NULL, /* "" leaves a blank at the end of the line */
                      .doc = keep(&parser, describe(&parser, usage))};
  parser.argp = &argp;
  begin(&parser);
  option_refusals_begin(usage, argc, argv);
  options_check_names(&parser, argc, argv);
  argp_err_exit_status = EXIT_USAGE;
  int code = argp_parse(&argp, argc, argv, 0, NULL, &parser);
  if (code != 0) {
    tutti_say(stderr, "%s: %s\n", argv[0], strerror(code));
    exit(EXIT_USAGE);
  }
  option_refusals_end();
  parser_free(&parser);
}

void options_free(const struct option_row *table, void *values)
{
  option_forget_given();
  for (const struct option_row *option = table; option->kind != OPTION_KIND_END; option++) {
    char *member = (char *)values + option->offset;
    if (option->kind == OPTION_KIND_TABLE)
      options_free(option->make ? option->make() : option->table, member);
    else if (option->kind == OPTION_KIND_STRINGS)
      tutti_vector_free((struct option_strings *)member);
    else if (option->kind == OPTION_KIND_WORDS)
      free(*(char **)member);
    else if (option->kind == OPTION_KIND_NUMBERS)
      free(((struct option_numbers *)member)->items);
  }
}
