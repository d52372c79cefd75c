/* tutti schedule: build the schedules of a method, verify and count them, and show that of a rank. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/schedule/schedule_files.h"
#include "tutti/analysis.h"

enum { KEY_ROOT = 0x300, KEY_TYPE_SIZE, KEY_SHOW, KEY_NO_VERIFY };

struct schedule_options {
  const char *method;
  uint64_t ranks, root, count, type_size, shown;
  bool show, unverified;
  struct schedule_files files;
};

static const struct argp_option options[] = {
    {"ranks", 'P', "N", 0, "ranks of the group (default 8)", 0},
    {"count", 'n', "ELEMENTS", 0, "elements of the message, or of one rank's block (default 1024)", 0},
    {"type-size", KEY_TYPE_SIZE, "BYTES", 0, "bytes of an element (default 1)", 0},
    {"root", KEY_ROOT, "RANK", 0, "root (default 0)", 0},
    {"show", KEY_SHOW, "RANK", 0, "print the vertices of a rank", 0},
    {"no-verify", KEY_NO_VERIFY, 0, 0,
     "neither prove nor count, for which the schedules of all ranks must fit into memory", 0},
    {0},
};

static void take_number(struct argp_state *state, const char *name, const char *text, uint64_t most, uint64_t *value)
{
  tutti_error error;
  if (tutti_size_parse(text, value, &error) != TUTTI_OK || *value > most)
    argp_error(state, "--%s '%s' is not a whole number from 0 to %" PRIu64, name, text, most);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct schedule_options *chosen = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &chosen->files;
    return 0;
  case 'P':
    take_number(state, "ranks", text, INT_MAX, &chosen->ranks);
    return 0;
  case 'n':
    take_number(state, "count", text, UINT32_MAX, &chosen->count);
    return 0;
  case KEY_TYPE_SIZE:
    take_number(state, "type-size", text, INT_MAX, &chosen->type_size);
    if (chosen->type_size == 0)
      argp_error(state, "--type-size: an element has at least one byte");
    return 0;
  case KEY_ROOT:
    take_number(state, "root", text, INT_MAX, &chosen->root);
    return 0;
  case KEY_SHOW:
    chosen->show = true;
    take_number(state, "show", text, INT_MAX, &chosen->shown);
    return 0;
  case KEY_NO_VERIFY:
    chosen->unverified = true;
    return 0;
  case ARGP_KEY_ARG:
    if (chosen->method)
      argp_error(state, "one method at a time, not also '%s'", text);
    chosen->method = text;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which method?");
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {{&schedule_files_argp, 0, "Files:", 9}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "METHOD",
    .doc = "Build the schedules of all ranks under METHOD (bcast/split-binary/8KB), prove that they match, cannot "
           "deadlock, have no race and keep the promise of the collective, and count what they cost.",
    .children = children,
};

/* ---- one rank's vertices ---- */

static void print_block(const char *before, tutti_block block)
{
  static const char *const names[] = {"input", "output"};
  printf("%s", before);
  if (block.count == 0)
    printf("no data");
  else if (block.buffer < TUTTI_FIRST_TEMPORARY)
    printf("%s[%" PRIu64 "..%" PRIu64 "]", names[block.buffer], block.first, block.first + block.count - 1);
  else
    printf("temporary %d[%" PRIu64 "..%" PRIu64 "]", block.buffer - TUTTI_FIRST_TEMPORARY, block.first,
           block.first + block.count - 1);
}

static void print_vertex(const tutti_schedule *schedule, uint32_t v)
{
  static const char *const verbs[] = {"send to", "receive from", "reduce", "copy"};
  const tutti_vertex *vertex = &schedule->vertices[v];
  tutti_block block = tutti_block_of(vertex->buffer, vertex->first, vertex->count);
  bool moves = vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
  bool joins = !moves && block.count == 0; /* tutti_add_join() */
  printf("%6u  %s", (unsigned)v, joins ? "join" : verbs[vertex->kind]);
  if (moves) {
    printf(" %d", vertex->peer);
    print_block(": ", block);
  } else if (!joins) {
    print_block(": ", block);
    print_block(" -> ", tutti_vertex_target(vertex));
  }
  for (uint32_t i = schedule->successor_first[v]; i < schedule->successor_first[v + 1]; i++)
    printf("%s%u", i == schedule->successor_first[v] ? "; then " : ", ", (unsigned)schedule->successors[i]);
  printf("\n");
}

