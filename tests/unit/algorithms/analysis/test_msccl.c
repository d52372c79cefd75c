/* MSCCL XML: what is written is read back as a method that the proof takes, whatever the algorithm; files in the shape
   of published ones; and what is wrong with others. */
#include "algorithms/catalogue/msccl/load.h"
#include "base/input.h"
#include "tutti/analysis.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static tutti_method load(const char *path, const tutti_plugin **plugin)
{
  assert_ok(tutti_msccl_load(path, plugin, &error), error);
  return tutti_method_default((*plugin)->algorithms);
}

static void check_total(const tutti_method *ours, const tutti_method *read, const tutti_call *call)
{
  tutti_total one, other;
  assert_ok(tutti_count_method(ours, call, &one, &error), error);
  assert_ok(tutti_count_method(read, call, &other, &error), error);
  assert_int_equal(other.sum.elements_sent, one.sum.elements_sent);
  assert_int_equal(other.sum.elements_reduced, one.sum.elements_reduced);
  assert_true(other.sum.sends >= one.sum.sends); /* a step has 71 chunks at most */
}

/* Whether it can be written; then it is read, proven, for twice the size too, and written again. */
static bool round_trip(const tutti_method *method, tutti_call call)
{
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  const tutti_plugin *plugin;
  FILE *file = open_memstream(&text, &length);
  const tutti_status status = tutti_export_msccl(method, &call, file, &error);
  fclose(file);
  if (status == TUTTI_ERR_UNSUPPORTED)
    return false;
  assert_ok(status, error);
  SCRATCH_FILE(scratch, "written.xml", text);
  const tutti_method read = load(scratch.path, &plugin);
  assert_int_equal(read.algorithm->ranks, call.size);
  assert_int_equal(call.count % read.algorithm->unit, 0);
  call.root = read.algorithm->root;
  assert_ok(tutti_verify_method(&read, &call, &error), error);
  if (method->algorithm->collective == read.algorithm->collective && call.root == 0)
    check_total(method, &read, &call);
  call.count *= 2;
  assert_ok(tutti_verify_method(&read, &call, &error), error);
  call.count++;
  assert_int_equal(tutti_method_check(&read, &call, &error),
                   call.count % read.algorithm->unit ? TUTTI_ERR_UNSUPPORTED : TUTTI_OK);
  tutti_msccl_unload(plugin);
  return true;
}

TEST(what_is_written_is_read_and_proven)
{
  static const int sizes[] = {2, 3, 4, 6, 8, 13};
  int written = 0, tried = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      const unsigned traits = tutti_collective_traits(method.algorithm->collective);
      tutti_call call = {.size = sizes[s],
                         .count = traits & TUTTI_HAS_BLOCKS ? 12 : 12 * (uint64_t)sizes[s],
                         .type_size = 4,
                         .commutative = true};
      if (method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
        method.parameters.k = 2;
      if (traits & TUTTI_IS_IRREGULAR || tutti_method_check(&method, &call, &error) != TUTTI_OK)
        continue;
      tried++;
      written += round_trip(&method, call);
    }
  print_message("%d of %d schedules\n", written, tried);
  assert_true(written > 600);
}

static tutti_method published(const char *name, const tutti_plugin **plugin)
{
  char path[512];
  snprintf(path, sizeof path, TUTTI_SOURCE_DIR "/tests/fuzz/seeds/%s", name);
  return load(path, plugin);
}

