/* Rules of coll/han: reading them as Open MPI does, and what becomes of a call (coll_han_dynamic_file.c,
   coll_han_dynamic.c). A rule names the component that runs a collective on one level: within the nodes, among them, or
   on the whole communicator. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "decision/libraries/openmpi/openmpi.h"

enum { LEVEL_NODE, LEVEL_NODES, LEVEL_ALL, LEVELS };

static const char *const levels[LEVELS] = {"within the nodes", "among the nodes", "on the whole communicator"};

static const char *const level_names[LEVELS] = {"intra_node", "inter_node", "global_communicator"};

/* Components that a rule may name, by their id; the last since 6.0 (5.0.7 refuses it, and "@"). */
static const char *const components[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han", "xhc"};

enum { COMPONENTS = sizeof components / sizeof *components, COMPONENT_XHC = 7 };

struct han_reader {
  struct openmpi_numbers numbers;
  struct openmpi_rules *rules;
  struct openmpi_han_rule rule; /* the one that is read */
};

/* ---- reading ---- */

static bool drop(struct han_reader *reader, int code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool drop(struct han_reader *reader, int code, size_t at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_tuning_vreport(reader->numbers.file, code, at, format, arguments);
  va_end(arguments);
  reader->rules->dropped = true;
  return false;
}

static bool drop_at_end(struct han_reader *reader, const char *what)
{
  return drop(reader, LINT_OMPH_SHORT, reader->numbers.file->length, "the file ends where %s is expected", what);
}

static bool read_number(struct han_reader *reader, long *number, const char *what)
{
  if (!tutti_openmpi_next(&reader->numbers))
    return drop_at_end(reader, what);
  *number = reader->numbers.value;
  return true;
}

static bool read_count(struct han_reader *reader, long *count, const char *what)
{
  if (!read_number(reader, count, what))
    return false;
  if (*count < 0)
    return drop(reader, LINT_OMPH_COUNT, reader->numbers.at, "%s is %ld", what, *count);
  if (*count == 0)
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_EMPTY, reader->numbers.at, "%s is 0", what);
  return true;
}

/* Numbers in brackets, which only the whole communicator's algorithms use. */
static bool read_segments(struct han_reader *reader)
{
  long length;
  if (!tutti_openmpi_skip_character(&reader->numbers, '['))
    return true;
  while (!tutti_openmpi_skip_character(&reader->numbers, ']'))
    if (!read_number(reader, &length, "a segment length or ']'"))
      return false;
  return true;
}

/* COMPONENT, from 6.0 on COMPONENT@ALGORITHM of coll/han. */
static bool read_component(struct han_reader *reader)
{
  char word[OPENMPI_WORD], hint[80] = "";
  const int major = reader->numbers.file->version.major;
  if (!tutti_openmpi_next_word(&reader->numbers, word))
    return drop_at_end(reader, "a component");
  char *at = major >= 6 ? strchr(word, '@') : NULL;
  snprintf(reader->rule.algorithm, sizeof reader->rule.algorithm, "%s", at ? at + 1 : "");
  if (at)
    *at = '\0';
  reader->rule.component = tutti_word_find(components, COMPONENTS, word);
  if (reader->rule.component >= 0 && (reader->rule.component < COMPONENT_XHC || major >= 6))
    return true;
  char *end;
  const long id = strtol(word, &end, 10);
  if (end > word && !*end && id >= 0 && id < COMPONENTS)
    snprintf(hint, sizeof hint, "; the component with that number is %s", components[id]);
  return drop(reader, LINT_OMPH_COMPONENT, reader->numbers.at, "'%s' is no component%s", word, hint);
}

/* 4.1.4 does not survive other components for an allreduce of all ranks; 5.0.7 does. */
static bool dies(const struct tuning_file *file, const struct openmpi_han_rule *rule)
{
  return file->version.major < 5 && rule->level == LEVEL_ALL && strcmp(components[rule->component], "han") != 0 &&
         rule->collective == tutti_openmpi_collective(TUTTI_COLL_ALLREDUCE);
}

static bool read_rule(struct han_reader *reader, long before, bool first)
{
  struct openmpi_han_rule *rule = &reader->rule;
  if (!read_number(reader, &rule->bytes, "a message size"))
    return false;
  rule->at = reader->numbers.at;
  if (first && (rule->bytes < 0 || rule->bytes > 1))
    return drop(reader, LINT_OMPH_FIRST, rule->at, "the first rule is for %ld bytes", rule->bytes);
  if (!first && rule->bytes <= before)
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_ORDER, rule->at, "%ld bytes after %ld", rule->bytes, before);
  if (!read_component(reader))
    return false;
  if (strcmp(components[rule->component], "han") == 0 && rule->level != LEVEL_ALL)
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_NESTED, rule->at, "han %s", levels[rule->level]);
  if (dies(reader->numbers.file, rule))
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_ALLREDUCE, rule->at, "%s", components[rule->component]);
  tutti_xpush(&reader->rules->han, *rule);
  return read_segments(reader);
}