static tutti_status show_rank(const tutti_method *method, const tutti_call *shared, int rank, tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_call call = *shared;
  call.rank = rank;
  tutti_arena_init(&arena);
  tutti_status status = tutti_method_schedule(method, &call, &arena, &schedule, error);
  if (status == TUTTI_OK) {
    printf("rank %d: %u vertices, %zu bytes\n", call.rank, (unsigned)schedule.vertex_count, tutti_arena_used(&arena));
    for (uint32_t v = 0; v < schedule.vertex_count; v++)
      print_vertex(&schedule, v);
  }
  tutti_arena_release(&arena);
  return status;
}

/* ---- all ranks ---- */

static void print_counts(const tutti_total *total, uint64_t type_size)
{
  printf("messages         %" PRIu64 " (at most %" PRIu64 " sent by one rank)\n", total->sum.sends,
         total->maximum.sends);
  printf("bytes sent       %" PRIu64 " (at most %" PRIu64 " by one rank)\n", total->sum.elements_sent * type_size,
         total->maximum.elements_sent * type_size);
  printf("largest message  %" PRIu64 " bytes\n", total->sum.largest_message * type_size);
  printf("bytes reduced    %" PRIu64 " (at most %" PRIu64 " by one rank)\n", total->sum.elements_reduced * type_size,
         total->maximum.elements_reduced * type_size);
  printf("temporary memory %" PRIu64 " bytes at most on one rank\n", total->maximum.temporary_elements * type_size);
  printf("depth            %" PRIu64 " messages one after the other\n", total->depth);
}

static void print_call(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call)
{
  char name[TUTTI_METHOD_LENGTH];
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  printf("%s on %d ranks, ", tutti_method_format(method, name), call->size);
  if (traits & TUTTI_HAS_ROOT)
    printf("root %d, ", call->root);
  printf("%s%" PRIu64 " elements of %" PRIu64 " bytes: %s\n", traits & TUTTI_HAS_BLOCKS ? "blocks of " : "",
         call->count, call->type_size, chosen->unverified ? "not verified" : "verified");
}

/* What verifying refuses after counting went well is its size. */
static tutti_status verify(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  tutti_error reason;
  tutti_status status = tutti_verify_method(method, call, &reason);
  return status == TUTTI_OK ? TUTTI_OK
                            : tutti_fail(error, status, "%s%s", reason.message,
                                         status == TUTTI_ERR_ARGUMENT ? " (--no-verify leaves the proof out)" : "");
}

static tutti_status report(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                           tutti_error *error)
{
  tutti_total total;
  tutti_status status =
      chosen->unverified ? tutti_method_check(method, call, error) : tutti_count_method(method, call, &total, error);
  if (!chosen->unverified && status == TUTTI_OK)
    status = verify(method, call, error);
  if (status != TUTTI_OK)
    return status;
  print_call(chosen, method, call);
  if (!chosen->unverified)
    print_counts(&total, call->type_size);
  return TUTTI_OK;
}

static tutti_status serve(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                          tutti_error *error)
{
  tutti_status status = report(chosen, method, call, error);
  if (status == TUTTI_OK && chosen->show)
    status = show_rank(method, call, (int)chosen->shown, error);
  fflush(stdout); /* the text is there whatever becomes of the files */
  return status == TUTTI_OK ? schedule_files_write(&chosen->files, method, call, error) : status;
}

static int schedule_main(int argc, char **argv)
{
  struct schedule_options chosen = {.ranks = 8, .count = 1024, .type_size = 1, .files = schedule_files_defaults()};
  tutti_method method;
  tutti_error error;
  parse_options(&argp, argc, argv, &chosen);
  if (tutti_method_parse(chosen.method, &method, &error) != TUTTI_OK)
    return complain(&error);
  if (chosen.root > 0 && !(tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_ROOT)) {
    tutti_fail(&error, TUTTI_ERR_ARGUMENT, "--root: %s has no root",
               tutti_collective_name(method.algorithm->collective));
    return complain(&error);
  }
  tutti_call call = {.size = (int)chosen.ranks,
                     .root = (int)chosen.root,
                     .count = method.algorithm->collective == TUTTI_COLL_BARRIER ? 0 : chosen.count,
                     .type_size = chosen.type_size,
                     .commutative = true};
  tutti_status status = serve(&chosen, &method, &call, &error);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return status == TUTTI_ERR_FAULT ? EXIT_FOUND : EXIT_USAGE;
}

const struct command command_schedule = {
    .name = "schedule",
    .summary = "build, verify, count and print the schedules of a method",
    .main = schedule_main,
};