TEST(files_in_the_shape_of_published_ones)
{
  const tutti_plugin *plugin;
  tutti_total total;
  tutti_method method = published("ring.msccl", &plugin);
  tutti_call call = {.size = 4, .count = 400, .type_size = 4, .commutative = true};
  assert_string_equal(plugin->name, "msccl-ring");
  assert_ok(tutti_verify_method(&method, &call, &error), error);
  assert_ok(tutti_count_method(&method, &call, &total, &error), error);
  assert_int_equal(total.sum.sends, 4 * 2 * 3);
  assert_int_equal(total.depth, 2 * 3);
  call.commutative = false;
  assert_int_equal(tutti_method_check(&method, &call, &error), TUTTI_ERR_UNSUPPORTED);
  tutti_msccl_unload(plugin);
  method = published("pairs.msccl", &plugin);
  call = (tutti_call){.size = 3, .count = 300, .type_size = 4, .commutative = true};
  assert_ok(tutti_verify_method(&method, &call, &error), error);
  assert_ok(tutti_count_method(&method, &call, &total, &error), error);
  assert_int_equal(total.sum.sends, 3 * 2 * 2);
  assert_int_equal(total.depth, 2);
  tutti_msccl_unload(plugin);
}

/* ---- forms that are ours ---- */

/* Four quarters, one after the other. */
static void build_quarters(tutti_builder *builder, const tutti_call *call)
{
  const uint64_t quarter = call->count / 4;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (uint64_t i = 0; i < 4; i++) {
    const tutti_block block = tutti_block_of(TUTTI_OUTPUT, i * quarter, quarter);
    if (call->rank == 1) {
      tutti_add_recv(builder, 0, block);
      continue;
    }
    const tutti_vertex_id sent = tutti_add_send(builder, 1, block);
    tutti_add_after(builder, sent, last);
    last = sent;
  }
}

static uint32_t edges_read(const tutti_method *method, tutti_call call, const tutti_msccl_options *options)
{
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  const tutti_plugin *plugin;
  tutti_arena arena;
  tutti_schedule schedule;
  FILE *file = open_memstream(&text, &length);
  assert_ok(tutti_export_msccl_as(method, &call, options, file, &error), error);
  fclose(file);
  assert_int_equal(strstr(text, "tutti_window") != NULL, options->window > 0);
  assert_int_equal(strstr(text, "tutti_sums") != NULL, options->summed);
  assert_int_equal(strstr(text, "tutti_waits") != NULL, options->waits);
  SCRATCH_FILE(scratch, "form.xml", text);
  const tutti_method read = load(scratch.path, &plugin);
  assert_ok(tutti_verify_method(&read, &call, &error), error);
  tutti_arena_init(&arena);
  assert_ok(tutti_method_schedule(&read, &call, &arena, &schedule, &error), error);
  const uint32_t edges = schedule.edge_count;
  tutti_arena_release(&arena);
  tutti_msccl_unload(plugin);
  return edges;
}

TEST(sends_keep_their_order_where_the_file_says_so)
{
  static const tutti_algorithm algorithm = {
      .collective = TUTTI_COLL_BCAST, .name = "quarters", .build = build_quarters, .source = "here"};
  const tutti_method method = tutti_method_default(&algorithm);
  const tutti_call call = {.size = 2, .count = 20, .type_size = 1, .commutative = true};
  for (int window = 0; window < 5; window++)
    assert_int_equal(edges_read(&method, call, &(tutti_msccl_options){.window = window}), window > 0 ? 4 - window : 0);
}

/* Each of two ranks combines what it receives in the output, in the order that it chooses. */
static void build_two_sums(tutti_builder *builder, const tutti_call *call)
{
  const uint64_t half = call->count / 2;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (uint64_t i = 0; i < 2; i++) {
    const tutti_block input = tutti_block_of(TUTTI_INPUT, i * half, half),
                      output = tutti_block_of(TUTTI_OUTPUT, i * half, half);
    const tutti_vertex_id received = tutti_add_recv(builder, 1 - call->rank, output);
    tutti_add_send(builder, 1 - call->rank, input);
    const tutti_vertex_id reduced = tutti_add_reduce(builder, input, output);
    tutti_add_after(builder, reduced, received);
    tutti_add_after(builder, reduced, last);
    last = reduced;
  }
}

