/* Decision files: what was read answers, and trees read back as they are written. */
#include "kinds.h"
#include "tutti/decision_tree.h"

static void ask_one(const fuzz_trial *trial, const tutti_decision *decision, const tutti_question *question)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_method method = {0};
  if (!decision->decide(decision, question, &method))
    return;
  if (!method.algorithm || method.algorithm->collective != question->collective)
    fuzz_fail(trial, "asked about %s, it answers otherwise", tutti_collective_name(question->collective));
  tutti_method_format(&method, text);
}

static void ask(const fuzz_trial *trial, const tutti_decision *decision)
{
  static const int ranks[] = {1, 4, 33, 131072, 2147483647}, nodes[] = {0, 1, 16};
  static const uint64_t bytes[] = {0, 1, 1024, 1 << 20, UINT64_MAX};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int r = 0; r < 5; r++)
      for (int b = 0; b < 5; b++)
        ask_one(trial, decision, &(tutti_question){(tutti_collective)c, ranks[r], nodes[(r + b) % 3], bytes[b]});
}

static char *write_trees(const fuzz_trial *trial, const tutti_decision *decision)
{
  tutti_error error = {0};
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    abort();
  tutti_status status = tutti_decision_trees_write(tutti_decision_get_trees(decision), "written\nback", stream, &error);
  fuzz_good(trial, "writing", status, &error);
  fclose(stream);
  return text;
}

static void write_back(const fuzz_trial *trial, const tutti_decision *decision)
{
  tutti_decision again;
  tutti_error error = {0};
  char *once = write_trees(trial, decision), *path = fuzz_file(trial, "back.decision", once, strlen(once));
  fuzz_good(trial, "reading back", tutti_decision_read(path, &again, &error), &error);
  if (!tutti_decision_get_trees(&again))
    fuzz_fail(trial, "read back, they are no trees");
  char *twice = write_trees(trial, &again);
  if (strcmp(once, twice) != 0)
    fuzz_fail(trial, "written, read and written, the trees differ");
  free(once);
  free(twice);
  free(path);
  tutti_decision_free(&again);
}

bool fuzz_feed_decision(const fuzz_trial *trial)
{
  tutti_decision decision;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.decision", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_decision_read(path, &decision, &error), &error, path);
  if (taken) {
    ask(trial, &decision);
    if (tutti_decision_get_trees(&decision))
      write_back(trial, &decision);
    tutti_decision_free(&decision);
  }
  free(path);
  return taken;
}

bool fuzz_feed_rules(const fuzz_trial *trial)
{
  tutti_decision decision;
  tutti_error error = {0};
  if (!fuzz_taken(trial, tutti_decision_parse_rules(trial->text->bytes, "rules", &decision, &error), &error, "rules"))
    return false;
  ask(trial, &decision);
  const tutti_rule *rule;
  for (size_t i = 0; (rule = tutti_decision_rule_at(&decision, i)); i++)
    if (rule->ranks[0] > rule->ranks[1] || rule->bytes[0] > rule->bytes[1])
      fuzz_fail(trial, "rule %zu is empty", i);
  tutti_decision_free(&decision);
  return true;
}
