/* The table of guidelines, and how one is written. */
#include <stdio.h>
#include <string.h>

#include "tutti/guideline.h"

#define TUTTI_COLL_ANY  TUTTI_COLL_COUNT
#define TUTTI_COLL_SELF TUTTI_COLL_COUNT

#define UNPACK(...) __VA_ARGS__
#define TERM(times, collective, ranks, size)                                                                           \
  {                                                                                                                    \
    times, TUTTI_COLL_##collective, TUTTI_RANKS_##ranks, TUTTI_SIZE_##size                                             \
  }
#define GUIDELINE(left, right, reason) {TUTTI_COLL_##left, {UNPACK right}, reason},

/* Terms that are not there run no times. */
static const tutti_guideline guidelines[] = {
#include "decision/guidelines/guidelines.def"
};

enum { COUNT = sizeof guidelines / sizeof *guidelines };

size_t tutti_guideline_count(void)
{
  return COUNT;
}

const tutti_guideline *tutti_guideline_at(size_t index)
{
  return index < COUNT ? &guidelines[index] : NULL;
}

bool tutti_guideline_is_mock_up(const tutti_guideline *guideline)
{
  return guideline->terms[0].ranks != TUTTI_RANKS_MORE && guideline->terms[0].ranks != TUTTI_RANKS_NEAREST_POWER;
}

/* ---- formulas ---- */

static const char *const size_texts[] = {
    [TUTTI_SIZE_SAME] = "m",           [TUTTI_SIZE_TIMES_RANKS] = "P m", [TUTTI_SIZE_TIMES_OTHERS] = "(P-1) m",
    [TUTTI_SIZE_OVER_RANKS] = "m/P",   [TUTTI_SIZE_HALF] = "m/2",        [TUTTI_SIZE_LARGER] = "m' > m",
    [TUTTI_SIZE_LEAST] = "least size", [TUTTI_SIZE_NONE] = "",
};

static const char *const ranks_texts[] = {
    [TUTTI_RANKS_ALL] = "P",
    [TUTTI_RANKS_BUT_ONE] = "P-1",
    [TUTTI_RANKS_TWO] = "2",
    [TUTTI_RANKS_MORE] = "P' > P",
    [TUTTI_RANKS_NEAREST_POWER] = "2^k beside P",
};

static bool is_term(const tutti_guideline *guideline, int index)
{
  return index < TUTTI_GUIDELINE_TERMS && guideline->terms[index].times > 0;
}

/* Whether all terms run on the ranks of the left side, so that P need not be written. */
static bool keeps_ranks(const tutti_guideline *guideline)
{
  for (int i = 0; is_term(guideline, i); i++)
    if (guideline->terms[i].ranks != TUTTI_RANKS_ALL)
      return false;
  return true;
}

static void append(char *text, const char *piece)
{
  size_t length = strlen(text);
  snprintf(text + length, TUTTI_GUIDELINE_LENGTH - length, "%s", piece);
}

/* "bcast(P-1, m)", "bcast(m)", "barrier(P)", "barrier". */
static void append_call(char *text, tutti_collective collective, const char *ranks, const char *size)
{
  const char *name = tutti_collective_name(collective);
  bool sized = *size && collective != TUTTI_COLL_BARRIER;
  append(text, name ? name : "any");
  if (!*ranks && !sized)
    return;
  append(text, "(");
  append(text, ranks);
  append(text, *ranks && sized ? ", " : "");
  append(text, sized ? size : "");
  append(text, ")");
}

static void append_term(char *text, const tutti_guideline_term *term, tutti_collective left, bool with_ranks)
{
  char times[16];
  tutti_collective collective = term->collective == TUTTI_COLL_COUNT ? left : term->collective;
  snprintf(times, sizeof times, "%d ", term->times);
  append(text, term->times > 1 ? times : "");
  append(text, term->ranks == TUTTI_RANKS_NEAREST_POWER ? "(1+2/k) " : "");
  append_call(text, collective, with_ranks ? ranks_texts[term->ranks] : "", size_texts[term->size]);
}

char *tutti_guideline_format(const tutti_guideline *guideline, tutti_collective left, char *text)
{
  bool with_ranks = !keeps_ranks(guideline);
  tutti_collective collective = guideline->left == TUTTI_COLL_COUNT ? left : guideline->left;
  *text = '\0';
  append_call(text, collective, with_ranks ? "P" : "", size_texts[TUTTI_SIZE_SAME]);
  append(text, " <= ");
  for (int i = 0; is_term(guideline, i); i++) {
    append(text, i > 0 ? " + " : "");
    append_term(text, &guideline->terms[i], collective, with_ranks);
  }
  return text;
}
