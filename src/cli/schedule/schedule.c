/* tutti schedule: build the schedules of a method, verify and count them, and show that of a rank. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/schedule/schedule.h"

struct schedule_options {
  const char *method, *platform;
  uint64_t ranks, root, count, type_size, size, shown, blocks;
  bool ranked, counted, sized, rooted, show, unverified;
  tutti_format format;
  struct schedule_files files;
  struct schedule_jobs jobs;
};

/* What --allocation says of the ranks, and what it prints, is its own. */
static void check_jobs(const struct schedule_options *options)
{
  const struct schedule_jobs *jobs = &options->jobs;
  if (!jobs->allocations && (jobs->levels || jobs->machine || jobs->against))
    die("--%s: only with --allocation", jobs->levels ? "levels" : jobs->machine ? "machine" : "against");
  if (!jobs->allocations)
    return;
  if (!jobs->levels)
    die("--allocation: give --levels, which says the switch, cell or group of each");
  if (options->ranked || options->platform || options->show || options->files.goal || options->files.dot ||
      options->files.msccl || options->files.timeline || options->files.path)
    die("--allocation has its own ranks and no one schedule: neither --ranks nor --platform, --show or a file");
}

/* Elements of what was given in bytes. */
static void check(void *values)
{
  struct schedule_options *options = values;
  char size[24];
  if (options->counted && options->sized)
    die("--count or --size");
  if (options->sized && options->size % options->type_size != 0)
    die("--size: %s are no elements of %" PRIu64 " bytes", tutti_size_format(options->size, size), options->type_size);
  if (options->show && options->format != TUTTI_FORMAT_TEXT)
    die("--show prints text");
  if (options->sized)
    options->count = options->size / options->type_size;
  check_jobs(options);
}

static void read_ranks(void *member, const char *text)
{
  must(tutti_experiment_parse_rank_count(text, member, &failure));
}

