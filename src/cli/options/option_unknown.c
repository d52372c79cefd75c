/* Options that are not known, and the one that was meant. */
#include <ctype.h>

#include "base/utf8.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/meaning.h"
#include "cli/options/option_parser.h"

/* The option of a word "--name", "--name=value" or "-x"; NULL: it is none, or there are several. A beginning of a name
   is enough, as for getopt_long(). @p known says how many there are. */
static const struct argp_option *find_option(const struct parser *parser, const char *word, int *known)
{
  const struct argp_option *found = NULL;
  size_t length = strcspn(word + 2, "=");
  *known = 0;
  for (size_t i = 0; i < parser->shown.count; i++) {
    const struct argp_option *option = &parser->shown.items[i];
    bool is_long = word[1] == '-' && option->name && strncmp(option->name, word + 2, length) == 0;
    if (is_long || (word[1] != '-' && word[1] == option->key)) {
      found = option;
      ++*known;
    }
  }
  return *known == 1 ? found : NULL;
}

static bool is_of_argp(const char *name, size_t length)
{
  static const char *const argps[] = {"help", "help-all", "usage", "version", "program-name", "HANG"};
  for (size_t i = 0; i < sizeof argps / sizeof *argps; i++)
    if (strncmp(argps[i], name, length) == 0)
      return true;
  return false;
}

static void end_with(const char *program, const char *why)
{
  tutti_say(stderr, "%s: %s\nTry `%s --help' or `%s --usage' for more information.\n", program, why, program, program);
  exit(EXIT_USAGE);
}

static bool is_shown(const struct argp_option *option)
{
  return option->name && !(option->flags & OPTION_HIDDEN);
}

static bool is_name(const char *name, const void *of)
{
  const struct parser *parser = of;
  for (size_t i = 0; i < parser->shown.count; i++)
    if (is_shown(&parser->shown.items[i]) && strcmp(parser->shown.items[i].name, name) == 0)
      return true;
  return false;
}

static void reject_option(const struct parser *parser, const char *program, const char *word)
{
  char name[TUTTI_GUESS_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  size_t length = strcspn(word + 2, "=");
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word + 2);
  tutti_guess guess = {.word = name};
  if (is_of_argp(name, strlen(name)))
    return;
  for (size_t i = 0; i < parser->shown.count; i++)
    if (is_shown(&parser->shown.items[i]))
      tutti_guess_try(&guess, parser->shown.items[i].name);
  const struct meaning *meaning = meaning_find(option_meanings, name, is_name, parser);
  const char *found = meaning ? meaning->name : tutti_guess_word(&guess);
  snprintf(meant, sizeof meant, "%s%s%s", found ? " (did you mean --" : "", found ? found : "", found ? "?)" : "");
  end_with(program, option_refusal("unrecognized option '--%s'%s", name, meant));
}

/* getopt_long() prints as it is what it takes for a letter, or for the beginning of several names. */
static void check_printed(const struct parser *parser, const char *program, char *word, int known)
{
  const bool is_printed = word[1] == '-' && (known > 1 || is_of_argp(word + 2, strcspn(word + 2, "=")));
  if (is_printed && !tutti_utf8_is_line(word)) /* "--help" may be a constant (tutti help COMMAND) */
    tutti_utf8_clean(word);
  for (const char *letter = word + 1; word[1] != '-' && *letter; letter++) {
    if (!isprint((unsigned char)*letter))
      end_with(program, option_refusal("invalid option -- '%.1s'", letter));
    size_t row = parser->letters[(int)*letter];
    if (row > 0 && parser->items[row - 1].option->kind > OPTION_KIND_SET)
      return; /* what is after it is its value */
  }
}

void options_check_names(const struct parser *parser, int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    int known = 0;
    if (argv[i][0] != '-' || !argv[i][1])
      continue;
    const struct argp_option *option = find_option(parser, argv[i], &known);
    if (known == 0 && argv[i][1] == '-')
      reject_option(parser, argv[0], argv[i]);
    check_printed(parser, argv[0], argv[i], known);
    bool whole = argv[i][1] == '-' ? !strchr(argv[i], '=') : !argv[i][2];
    if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && whole)
      i++; /* its value */
  }
}