TEST(sums_keep_their_order_where_the_file_says_so)
{
  static const tutti_algorithm algorithm = {.collective = TUTTI_COLL_ALLREDUCE,
                                            .name = "two-sums",
                                            .build = build_two_sums,
                                            .domain = TUTTI_NEEDS_COMMUTATIVE,
                                            .source = "here"};
  const tutti_method method = tutti_method_default(&algorithm);
  const tutti_call call = {.size = 2, .count = 20, .type_size = 4, .commutative = true};
  const uint32_t apart = edges_read(&method, call, &(tutti_msccl_options){.numbered = true});
  assert_int_equal(edges_read(&method, call, &(tutti_msccl_options){.numbered = true, .summed = true}), apart + 1);
}

/* The second half is sent after a join that waits for the first one. */
static void build_joined(tutti_builder *builder, const tutti_call *call)
{
  const uint64_t half = call->count / 2;
  const tutti_block halves[] = {tutti_block_of(TUTTI_OUTPUT, 0, half), tutti_block_of(TUTTI_OUTPUT, half, half)};
  if (call->rank == 1) {
    tutti_add_recv(builder, 0, halves[0]);
    tutti_add_recv(builder, 0, halves[1]);
    return;
  }
  const tutti_vertex_id sent = tutti_add_send(builder, 1, halves[0]), join = tutti_add_join(builder);
  tutti_add_after(builder, join, sent);
  tutti_add_after(builder, tutti_add_send(builder, 1, halves[1]), join);
}

/* Other waits than those of a window, or of memory, are there where all are kept. */
TEST(all_waits_are_kept_where_the_file_says_so)
{
  static const tutti_algorithm algorithm = {
      .collective = TUTTI_COLL_BCAST, .name = "quarters", .build = build_quarters, .source = "here"};
  const tutti_method method = tutti_method_default(&algorithm);
  const tutti_call call = {.size = 2, .count = 20, .type_size = 1, .commutative = true};
  assert_int_equal(edges_read(&method, call, &(tutti_msccl_options){.numbered = true}), 0);
  assert_int_equal(edges_read(&method, call, &(tutti_msccl_options){.numbered = true, .waits = true}), 3);
  static const tutti_algorithm joined = {
      .collective = TUTTI_COLL_BCAST, .name = "joined", .build = build_joined, .source = "here"};
  const tutti_method other = tutti_method_default(&joined);
  assert_int_equal(edges_read(&other, call, &(tutti_msccl_options){.numbered = true}), 0);
  assert_int_equal(edges_read(&other, call, &(tutti_msccl_options){.numbered = true, .waits = true}), 2);
}

TEST(more_steps_than_readers_of_MSCCL_take)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "pipeline"));
  const tutti_call call = {.size = 3, .count = 1100, .type_size = 1, .commutative = true};
  method.parameters.segment_bytes = 1;
  FILE *file = tmpfile();
  assert_int_equal(tutti_export_msccl(&method, &call, file, &error), TUTTI_ERR_UNSUPPORTED);
  fclose(file);
  edges_read(&method, call, &(tutti_msccl_options){.unlimited = true});
}

/* ---- what is wrong ---- */

#define ALGORITHM(ranks, chunks, collective)                                                                           \
  "<algo nchunksperloop=\"" chunks "\" ngpus=\"" ranks "\" coll=\"" collective "\" inplace=\"0\">\n"
#define GPU(id)               "<gpu id=\"" id "\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"0\">\n"
#define BLOCK(id, send, recv) "<tb id=\"" id "\" send=\"" send "\" recv=\"" recv "\" chan=\"0\">\n"
#define STEP(s, type, off, wait, step, has)                                                                            \
  "<step s=\"" s "\" type=\"" type "\" srcbuf=\"i\" srcoff=\"" off "\" dstbuf=\"o\" dstoff=\"" off                     \
  "\" cnt=\"1\" depid=\"" wait "\" deps=\"" step "\" hasdep=\"" has "\"/>\n"