static const struct option_row options[] = {
    OPTION_PARSE("ranks", "N", struct schedule_options, ranks, read_ranks, "ranks of the group", .letter = 'P',
                 .initial = "8", OPTION_GIVEN(struct schedule_options, ranked)),
    OPTION_SIZE("count", "ELEMENTS", struct schedule_options, count, "elements of the message, or of one rank's block",
                .letter = 'n', .max = UINT32_MAX, .initial = "1024", OPTION_GIVEN(struct schedule_options, counted),
                .everyday = true),
    OPTION_SIZE("size", "BYTES", struct schedule_options, size, "the same in bytes", .letter = 's', .max = UINT32_MAX,
                OPTION_GIVEN(struct schedule_options, sized)),
    OPTION_SIZE("type-size", "BYTES", struct schedule_options, type_size, "bytes of an element", .letter = 't',
                .min = 1, .max = INT_MAX, .initial = "1"),
    OPTION_SIZE("root", "RANK", struct schedule_options, root, "root", .max = INT_MAX, .initial = "0",
                OPTION_GIVEN(struct schedule_options, rooted)),
    OPTION_SIZE("show", "RANK", struct schedule_options, shown, "print the vertices of a rank", .max = INT_MAX,
                OPTION_GIVEN(struct schedule_options, show), .everyday = true),
    OPTION_FLAG("no-verify", struct schedule_options, unverified,
                "neither prove nor count, for which the schedules of all ranks must fit into memory", .everyday = true),
    OPTION_STRING("platform", "NAME|FILE", struct schedule_options, platform,
                  "count messages and bytes on the links of a machine, by level, without simulating"),
    OPTION_NUMBER(
        "optimum", "BLOCKS", struct schedule_options, blocks,
        "the best schedules that there can be, in rounds and volume, where messages, or blocks of ranks, are cut in so "
        "many equal blocks, and whether the method is one: by search on at most 8 ranks (allreduce of several blocks: "
        "4), of gather, scatter, allgather, reduce_scatter and barrier by bounds on at most 256",
        .min = 1, .max = 5, .everyday = true),
    OPTION_FORMAT(struct schedule_options, format),
    OPTION_HEADING("Jobs of a machine:"),
    OPTION_STRING("allocation", "FILE", struct schedule_options, jobs.allocations,
                  "count what goes between the nodes, switches and groups of each job: a line a job, whose last field "
                  "lists its nodes (1000-1003,1010 or names) in the order of the ranks"),
    OPTION_STRING("levels", "FILE", struct schedule_options, jobs.levels,
                  "the switch, cell or group of each node: a table with the headings first_node, last_node and those"),
    OPTION_STRING("machine", "NAME", struct schedule_options, jobs.machine,
                  "only its jobs of this machine, where lines say machine and run before the nodes",
                  .otherwise = "all"),
    OPTION_STRING("against", "METHOD", struct schedule_options, jobs.against,
                  "how many fewer bytes go between the cells or groups of a job than by METHOD"),
    OPTION_NUMBER("ranks-per-node", "N", struct schedule_options, jobs.ranks_per_node, "consecutive ranks on a node",
                  .min = 1, .max = INT_MAX, .initial = "1"),
    OPTION_HEADING("Files:"),
    OPTION_TABLE(struct schedule_options, files, schedule_files_table),
    ARGUMENT_STRING("METHOD|FILE.xml", struct schedule_options, method),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- one rank's vertices ---- */

static void print_vertex(const tutti_schedule *schedule, uint32_t v)
{
  char text[TUTTI_VERTEX_LENGTH];
  tutti_say(stdout, "%6u  %s", (unsigned)v, tutti_vertex_format(&schedule->vertices[v], text));
  for (uint32_t i = schedule->successor_first[v]; i < schedule->successor_first[v + 1]; i++)
    tutti_say(stdout, "%s%u", i == schedule->successor_first[v] ? "; then " : ", ", (unsigned)schedule->successors[i]);
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
  if (schedule.size > 0) { /* of one at fault what was built before */
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
  uint64_t largest = total->sum.largest_message * type_size, temporary = total->maximum.temporary_elements * type_size;
  tutti_say(stdout, "largest message  %" PRIu64 " byte%s\n", largest, tutti_plural(largest));
  printf("bytes reduced    %" PRIu64 " (at most %" PRIu64 " by one rank)\n", total->sum.elements_reduced * type_size,
         total->maximum.elements_reduced * type_size);
  tutti_say(stdout, "temporary memory %" PRIu64 " byte%s at most on one rank\n", temporary, tutti_plural(temporary));
  tutti_say(stdout, "depth            %" PRIu64 " message%s one after the other\n", total->depth,
            tutti_plural(total->depth));
}

static void print_call(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call)
{
  char name[TUTTI_METHOD_LENGTH];
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  tutti_say(stdout, "%s on %d rank%s, ", tutti_method_format(method, name), call->size,
            tutti_plural((uint64_t)call->size));
  if (traits & TUTTI_HAS_ROOT)
    printf("root %d, ", call->root);
  tutti_say(stdout, "%s%" PRIu64 " element%s of %" PRIu64 " byte%s: %s\n",
            traits & TUTTI_HAS_BLOCKS ? "blocks of " : "", call->count, tutti_plural(call->count), call->type_size,
            tutti_plural(call->type_size), chosen->unverified ? "not verified" : "verified");
}

/* The same as JSON and CSV. */
struct schedule_row {
  tutti_method method;
  int ranks, root;
  uint64_t count, type_size;
  bool verified, rounds_apart;
  double sends, max_sends, sent, max_sent, largest, reduced, max_reduced, temporary, depth; /* NaN: not counted */
};

static const tutti_column columns[] = {
    {NULL, "method", .at = offsetof(struct schedule_row, method), .get = cell_method},
    {NULL, "ranks", TUTTI_FIELD(struct schedule_row, ranks)},
    {NULL, "root", TUTTI_FIELD(struct schedule_row, root)},
    {NULL, "element_count", TUTTI_FIELD(struct schedule_row, count)},
    {NULL, "element_B", TUTTI_FIELD(struct schedule_row, type_size)},
    {NULL, "verified", TUTTI_FIELD(struct schedule_row, verified)},
    {NULL, "rounds_apart", TUTTI_FIELD(struct schedule_row, rounds_apart)},
    {NULL, "messages", TUTTI_FIELD(struct schedule_row, sends), .digits = 17},
    {NULL, "max_messages", TUTTI_FIELD(struct schedule_row, max_sends), .digits = 17},
    {NULL, "sent_B", TUTTI_FIELD(struct schedule_row, sent), .digits = 17},
    {NULL, "max_sent_B", TUTTI_FIELD(struct schedule_row, max_sent), .digits = 17},
    {NULL, "largest_message_B", TUTTI_FIELD(struct schedule_row, largest), .digits = 17},
    {NULL, "reduced_B", TUTTI_FIELD(struct schedule_row, reduced), .digits = 17},
    {NULL, "max_reduced_B", TUTTI_FIELD(struct schedule_row, max_reduced), .digits = 17},
    {NULL, "max_temporary_B", TUTTI_FIELD(struct schedule_row, temporary), .digits = 17},
    {NULL, "depth", TUTTI_FIELD(struct schedule_row, depth), .digits = 17},
};

/* @p total NULL: nothing was counted. */
static void print_table(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                        const tutti_total *total, const struct schedule_links *links)
{
  const double bytes = (double)call->type_size;
  struct schedule_row row = {.method = *method,
                             .ranks = call->size,
                             .root = call->root,
                             .count = call->count,
                             .type_size = call->type_size,
                             .verified = total != NULL,
                             .rounds_apart = tutti_method_rounds_apart(method)};
  row.sends = row.max_sends = row.sent = row.max_sent = row.largest = NAN;
  row.reduced = row.max_reduced = row.temporary = row.depth = NAN;
  if (total) {
    row.sends = (double)total->sum.sends;
    row.max_sends = (double)total->maximum.sends;
    row.sent = (double)total->sum.elements_sent * bytes;
    row.max_sent = (double)total->maximum.elements_sent * bytes;
    row.largest = (double)total->sum.largest_message * bytes;
    row.reduced = (double)total->sum.elements_reduced * bytes;
    row.max_reduced = (double)total->maximum.elements_reduced * bytes;
    row.temporary = (double)total->maximum.temporary_elements * bytes;
    row.depth = (double)total->depth;
  }
  const tutti_table tables[] = {{.key = "schedules", TUTTI_COLUMNS(columns), TUTTI_ROWS(&row, 1)},
                                schedule_links_table(links)};
  const tutti_document document = {.tables = tables, .table_count = links->count > 0 ? 2 : 1};
  must(tutti_document_print(&document, chosen->format, stdout, &failure));
}

static void show_proof(void *context, const char *part, double share)
{
  char phase[64];
  (void)context;
  snprintf(phase, sizeof phase, "proof: %s (--no-verify leaves it out)", part);
  patience_at(phase, share);
}

/* After counting succeeded, verification refuses only a schedule that is too large. */
static tutti_status verify(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                           tutti_error *error)
{
  const char *remedy = chosen->sized ? " (larger elements, such as -t 8, are fewer; --no-verify leaves the proof out)"
                                     : " (--no-verify leaves the proof out)";
  tutti_error reason;
  const tutti_watch watch = {show_proof, NULL};
  tutti_status status = tutti_verify_orders(method, call, &watch, &reason);
  return status == TUTTI_OK
             ? TUTTI_OK
             : tutti_fail(error, status, "%s%s", reason.message, status == TUTTI_ERR_ARGUMENT ? remedy : "");
}

static tutti_status report(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                           tutti_error *error)
{
  tutti_total total;
  struct schedule_links links = {.count = 0};
  patience_at("count", NAN);
  tutti_status status =
      chosen->unverified ? tutti_method_check(method, call, error) : tutti_count_method(method, call, &total, error);
  if (!chosen->unverified && status == TUTTI_OK)
    status = verify(chosen, method, call, error);
  if (status == TUTTI_OK && chosen->platform)
    status = schedule_links_count(chosen->platform, method, call, &links, error);
  patience_at(NULL, NAN);
  if (status != TUTTI_OK)
    return status;
  if (chosen->format != TUTTI_FORMAT_TEXT) {
    print_table(chosen, method, call, chosen->unverified ? NULL : &total, &links);
    return TUTTI_OK;
  }
  print_call(chosen, method, call);
  if (!chosen->unverified)
    print_counts(&total, call->type_size);
  if (tutti_method_rounds_apart(method))
    printf("results          " ROUNDS_APART "\n");
  if (links.count > 0) {
    const tutti_table table = schedule_links_table(&links);
    printf("\n");
    must(tutti_table_print(&table, stdout, &failure));
  }
  return TUTTI_OK;
}

static tutti_status serve(const struct schedule_options *chosen, const tutti_method *method, const tutti_call *call,
                          tutti_error *error)
{
  if (chosen->jobs.allocations) {
    struct schedule_jobs jobs = chosen->jobs;
    jobs.format = chosen->format;
    schedule_jobs_count(&jobs, method, call, chosen->counted || chosen->sized);
    return TUTTI_OK;
  }
  if (chosen->blocks > 0 && chosen->format != TUTTI_FORMAT_TEXT) {
    schedule_optimum_print(method, call, chosen->blocks, chosen->format);
    return TUTTI_OK;
  }
  tutti_status status = report(chosen, method, call, error);
  if (chosen->show) {
    tutti_status shown = show_rank(method, call, (int)chosen->shown, status == TUTTI_OK ? error : &(tutti_error){0});
    status = status == TUTTI_OK ? shown : status;
  }
  if (status == TUTTI_OK && chosen->blocks > 0)
    schedule_optimum_print(method, call, chosen->blocks, chosen->format);
  fflush(stdout); /* the text is printed even if a file fails */
  if (status == TUTTI_OK)
    schedule_files_write(&chosen->files, method, call);
  return status;
}

/* A method, or that of a file of MSCCL. */
static void find_method(const struct schedule_options *chosen, tutti_method *method)
{
  if (tutti_stem_length(chosen->method, ".xml") == 0)
    must(tutti_method_parse(chosen->method, method, &failure));
  else
    *method = tutti_method_default(plugin_load_only(chosen->method));
}

/* What is not said is what an algorithm needs that serves one number of ranks. */
static void fit(struct schedule_options *chosen, const tutti_algorithm *algorithm)
{
  if (algorithm->domain & TUTTI_NEEDS_RANKS && !chosen->ranked)
    chosen->ranks = (uint64_t)algorithm->ranks;
  if (algorithm->domain & TUTTI_NEEDS_ROOT && !chosen->rooted)
    chosen->root = (uint64_t)algorithm->root;
  if (algorithm->domain & TUTTI_NEEDS_UNIT && !chosen->counted && !chosen->sized)
    chosen->count = (chosen->count + algorithm->unit - 1) / algorithm->unit * algorithm->unit;
}

static void note_defaults(const struct schedule_options *chosen, const tutti_call *call)
{
  char text[64];
  snprintf(text, sizeof text, "%d", call->size);
  if (!chosen->ranked)
    note_default("ranks", text);
  snprintf(text, sizeof text, "%" PRIu64 " elements", call->count);
  if (!chosen->counted && !chosen->sized && call->count > 0)
    note_default("count", text);
}

static int run(void *values)
{
  struct schedule_options *chosen = values;
  tutti_method method;
  find_method(chosen, &method);
  fit(chosen, method.algorithm);
  if (chosen->root > 0 && !(tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_ROOT))
    die("--root: %s has no root", tutti_collective_name(method.algorithm->collective));
  tutti_call call = {.size = (int)chosen->ranks,
                     .root = (int)chosen->root,
                     .count = method.algorithm->collective == TUTTI_COLL_BARRIER ? 0 : chosen->count,
                     .type_size = chosen->type_size,
                     .commutative = true};
  if (chosen->platform)
    schedule_links_tell(chosen->platform, call.size, &method);
  const tutti_status status = serve(chosen, &method, &call, &failure);
  if (status == TUTTI_ERR_FAULT) {
    complain(&failure);
    return EXIT_FOUND;
  }
  must(status);
  if (!chosen->jobs.allocations)
    note_defaults(chosen, &call);
  return EXIT_DONE;
}

DEFINE_COMMAND(schedule, "schedule", options, struct schedule_options, run);
