/* Schedules that are matched to tori and a switch are proven for every collective, number of chunks and root; the time
   of the matching is near what the links allow; a plug-in of the file runs the same. */
#include "harness/engine/search/exchange.h"
#include "harness/engine/search/search.h"
#include "tutti/analysis.h"
#include "unit/test.h"

static struct net_link wire = {.bandwidth = 1e9, .latency = 1e-7};

/* A torus with the sides, a rank a host; one side: a ring. */
static struct engine_machine torus_of(long x, long y)
{
  const uint32_t hosts = (uint32_t)(x * y);
  return (struct engine_machine){
      .platform = "torus",
      .ranks_per_node = 1,
      .precision = 1e-9,
      .processor = {.speed = 1e9, .cores = 1},
      .network = {.topology = {.kind = TOPOLOGY_TORUS, .levels = 2, .sizes = {x, y}, .hosts = x * y},
                  .host_count = hosts,
                  .link_count = 4 * hosts,
                  .backbone = ENGINE_NONE,
                  .limiters = ENGINE_NONE,
                  .loopbacks = ENGINE_NONE,
                  .split_duplex = true,
                  .kind_count = 1,
                  .kinds = {{0, wire}}}};
}

static void no_progress(const char *part, double share)
{
  (void)part;
  (void)share;
}

static struct search_request request_of(const struct engine_machine *machine, const struct broken_links *broken,
                                        tutti_collective collective, int ranks)
{
  return (struct search_request){.machine = machine,
                                 .broken = broken,
                                 .collective = collective,
                                 .ranks = ranks,
                                 .count = 1536,
                                 .type_size = 4,
                                 .budget = 0.2,
                                 .progress = no_progress};
}

static tutti_call unit_call(const struct synthesis *synthesis, int root)
{
  return (tutti_call){
      .size = synthesis->ranks, .root = root, .count = synthesis->algorithm.unit, .type_size = 4, .commutative = true};
}

static const struct broken_links whole = {.count = 0};

/* ---- the search ---- */

static void check_search(const struct search_request *request)
{
  struct search_result one, other;
  assert_ok(tutti_search(request, &one, &error), error);
  assert_true(one.synthesis.ranks > 0);
  assert_true(one.seconds > 0 && one.seconds < 1);
  const tutti_method method = tutti_synthesis_method(&one.synthesis);
  const tutti_call call = unit_call(&one.synthesis, request->root);
  assert_ok(tutti_verify_method(&method, &call, &error), error);
  assert_ok(tutti_search(request, &other, &error), error);
  assert_true(one.seconds == other.seconds);
  assert_int_equal(one.simulated, other.simulated);
  assert_int_equal(one.synthesis.spread.moves.count, other.synthesis.spread.moves.count);
  tutti_search_free(&one);
  tutti_search_free(&other);
}

TEST(every_collective_is_proven_and_the_same_again)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_ALLGATHER, TUTTI_COLL_REDUCE_SCATTER_BLOCK,
                                                 TUTTI_COLL_ALLREDUCE, TUTTI_COLL_BCAST,
                                                 TUTTI_COLL_REDUCE,    TUTTI_COLL_ALLTOALL};
  const struct engine_machine machine = torus_of(4, 3);
  for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++)
    for (int ranks = 2; ranks <= 12; ranks += 5) {
      struct search_request request = request_of(&machine, &whole, collectives[c], ranks);
      if (tutti_collective_traits(collectives[c]) & TUTTI_HAS_ROOT)
        request.root = ranks - 1;
      check_search(&request);
    }
}

TEST(what_cannot_be_searched_is_refused)
{
  const struct engine_machine machine = torus_of(4, 3);
  struct search_request request = request_of(&machine, &whole, TUTTI_COLL_SCAN, 4);
  struct search_result result;
  assert_int_equal(tutti_search(&request, &result, &error), TUTTI_ERR_UNSUPPORTED);
  tutti_search_free(&result);
  request = request_of(&machine, &whole, TUTTI_COLL_BCAST, 13);
  assert_int_equal(tutti_search(&request, &result, &error), TUTTI_ERR_ARGUMENT);
  tutti_search_free(&result);
  request.ranks = 1;
  assert_int_equal(tutti_search(&request, &result, &error), TUTTI_ERR_ARGUMENT);
  tutti_search_free(&result);
}

/* ---- matching ---- */

static double spread_time(const struct fabric *fabric, uint32_t chunks, int root, uint32_t batch, struct moves *moves)
{
  double seconds;
  const struct spread_request request = {
      .fabric = fabric, .chunks = chunks, .root = root, .chunk_bytes = 100000, .batch = batch};
  assert_true(tutti_search_spread(&request, moves, &seconds));
  return seconds;
}

/* Each of 36 ranks gets 35 chunks over four links; from a root that sends over four, each of 64 chunks once. */
TEST(matching_is_near_what_the_links_allow)
{
  const struct engine_machine machine = torus_of(6, 6);
  const double chunk = 100000 / wire.bandwidth;
  struct fabric fabric;
  struct moves moves = {0};
  assert_ok(tutti_fabric_make(&machine, &whole, 36, FABRIC_NEAR, false, &fabric, &error), error);
  assert_int_equal(fabric.count, 4 * 36);
  const double gathered = spread_time(&fabric, 36, -1, 1, &moves);
  assert_int_equal(moves.count, 36 * 35);
  assert_true(gathered >= 35 * chunk / 4);
  assert_true(gathered < 1.3 * 35 * chunk / 4);
  const double sent = spread_time(&fabric, 64, 7, 1, &moves);
  assert_int_equal(moves.count, 64 * 35);
  assert_true(sent >= 64 * chunk / 4);
  assert_true(sent < 2 * 64 * chunk / 4);
  tutti_vector_free(&moves);
  tutti_fabric_free(&fabric);
}