static bool read_size(struct han_reader *reader, long before, bool first)
{
  long count = 0, bytes = 0;
  if (!read_number(reader, &reader->rule.size, "a size of the level"))
    return false;
  const long size = reader->rule.size;
  if (size < 1 || (first && size > 1))
    return drop(reader, LINT_OMPH_SIZE, reader->numbers.at, "the %ssize is %ld", first ? "first " : "", size);
  if (!first && size <= before)
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_ORDER, reader->numbers.at, "size %ld after %ld", size, before);
  if (!read_count(reader, &count, "the number of rules"))
    return false;
  for (long i = 0; i < count; i++, bytes = reader->rule.bytes)
    if (!read_rule(reader, bytes, i == 0))
      return false;
  return true;
}

/* A number, from 5.0 on also a name. */
static bool read_level_name(struct han_reader *reader)
{
  char word[OPENMPI_WORD], *end;
  long level = 0;
  if (reader->numbers.file->version.major < 5) {
    if (!read_number(reader, &level, "a level"))
      return false;
    snprintf(word, sizeof word, "%ld", level);
  } else if (!tutti_openmpi_next_word(&reader->numbers, word))
    return drop_at_end(reader, "a level");
  level = tutti_word_find(level_names, LEVELS, word);
  if (level < 0) {
    level = strtol(word, &end, 10);
    level = *end ? -1 : level;
  }
  if (level < 0 || level >= LEVELS)
    return drop(reader, LINT_OMPH_LEVEL, reader->numbers.at, "'%s' is no level", word);
  reader->rule.level = (int)level;
  reader->rule.level_at = reader->numbers.at;
  return true;
}

static bool read_level(struct han_reader *reader)
{
  long count = 0, size = 0;
  if (!read_level_name(reader))
    return false;
  if (reader->rule.level != LEVEL_ALL && reader->numbers.file->version.major < 5)
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_UNASKED, reader->rule.level_at, "%s",
                        level_names[reader->rule.level]);
  if (!read_count(reader, &count, "the number of sizes"))
    return false;
  for (long i = 0; i < count; i++, size = reader->rule.size)
    if (!read_size(reader, size, i == 0))
      return false;
  return true;
}

static bool read_collective(struct han_reader *reader)
{
  char word[OPENMPI_WORD], *end;
  long count = 0;
  if (!tutti_openmpi_next_word(&reader->numbers, word))
    return drop_at_end(reader, "a collective");
  const size_t at = reader->numbers.at;
  long id = tutti_openmpi_collective_id(word);
  if (id < 0)
    id = strtol(word, &end, 10);
  if (id < 0 || id >= OPENMPI_COLLECTIVES || (tutti_openmpi_collective_id(word) < 0 && *end))
    return drop(reader, LINT_OMPH_COLLECTIVE, at, "'%s' is no collective", word);
  reader->rule.collective = (int)id;
  reader->rule.collective_at = at;
  if (!tutti_openmpi_han_serves(tutti_openmpi_collectives[id].name))
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_UNSERVED, at, "%s", tutti_openmpi_collectives[id].name);
  if (!read_count(reader, &count, "the number of levels"))
    return false;
  for (long i = 0; i < count; i++)
    if (!read_level(reader))
      return false;
  return true;
}

static void read_all(struct han_reader *reader)
{
  long count = 0;
  if (!read_number(reader, &count, "the number of collectives"))
    return;
  if (count <= 0) {
    drop(reader, LINT_OMPH_COUNT, reader->numbers.at, "the number of collectives is %ld", count);
    return;
  }
  for (long i = 0; i < count; i++)
    if (!read_collective(reader))
      return;
  if (tutti_openmpi_next(&reader->numbers))
    tutti_tuning_report(reader->numbers.file, LINT_OMPH_TRAILING, reader->numbers.at,
                        "the counts end before this number");
}

