/* Counting the messages of a method and comparing them with closed forms, and logarithms for these. */
#ifndef TUTTI_TESTS_COUNT_FIXTURE_H
#define TUTTI_TESTS_COUNT_FIXTURE_H

#include "tutti/analysis.h"
#include "unit/algorithms/catalogue/method_fixture.h"

static inline tutti_method method_of(tutti_collective collective, const char *name)
{
  const tutti_algorithm *algorithm = tutti_algorithm_find(collective, name);
  assert_non_null(algorithm);
  return tutti_method_default(algorithm);
}

static inline tutti_total count(const tutti_method *method, tutti_call call)
{
  tutti_total total;
  call.type_size = call.type_size ? call.type_size : 1;
  if (tutti_count_method(method, &call, &total, &error) != TUTTI_OK)
    fail_msg("%d ranks: %s", call.size, error.message);
  assert_int_equal(total.sum.sends, total.sum.receives);
  return total;
}

static inline int floor_log2(int n)
{
  int log = 0;
  while (n >>= 1)
    log++;
  return log;
}

static inline int ceil_log2(int n)
{
  return n == 1 ? 0 : floor_log2(n - 1) + 1;
}

static inline bool is_power_of_two(int n)
{
  return (n & (n - 1)) == 0;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* A method on p ranks; a parameter that is 0 has its default. */
struct subject {
  const char *method;
  int p, root, k, outstanding, per_node; /* per_node: the ranks of a node, which k says, too: count what leaves it */
  uint64_t count, type_size, segment;
  bool ordered; /* the operation does not commute */
};

#define OF(text, ranks, ...) (&(struct subject){.method = text, .p = ranks, __VA_ARGS__})

/* Of all ranks; with MAX, of the rank with most; ACROSS: what leaves a node. */
enum quantity {
  SENDS,
  RECEIVES,
  SENT, /* elements */
  LARGEST,
  REDUCED,
  COPIED,
  MEMORY,
  DEPTH, /* of the whole */
  ACROSS_SENDS,
  ACROSS_SENT,
  QUANTITIES,
  MAX = 16,
  AT_LEAST = 32,
  AT_MOST = 64
};

struct form {
  int quantity; /* equal, or AT_LEAST or AT_MOST */
  int64_t value;
};

/* COUNTS(OF(METHOD, RANKS, ...), {QUANTITY, VALUE}, ...) fails unless each is what it should be. */
#define COUNTS(subject, ...) expect_counts(subject, (const struct form[]){__VA_ARGS__, {QUANTITIES, 0}})

typedef int64_t counted[2 * MAX];

static inline void counted_fill(int64_t *counted, const tutti_count *count)
{
  const uint64_t values[] = {[SENDS] = count->sends,
                             [RECEIVES] = count->receives,
                             [SENT] = count->elements_sent,
                             [LARGEST] = count->largest_message,
                             [REDUCED] = count->elements_reduced,
                             [COPIED] = count->elements_copied,
                             [MEMORY] = count->temporary_elements};
  for (int i = SENDS; i <= MEMORY; i++)
    counted[i] = (int64_t)values[i];
}

static inline void counted_across(const tutti_method *method, tutti_call call, int per_node, int64_t *counted)
{
  for (call.rank = 0; call.rank < call.size; call.rank++) {
    tutti_arena arena;
    tutti_schedule schedule;
    int64_t across[] = {0, 0};
    tutti_arena_init(&arena);
    assert_ok(tutti_method_schedule(method, &call, &arena, &schedule, &error), error);
    for (const tutti_vertex *v = schedule.vertices; v < schedule.vertices + schedule.vertex_count; v++)
      if (v->kind == TUTTI_SEND && v->peer / per_node != call.rank / per_node) {
        across[0]++;
        across[1] += (int64_t)v->count;
      }
    tutti_arena_release(&arena);
    for (int i = 0; i < 2; i++) {
      int64_t *most = &counted[MAX | (ACROSS_SENDS + i)];
      counted[ACROSS_SENDS + i] += across[i];
      *most = across[i] > *most ? across[i] : *most;
    }
  }
}

static inline void count_subject(const struct subject *s, counted counted)
{
  tutti_method method = parsed(s->method);
  const tutti_call call = {.size = s->p,
                           .root = s->root,
                           .count = s->count,
                           .type_size = s->type_size ? s->type_size : 1,
                           .commutative = !s->ordered};
  method.parameters.k = s->k ? s->k : s->per_node ? s->per_node : method.parameters.k;
  method.parameters.outstanding = s->outstanding ? s->outstanding : method.parameters.outstanding;
  method.parameters.segment_bytes = s->segment ? s->segment : method.parameters.segment_bytes;
  const tutti_total total = count(&method, call);
  memset(counted, 0, sizeof(int64_t[2 * MAX]));
  counted_fill(counted, &total.sum);
  counted_fill(counted + MAX, &total.maximum);
  counted[DEPTH] = (int64_t)total.depth;
  if (s->per_node)
    counted_across(&method, call, s->per_node, counted);
}

static inline int64_t counted_value(const struct subject *s, int quantity)
{
  counted counted;
  count_subject(s, counted);
  return counted[quantity];
}

static inline void expect_counts(const struct subject *s, const struct form *forms)
{
  static const char *const names[] = {"sends",  "receives", "sent",  "largest",      "reduced",
                                      "copied", "memory",   "depth", "across sends", "across sent"};
  counted counted;
  count_subject(s, counted);
  for (const struct form *form = forms; form->quantity != QUANTITIES; form++) {
    const int64_t got = counted[form->quantity & (2 * MAX - 1)];
    const int bound = form->quantity & (AT_LEAST | AT_MOST);
    if (bound == AT_MOST ? got > form->value : bound ? got < form->value : got != form->value)
      fail_msg("%s, %d ranks, root %d, k %d, %llu elements, form %td: %s%s is %lld, not %s%lld", s->method, s->p,
               s->root, s->k, (unsigned long long)s->count, form - forms, form->quantity & MAX ? "most " : "",
               names[form->quantity & (MAX - 1)], (long long)got,
               bound == AT_MOST ? "at most "
               : bound          ? "at least "
                                : "",
               (long long)form->value);
  }
}

#endif