/* A rank is sent a chunk once, by one that has it. */
TEST(moves_begin_where_chunks_are)
{
  enum { RANKS = 12, CHUNKS = 48 };
  const struct engine_machine machine = torus_of(4, 3);
  struct fabric fabric;
  struct moves moves = {0};
  static bool has[RANKS][CHUNKS];
  assert_ok(tutti_fabric_make(&machine, &whole, RANKS, FABRIC_FAR, false, &fabric, &error), error);
  spread_time(&fabric, CHUNKS, -1, 4, &moves);
  for (uint32_t c = 0; c < CHUNKS; c++)
    has[move_owner(c, CHUNKS, RANKS)][c] = true;
  for (size_t i = 0; i < moves.count; i++)
    for (uint32_t c = moves.items[i].first; c < moves.items[i].first + moves.items[i].count; c++) {
      assert_true(has[moves.items[i].from][c]);
      assert_false(has[moves.items[i].to][c]);
      has[moves.items[i].to][c] = true;
    }
  tutti_moves_reverse(&moves);
  assert_int_equal(moves.items[0].count > 0, true);
  tutti_vector_free(&moves);
  tutti_fabric_free(&fabric);
}

TEST(pairs_of_an_exchange_are_each_there_once)
{
  enum { RANKS = 12 };
  const struct engine_machine machine = torus_of(4, 3);
  struct ways ways;
  assert_true(tutti_ways_find(&machine, &whole, RANKS, &ways));
  struct exchange_request request = {.ways = &ways, .bytes = 1000};
  struct moves moves = {0};
  double seconds;
  for (int way = 0; way < 4; way++) {
    bool seen[RANKS][RANKS] = {{false}};
    request.far_first = way % 2;
    request.seed = (uint64_t)way / 2;
    tutti_search_exchange(&request, &moves, &seconds);
    assert_int_equal(moves.count, RANKS * (RANKS - 1));
    assert_true(seconds > 0);
    for (size_t i = 0; i < moves.count; i++) {
      assert_false(seen[moves.items[i].from][moves.items[i].to]);
      seen[moves.items[i].from][moves.items[i].to] = true;
    }
  }
  tutti_ways_free(&ways);
  tutti_vector_free(&moves);
}

/* On a ring of 8, blocks to the opposite rank go one way round: 10 blocks a link there, 6 back. Over one other rank
   some go the other way: 9 at most. */
TEST(relays_make_the_load_of_links_even)
{
  const struct engine_machine machine = torus_of(8, 1);
  struct ways ways;
  assert_true(tutti_ways_find(&machine, &whole, 8, &ways));
  assert_true(fabs(tutti_ways_load(&ways, 0) * wire.bandwidth - 10) < 1e-6);
  assert_true(tutti_ways_load(&ways, 1) * wire.bandwidth < 9 + 1e-6);
  tutti_ways_free(&ways);
}

/* ---- broken links ---- */

/* On a ring of 8, without the link 0-1, all goes the other way round; without 4-5, too, ranks are cut off. */
TEST(nothing_goes_over_broken_links)
{
  const struct engine_machine machine = torus_of(8, 1);
  struct broken_links broken = {.count = 0};
  struct fabric fabric;
  assert_ok(tutti_links_break(&machine, 0, 1, &broken, &error), error);
  assert_int_equal(broken.count, 2);
  assert_ok(tutti_fabric_make(&machine, &broken, 8, FABRIC_NEAR, false, &fabric, &error), error);
  assert_int_equal(fabric.count, 14);
  for (size_t h = 0; h < fabric.count; h++)
    for (uint32_t i = 0; i < fabric.items[h].count; i++)
      assert_false(broken.links[fabric.links.items[fabric.items[h].first + i]]);
  tutti_fabric_free(&fabric);
  struct search_request request = request_of(&machine, &broken, TUTTI_COLL_ALLREDUCE, 8);
  check_search(&request);
  assert_ok(tutti_links_break(&machine, 5, 4, &broken, &error), error);
  assert_int_equal(broken.count, 4);
  assert_int_equal(tutti_fabric_make(&machine, &broken, 8, FABRIC_NEAR, false, &fabric, &error), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "4 of 8 ranks cannot be reached"));
  tutti_fabric_free(&fabric);
  assert_int_equal(tutti_links_break(&machine, 3, 3, &broken, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_links_break(&machine, 3, 8, &broken, &error), TUTTI_ERR_ARGUMENT);
  free(broken.links);
}

/* On a torus there is a way over another rank. */
TEST(blocks_of_an_alltoall_are_relayed)
{
  const struct engine_machine machine = torus_of(4, 3);
  struct broken_links broken = {.count = 0};
  assert_ok(tutti_links_break(&machine, 0, 1, &broken, &error), error);
  struct search_request request = request_of(&machine, &broken, TUTTI_COLL_ALLTOALL, 12);
  check_search(&request);
  free(broken.links);
}