static void check_refused(const char *text, const char *expected)
{
  const tutti_plugin *plugin;
  SCRATCH_FILE(scratch, "refused.xml", text);
  assert_int_equal(tutti_msccl_load(scratch.path, &plugin, &error), TUTTI_ERR_ARGUMENT);
  assert_null(plugin);
  if (!strstr(error.message, expected) || !strstr(error.message, scratch.path))
    fail_msg("'%s' does not say '%s'", error.message, expected);
}

TEST(faults_have_their_places)
{
  check_refused("", "no algorithm");
  check_refused("<algo", ":1: a tag without an end");
  check_refused("<!-- x", ":1: a comment without an end");
  check_refused("<!DOCTYPE algo>", "document type");
  check_refused("\n<algo coll=\"barrier\">", ":2: coll=\"barrier\" is no collective");
  check_refused(ALGORITHM("2000", "2", "allreduce"), "ngpus=\"2000\" is no number from 1 to 1024");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") "</gpu>", "ends without gpu 1");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("2"), "id=\"2\"");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") GPU("0"), "gpu 0 a second time");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") BLOCK("0", "0", "1"), "sends to itself");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") BLOCK("1", "1", "1"), "thread block 1, where 0");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") BLOCK("0", "-1", "1") STEP("0", "s", "0", "-1", "-1", "0"),
                ":4: a step sends");
  check_refused(ALGORITHM("2", "2", "allreduce") GPU("0") BLOCK("0", "1", "1") STEP("0", "x", "0", "-1", "-1", "0"),
                "type=\"x\"");
  check_refused(ALGORITHM("1", "2", "allreduce") GPU("0") BLOCK("0", "-1", "-1") STEP("0", "cpy", "2", "-1", "-1", "0"),
                "chunks 2 to 2 of a buffer of 2");
  check_refused(ALGORITHM("1", "2", "allreduce") GPU("0") BLOCK("0", "-1", "-1") STEP("0", "cpy", "0", "1", "0", "0"),
                "step 0 of thread block 1, which there is not");
  check_refused(ALGORITHM("1", "2", "allreduce") GPU("0") BLOCK("0", "-1", "-1") STEP("0", "cpy", "0", "-1", "-1", "0")
                    STEP("1", "cpy", "1", "0", "0", "0"),
                "hasdep=\"0\"");
  check_refused(ALGORITHM("1", "2", "allreduce") GPU("0") BLOCK("0", "-1", "-1") STEP("0", "cpy", "0", "0", "0", "1"),
                "circle");
  check_refused(ALGORITHM("3", "4", "allgather") GPU("0") "</gpu>" GPU("1") "</gpu>" GPU("2") "</gpu></algo>",
                "no multiple of the 3 ranks");
}

/* A step of the ring receives what nobody sends; one adds where it should copy. */
TEST(the_proof_finds_faults)
{
  static const char *const changes[][2] = {{"type=\"rcs\"", "type=\"rrs\""}, {"type=\"rrs\"", "type=\"rcs\""}};
  const tutti_plugin *plugin;
  const tutti_call call = {.size = 4, .count = 400, .type_size = 4, .commutative = true};
  for (size_t i = 0; i < 2; i++) {
    FREED_BY(free_memory) char *text = NULL;
    size_t length;
    assert_ok(tutti_input_read_text(TUTTI_SOURCE_DIR "/tests/fuzz/seeds/ring.msccl", TUTTI_INPUT_TEXT, &text, &length,
                                    &error),
              error);
    char *at = strstr(text, changes[i][0]);
    assert_non_null(at);
    for (size_t c = 0; changes[i][1][c]; c++)
      at[c] = changes[i][1][c];
    SCRATCH_FILE(scratch, "changed.xml", text);
    const tutti_method method = load(scratch.path, &plugin);
    assert_int_equal(tutti_verify_method(&method, &call, &error), TUTTI_ERR_FAULT);
    tutti_msccl_unload(plugin);
  }
}
