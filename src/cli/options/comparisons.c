/* Comparisons in the store: reading, and what they say. */
#include "cli/options/comparisons.h"

#include "base/text.h"
#include "cli/output/output.h"

/* As tutti compare has it where it is not told. */
static const double level = 0.05;

/* ---- reading ---- */

static void add_collectives(const tutti_stored_comparison *stored, int environment,
                            struct file_comparisons *comparisons)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    struct file_comparison found = {.environment = environment,
                                    .collective = (tutti_collective)c,
                                    .scheme = stored->scheme,
                                    .ranks_per_node = stored->ranks_per_node,
                                    .rounds = stored->rounds,
                                    .least_rounds = stored->least_rounds,
                                    .all = tutti_compared_sum(stored->points, stored->count, c, -1),
                                    .won = tutti_compared_sum(stored->points, stored->count, c, TUTTI_WON),
                                    .lost = tutti_compared_sum(stored->points, stored->count, c, TUTTI_LOST)};
    memcpy(found.file, stored->file, sizeof found.file);
    if (found.all.points > 0)
      tutti_xpush(comparisons, found);
  }
}

void comparisons_read(tutti_store *store, const tutti_store_contents *contents, struct file_comparisons *comparisons)
{
  *comparisons = (struct file_comparisons){.items = NULL};
  for (int i = 0; i < contents->entry_count; i++) {
    const tutti_store_entry *entry = &contents->entries[i];
    tutti_stored_comparisons judged;
    if (entry->kind != TUTTI_ENTRY_RESULTS || entry->result != TUTTI_RESULT_COMPARISON)
      continue;
    const tutti_selection selection = tutti_store_entry_selection(contents, entry);
    must(tutti_stored_comparisons_read(store, &selection, level, &judged, &failure));
    for (size_t j = 0; j < judged.count; j++)
      add_collectives(&judged.items[j], entry->environment, comparisons);
    tutti_stored_comparisons_free(&judged);
  }
}

/* ---- the best ---- */

enum comparison_verdict comparison_verdict(const struct file_comparison *comparison)
{
  if (!comparison)
    return COMPARISON_NONE;
  if (comparison->rounds < comparison->least_rounds)
    return COMPARISON_FEW;
  return comparison->all.lost > 0 || comparison->all.won == 0 ? COMPARISON_CONTRADICTS : COMPARISON_WINS;
}

static bool is_better(const struct file_comparison *a, const struct file_comparison *b)
{
  const enum comparison_verdict of_a = comparison_verdict(a), of_b = comparison_verdict(b);
  if (of_a != of_b)
    return of_a > of_b;
  return a->all.lost != b->all.lost ? a->all.lost < b->all.lost : a->all.won > b->all.won;
}

const struct file_comparison *comparisons_best(const struct file_comparisons *comparisons,
                                               const tutti_store_contents *contents, const tutti_environment *measured,
                                               tutti_collective collective)
{
  const struct file_comparison *best = NULL;
  for (size_t i = 0; i < comparisons->count; i++) {
    const struct file_comparison *one = &comparisons->items[i];
    const tutti_environment *own = &contents->environments[one->environment];
    if (one->collective == collective && strcmp(own->platform, measured->platform) == 0 &&
        strcmp(own->flavor, measured->flavor) == 0 && strcmp(own->library, measured->library) == 0 &&
        (!best || is_better(one, best)))
      best = one;
  }
  return best;
}

/* ---- in words ---- */

const char *comparison_file(const struct file_comparison *comparison, char text[TUTTI_TUNING_DIGEST])
{
  enum { DIGITS = 12 };
  snprintf(text, TUTTI_TUNING_DIGEST, "%.*s", DIGITS, comparison->file);
  return text;
}

/* The points of one outcome: "; lost at 2, by +75.1 % in the mean, +437.0 % at worst"; nothing for none. */
static void append_outcome(FILE *text, const struct file_comparison *comparison, const char *verb, int count,
                           const tutti_compared_summary *sum, bool *begun)
{
  if (count == 0)
    return;
  fprintf(text, "%s%s at %d", *begun ? "; " : ": ", verb, count);
  if (!*begun)
    fprintf(text, " of %d point%s", comparison->all.points, tutti_plural((uint64_t)comparison->all.points));
  *begun = true;
  if (!sum)
    return;
  fprintf(text, ", by %+.1f %%", sum->mean);
  if (count > 1)
    fprintf(text, " in the mean, %+.1f %% at %s", sum == &comparison->lost ? sum->worst : sum->best,
            sum == &comparison->lost ? "worst" : "best");
}

char *comparison_sentence(const struct file_comparison *comparison)
{
  struct tutti_text_stream text;
  char file[TUTTI_TUNING_DIGEST];
  bool begun = false;
  tutti_xopen_text(&text);
  fprintf(text.stream, "a file for %s, %s, was compared with the library left alone",
          tutti_collective_name(comparison->collective), comparison_file(comparison, file));
  if (comparison_verdict(comparison) == COMPARISON_FEW) {
    fprintf(text.stream, ": %d round%s %s too few for %d point%s: it takes %d before one can be won or lost",
            comparison->rounds, tutti_plural((uint64_t)comparison->rounds), comparison->rounds == 1 ? "is" : "are",
            comparison->all.points, tutti_plural((uint64_t)comparison->all.points), comparison->least_rounds);
    return tutti_xclose_text(&text);
  }
  append_outcome(text.stream, comparison, "won", comparison->all.won, &comparison->won, &begun);
  append_outcome(text.stream, comparison, "lost", comparison->all.lost, &comparison->lost, &begun);
  append_outcome(text.stream, comparison, "no difference beyond the noise", comparison->all.unclear, NULL, &begun);
  return tutti_xclose_text(&text);
}

char *comparisons_note(const struct selection_options *selected, const struct measured_map *measured)
{
  struct file_comparisons comparisons;
  tutti_store *store;
  tutti_store_contents contents;
  char *note = NULL;
  if (!*measured->flavor || tutti_flavor_is_simulated(measured->flavor) ||
      tutti_store_open_existing(selected->database, &store, NULL) != TUTTI_OK)
    return NULL;
  must(tutti_store_contents_read(store, &contents, &failure));
  comparisons_read(store, &contents, &comparisons);
  tutti_store_close(store);
  const tutti_environment own = {
      .platform = measured->platform, .flavor = measured->flavor, .library = measured->library};
  const struct file_comparison *best = comparisons_best(&comparisons, &contents, &own, measured->map.collective);
  if (best) {
    char *sentence = comparison_sentence(best);
    note = tutti_xprintf("A comparison comes first: %s.", sentence);
    free(sentence);
  }
  tutti_vector_free(&comparisons);
  tutti_store_contents_free(&contents);
  return note;
}