void tutti_openmpi_read_han(struct tuning_file *file, struct openmpi_rules *rules)
{
  struct han_reader reader = {.numbers = tutti_openmpi_numbers(file), .rules = rules};
  read_all(&reader);
  fclose(reader.numbers.stream);
}

/* Whether a text has a word outside of comments. */
static bool has_word(const char *text, size_t length, const char *word)
{
  for (const char *at = text, *end = text + length, *newline; at < end; at = newline + 1) {
    newline = memchr(at, '\n', (size_t)(end - at));
    newline = newline ? newline : end;
    const char *hash = memchr(at, '#', (size_t)(newline - at));
    if (memmem(at, (size_t)((hash ? hash : newline) - at), word, strlen(word)))
      return true;
  }
  return false;
}

int tutti_openmpi_han_since(const char *text, size_t length)
{
  if (has_word(text, length, "han@") || has_word(text, length, "xhc"))
    return 6;
  for (int i = 0; i < LEVELS; i++)
    if (has_word(text, length, level_names[i]))
      return 5;
  return 0;
}

/* ---- looking up ---- */

/* The last rule that fits: of the last collective and level of that name, of the last size that is not above the ranks,
   of the last message size that is not above the message. *next receives the size where the next one begins;
   -1: there is none. */
static const struct openmpi_han_rule *look(const struct explaining *explaining, int level, long size, long bytes,
                                           long *next)
{
  const struct openmpi_rules *rules = explaining->tuning->rules;
  const int collective = tutti_openmpi_collective(explaining->call->collective);
  const struct openmpi_han_rule *found = NULL;
  *next = -1;
  for (size_t i = rules->dropped ? 0 : rules->han.count; i-- > 0;) {
    const struct openmpi_han_rule *rule = &rules->han.items[i];
    if (rule->collective != collective || rule->level != level || rule->size > size || rule->bytes < 0)
      continue; /* below 0 it is more than any message has */
    if (found && (rule->size != found->size || rule->level_at != found->level_at))
      break;
    if (rule->bytes <= bytes)
      return rule;
    *next = rule->bytes;
    found = rule;
  }
  return NULL;
}

static const struct openmpi_han_rule *step_level(struct explaining *explaining, int level, long size, long bytes)
{
  long next;
  const struct openmpi_han_rule *rule = look(explaining, level, size, bytes, &next);
  if (next >= 0)
    tutti_explain_at_most(explaining, (uint64_t)next - 1);
  if (!rule) {
    tutti_explain_step(explaining, NO_PLACE, "%s: no rule, the parameters of coll/han decide", levels[level]);
    return NULL;
  }
  tutti_explain_step(explaining, rule->at, "%s, of size %ld: %s from %ld bytes on", levels[level], size,
                     components[rule->component], rule->bytes);
  tutti_explain_at_least(explaining, (uint64_t)rule->bytes);
  return rule;
}

static const char *name_of(const struct openmpi_han_rule *rule)
{
  return rule ? components[rule->component] : "default";
}

/* Algorithms of 5.0 that make the communicators of their levels with coll/han, which asks the rules; others do where
   coll_han_use_simple_COLLECTIVE is set. */
static bool asks_levels(tutti_collective collective)
{
  return collective == TUTTI_COLL_GATHER || collective == TUTTI_COLL_ALLGATHER || collective == TUTTI_COLL_BARRIER;
}

/* coll/han itself works on its two levels. 4.1 makes their communicators without it, so that their rules are never
   asked. */
static void run_levels(struct explaining *explaining, const struct openmpi_han_rule *rule, long bytes)
{
  const tutti_explained_call *call = explaining->call;
  const int per_node = call->ranks_per_node;
  const char *with = rule && *rule->algorithm ? rule->algorithm : "";
  tutti_explain_name(explaining, "han%s%s", *with ? "@" : "", with);
  const int major = explaining->tuning->file.version.major;
  if (major < 5 || (major == 5 && call->collective == TUTTI_COLL_REDUCE)) { /* coll_han_reduce.c:302 of 5.0.7 */
    tutti_explain_step(explaining, NO_PLACE, "what runs within and among the nodes no rule of %s says",
                       major < 5 ? "4.1" : "a reduce of 5.0");
    return;
  }
  if (per_node == 0) {
    tutti_explain_step(explaining, NO_PLACE, "--ranks-per-node shows what runs within and among the nodes");
    return;
  }
  if (!*with && !asks_levels(call->collective))
    tutti_explain_step(explaining, NO_PLACE, "the levels' rules are asked if coll_han_use_simple_%s is set",
                       tutti_collective_name(call->collective));
  const struct openmpi_han_rule *low = step_level(explaining, LEVEL_NODE, per_node, bytes);
  const struct openmpi_han_rule *up = step_level(explaining, LEVEL_NODES, 1 + (call->ranks - 1) / per_node, bytes);
  tutti_explain_name(explaining, "han%s%s: %s within, %s among nodes", *with ? "@" : "", with, name_of(low),
                     name_of(up));
}

