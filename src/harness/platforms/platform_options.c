/* SimGrid's options in a platform file: which it may set, and to what. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "harness/platforms/pieces.h"
#include "harness/platforms/platform_private.h"

struct option {
  const char *name;
  tutti_status (*read)(const struct option *option, const char *value, tutti_error *error);
  const char *text; /* words, or a unit */
  double least, most;
};

/* ---- values: errors are clauses ---- */

static tutti_status read_word(const struct option *option, const char *value, tutti_error *error)
{
  const size_t length = strlen(value);
  for (const char *word = option->text; length > 0 && word; word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL)
    if (strcspn(word, " ") == length && memcmp(word, value, length) == 0)
      return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected %s%s", strchr(option->text, ' ') ? "one of " : "",
                    option->text);
}

static bool is_number(const char *text, double least, double most)
{
  char *end;
  const double number = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(number) && number >= least && number <= most;
}

static tutti_status read_number(const struct option *option, const char *value, tutti_error *error)
{
  if (is_number(value, option->least, option->most))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a number%s from %g to %g", option->text, option->least,
                    option->most);
}

static tutti_status read_integer(const struct option *option, const char *value, tutti_error *error)
{
  const char *digits = value + (*value == '-');
  if (digits[strspn(digits, "0123456789")] == '\0' && is_number(value, option->least, option->most))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a whole number from %.0f to %.0f", option->least, option->most);
}

static tutti_status read_bytes(const struct option *option, const char *value, tutti_error *error)
{
  (void)option;
  if (value[strspn(value, "0123456789")] != '\0' || strlen(value) > 18)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a whole number of bytes");
  return TUTTI_OK;
}

/* SimGrid 3.32 ends with an exception that names no option, or reads a number beyond the end of the value. */
static tutti_status read_pieces(const struct option *option, const char *value, tutti_error *error)
{
  struct pieces pieces;
  const tutti_status status =
      tutti_pieces_read(value, (enum pieces_kind)tutti_pieces_kind(option->name), &pieces, error);
  tutti_pieces_free(&pieces);
  return status;
}

/* A number of flop/s may lack its unit here. */
static tutti_status read_host_speed(const struct option *option, const char *value, tutti_error *error)
{
  double ignored;
  (void)option;
  return is_number(value, 1e-300, HUGE_VAL) ? TUTTI_OK : tutti_platform_parse_speed(value, &ignored, error);
}

static tutti_status read_factors(const struct option *option, const char *value, tutti_error *error)
{
  char *copy = tutti_xstrdup(value), *rest = copy;
  int count = 0;
  bool good = true;
  (void)option;
  for (char *part; (part = strsep(&rest, ";")); count++)
    good = good && is_number(part, 0, 1e6);
  free(copy);
  return good && count == 3 ? TUTTI_OK
                            : tutti_fail(error, TUTTI_ERR_ARGUMENT, "not three factors, NUMBER;NUMBER;NUMBER");
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static tutti_status read_algorithm(const struct option *option, const char *value, tutti_error *error)
{
  (void)option;
  return value[strspn(value, LETTERS)] == '\0' ? TUTTI_OK
                                               : tutti_fail(error, TUTTI_ERR_ARGUMENT, "not the name of an algorithm");
}

static tutti_status read_folder(const struct option *option, const char *value, tutti_error *error)
{
  (void)option;
  return value[strspn(value, LETTERS "/.-+~")] == '\0'
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a path of letters, digits and /._-+~");
}

/* ---- the list ---- */

#define TRUTH(name)                     {name, read_word, "yes no on off true false 1 0", 0, 0},
#define WORDS(name, words)              {name, read_word, words, 0, 0},
#define INTEGER(name, least, most)      {name, read_integer, "", least, most},
#define NUMBER(name, least, most, unit) {name, read_number, unit, least, most},
#define VALUE(name, read)               {name, read, "", 0, 0},
#define REFUSED(name, reason)
static const struct option options[] = {
#include "harness/platforms/platform_options.def"
};
#undef TRUTH
#undef WORDS
#undef INTEGER
#undef NUMBER
#undef VALUE
#undef REFUSED

#define WRITES     "lets SimGrid write files: give it to smpirun instead"
#define BY_SMPIRUN "has no effect here: smpirun sets it on its command line"
#define TRUTH(name)
#define WORDS(name, words)
#define INTEGER(name, least, most)
#define NUMBER(name, least, most, unit)
#define VALUE(name, read)
#define REFUSED(name, reason) {name, reason},
static const struct {
  const char *name, *reason;
} refused[] = {
#include "harness/platforms/platform_options.def"
};

static const char *find_reason(const char *name)
{
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const size_t length = strlen(refused[i].name);
    const bool all = refused[i].name[length - 1] == '/';
    if (strncmp(name, refused[i].name, all ? length : length + 1) == 0)
      return refused[i].reason;
  }
  return NULL;
}

static const struct option *find_option(const char *name)
{
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strcmp(name, options[i].name) == 0)
      return &options[i];
  return NULL;
}

/* Whether the name is CATEGORY/NAME. */
static bool is_name(const char *name)
{
  const size_t category = strspn(name, LETTERS "-");
  return category > 0 && name[category] == '/' && name[category + 1] != '\0' &&
         name[strspn(name, LETTERS "-/")] == '\0';
}

static tutti_status fail_name(const char *name, tutti_error *error)
{
  tutti_guess guess = {.word = name};
  char meant[2 * TUTTI_GUESS_LENGTH];
  const char *reason = find_reason(name);
  if (reason)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option %.100s %s", name, reason);
  if (!is_name(name))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.100s' is not the name of an option: expected CATEGORY/NAME", name);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    tutti_guess_try(&guess, options[i].name);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "SimGrid 3.32 has no option '%.100s'%s", name,
                    tutti_guess_text(&guess, meant));
}

/* SimGrid reads another option after a blank or a comma; no option accepts other signs. */
static tutti_status check_signs(const char *value, tutti_error *error)
{
  for (; *value; value++)
    if (*value <= ' ' || *value > '~' || *value == ',')
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a blank, a comma or another sign that ends a value");
  return TUTTI_OK;
}

/* What SimGrid 3.32 knows after "tracing". */
static const char trace_options[] =
    " /actor /basic /categorized /comment /comment-file /disable-destroy /disable_link /disable_power /filename "
    "/platform /platform/topology /precision /smpi /smpi/computing /smpi/display-sizes /smpi/format "
    "/smpi/format/ti-one-file /smpi/group /smpi/internals /smpi/sleeping /uncategorized /vm";

bool tutti_platform_is_overridden(const char *name, const char *value)
{
  const char *reason = find_reason(name);
  return reason &&
         (strcmp(reason, BY_SMPIRUN) == 0 ||
          (strncmp(name, "tracing", 7) == 0 && (!name[7] || tutti_word_is_listed(trace_options, ' ', name + 7)) &&
           *value && check_signs(value, NULL) == TUTTI_OK));
}

tutti_status tutti_platform_check_option(const char *name, const char *value, tutti_error *error)
{
  tutti_error reason;
  const struct option *option = find_option(name);
  if (!option)
    return fail_name(name, error);
  if (*value == '\0')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option %s has an empty value", name);
  if (option->read(option, value, &reason) != TUTTI_OK || check_signs(value, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=\"%.100s\": %s", name, value, reason.message);
  return TUTTI_OK;
}
