/* tutti schedule: build the schedules of a method, verify and count them, and show that of a rank. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/schedule/schedule.h"
#include "tutti/analysis.h"

struct schedule_options {
  const char *method;
  uint64_t ranks, root, count, type_size, shown;
  bool show, unverified;
  struct schedule_files files;
};

static const struct option_row options[] = {
    OPTION_SIZE("ranks", "N", struct schedule_options, ranks, "ranks of the group", .letter = 'P', .max = INT_MAX,
                .initial = "8"),
    OPTION_SIZE("count", "ELEMENTS", struct schedule_options, count, "elements of the message, or of one rank's block",
                .letter = 'n', .max = UINT32_MAX, .initial = "1024"),
    OPTION_SIZE("type-size", "BYTES", struct schedule_options, type_size, "bytes of an element", .letter = 't',
                .min = 1, .max = INT_MAX, .initial = "1"),
    OPTION_SIZE("root", "RANK", struct schedule_options, root, "root", .max = INT_MAX, .initial = "0"),
    OPTION_SIZE("show", "RANK", struct schedule_options, shown, "print the vertices of a rank", .max = INT_MAX,
                OPTION_GIVEN(struct schedule_options, show)),
    OPTION_FLAG("no-verify", struct schedule_options, unverified,
                "neither prove nor count, for which the schedules of all ranks must fit into memory"),
    OPTION_HEADING("Files:"),
    OPTION_TABLE(struct schedule_options, files, schedule_files_table),
    ARGUMENT_STRING("METHOD", struct schedule_options, method),
    OPTION_END};

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

/* After counting succeeded, verification refuses only a schedule that is too large. */
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
  fflush(stdout); /* the text is printed even if a file fails */
  return status == TUTTI_OK ? schedule_files_write(&chosen->files, method, call, error) : status;
}

static int run(void *values)
{
  const struct schedule_options *chosen = values;
  tutti_method method;
  tutti_error error;
  if (tutti_method_parse(chosen->method, &method, &error) != TUTTI_OK)
    return complain(&error);
  if (chosen->root > 0 && !(tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_ROOT)) {
    tutti_fail(&error, TUTTI_ERR_ARGUMENT, "--root: %s has no root",
               tutti_collective_name(method.algorithm->collective));
    return complain(&error);
  }
  tutti_call call = {.size = (int)chosen->ranks,
                     .root = (int)chosen->root,
                     .count = method.algorithm->collective == TUTTI_COLL_BARRIER ? 0 : chosen->count,
                     .type_size = chosen->type_size,
                     .commutative = true};
  tutti_status status = serve(chosen, &method, &call, &error);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return status == TUTTI_ERR_FAULT ? EXIT_FOUND : EXIT_USAGE;
}

const struct command command_schedule = {
    .name = "schedule",
    .summary = "build, verify, count and print the schedules of a method",
    .help = "Build the schedules of all ranks under METHOD (bcast/split-binary/8KB), prove that they match, cannot "
            "deadlock, have no race and keep the promise of the collective, and count what they cost.",
    .options = options,
    .size = sizeof(struct schedule_options),
    .run = run,
};