/* coll/tuned, without rules of its own. */
static void run_tuned(struct explaining *explaining)
{
  const tutti_tuning *untuned = explaining->tuning->untuned;
  tutti_explanation other = {0}, *answer = explaining->answer;
  if (!untuned || tutti_explain_answer(untuned, explaining->call, &other, NULL) != TUTTI_OK)
    return;
  tutti_explain_step(explaining, NO_PLACE, "coll/tuned decides: %s", other.algorithm);
  answer->known = other.known && !other.fails;
  answer->method = other.method;
  tutti_explain_at_least(explaining, other.min);
  tutti_explain_at_most(explaining, other.max);
  tutti_explain_name(explaining, "tuned: %s", other.algorithm);
  tutti_explanation_free(&other);
}

/* Where coll/han is not there, or leaves. */
static void run_without(struct explaining *explaining, const char *why)
{
  tutti_explain_step(explaining, NO_PLACE, "%s", why);
  run_tuned(explaining);
  explaining->answer->own_choice = true;
}

/* Whether there are rules that coll/han asks on its levels, as it does from 5.0 on. */
static bool has_levels(const struct explaining *explaining, int collective)
{
  const struct openmpi_rules *rules = explaining->tuning->rules;
  for (size_t i = 0; i < rules->han.count; i++)
    if (rules->han.items[i].collective == collective && rules->han.items[i].level != LEVEL_ALL)
      return explaining->tuning->file.version.major >= 5;
  return false;
}

/* Without a file 4.1 runs coll/tuned, 5.0 coll/han. */
static void name_selector(struct explaining *explaining, const struct openmpi_han_rule *rule)
{
  const bool is_han = strcmp(name_of(rule), "han") == 0;
  const char *own = explaining->tuning->file.version.major < 5 ? "tuned" : "han";
  if (is_han && (*rule->algorithm || has_levels(explaining, rule->collective)))
    return;
  tutti_explain_selector(explaining, name_of(rule));
  explaining->answer->own_choice = strcmp(own, name_of(rule)) == 0;
}

static void run_rule(struct explaining *explaining, const struct openmpi_han_rule *rule, long bytes)
{
  tutti_explain_name(explaining, "%s", rule ? name_of(rule) : "han");
  if (rule && dies(&explaining->tuning->file, rule)) {
    tutti_explain_step(explaining, rule->at, "4.1.4 jumps to address 0: the program dies");
    explaining->answer->fails = true;
    return;
  }
  explaining->answer->own_choice = !rule;
  if (!rule || strcmp(name_of(rule), "han") == 0)
    run_levels(explaining, rule, bytes);
  else if (strcmp(name_of(rule), "tuned") == 0)
    run_tuned(explaining);
  if (rule)
    name_selector(explaining, rule);
}

void tutti_openmpi_explain_han(struct explaining *explaining)
{
  const tutti_explained_call *call = explaining->call;
  const struct openmpi_rules *rules = explaining->tuning->rules;
  const long bytes = call->rank_bytes > LONG_MAX ? LONG_MAX : (long)call->rank_bytes;
  char why[80];
  if (rules->dropped)
    tutti_explain_step(explaining, NO_PLACE, "the file is dropped: %s",
                       explaining->tuning->fault ? explaining->tuning->fault : "it cannot be read");
  snprintf(why, sizeof why, "coll/han does not select for %s", tutti_collective_name(call->collective));
  if (!tutti_openmpi_han_serves(tutti_collective_name(call->collective)) || call->ranks == 1)
    run_without(explaining, why);
  else if (call->ranks_per_node >= call->ranks)
    run_without(explaining, "all ranks are on one node: coll/han leaves the communicator to others");
  else
    run_rule(explaining, step_level(explaining, LEVEL_ALL, call->ranks, bytes), bytes);
}
