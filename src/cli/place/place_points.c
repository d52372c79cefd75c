/* What is measured, and the proof before that. */
#include <math.h>

#include "base/numbers.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/place/place.h"
#include "harness/experiments/plan/plan.h"
#include "tutti/analysis.h"
#include "tutti/experiment.h"

/* Messages that two cores simulate in about a minute, at 100,000 to 250,000 a second each, and those that nobody waits
   for. The more ranks, the fewer a second. */
#define MINUTE_MESSAGES   6e6
#define HOPELESS_MESSAGES (20 * MINUTE_MESSAGES)

/* ---- numbers ---- */

static void add(struct option_numbers *numbers, uint64_t number)
{
  numbers->items = tutti_xrealloc(numbers->items, ((size_t)numbers->count + 1) * sizeof *numbers->items);
  numbers->items[numbers->count++] = number;
}

static struct option_numbers copy(const struct option_numbers *given)
{
  struct option_numbers numbers = {0};
  for (int i = 0; i < given->count; i++)
    add(&numbers, given->items[i]);
  return numbers;
}

/* ---- what is measured of a collective ---- */

/* The usual forms of a method, or the one that was named. */
static void write_forms(const struct placed *placed, FILE *stream)
{
  const char *segments = PLACE_SEGMENTS;
  fprintf(stream, "%s", placed->name);
  while (placed->any && placed->method.algorithm->parameters & TUTTI_TAKES_SEGMENT &&
         (segments = strchr(segments, ',')))
    segments++, fprintf(stream, ",%s/%.*s", placed->name, (int)strcspn(segments, ","), segments);
}

char *place_methods(const struct place *place, tutti_collective collective)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  if (place->options->methods)
    fprintf(list.stream, "%s", place->options->methods);
  for (size_t i = 0; i < place->count; i++) {
    const struct placed *placed = &place->items[i];
    if (placed->method.algorithm->collective != collective || (!place->options->methods && placed->any))
      continue;
    fputs(ftell(list.stream) > 0 ? "," : "", list.stream);
    write_forms(placed, list.stream);
  }
  char *text = tutti_xclose_text(&list);
  if (*text)
    return text;
  free(text);
  return NULL;
}

int place_root(const struct place *place)
{
  const tutti_algorithm *algorithm = place->items[0].method.algorithm;
  return place->count == 1 && algorithm->domain & TUTTI_NEEDS_ROOT ? algorithm->root : 0;
}

/* ---- how many messages that is ---- */

/* Of a sweep of all its sizes on some ranks: those of three sizes stand for all. */
static double count_sweep(const struct place *place, tutti_collective collective, uint64_t ranks, const char *methods)
{
  const struct option_numbers *sizes = &place->sizes;
  const uint64_t some[] = {sizes->items[0], sizes->items[sizes->count / 2], sizes->items[sizes->count - 1]};
  const bool few = sizes->count <= 3;
  const tutti_experiment_words words = {.collectives = 1u << collective,
                                        .platform = place->options->platform,
                                        .engine = place->options->engine,
                                        .ranks_count = 1,
                                        .ranks = &ranks,
                                        .root = place_root(place),
                                        .size_count = few ? sizes->count : 3,
                                        .sizes = few ? sizes->items : some,
                                        .methods = methods,
                                        .segments = methods ? NULL : PLACE_SEGMENTS};
  tutti_experiment experiment;
  tutti_plan plan;
  double messages = 0;
  must(tutti_experiment_of_words(&words, &experiment, &failure));
  must(tutti_experiment_choose_engine(&experiment, words.engine, 0, &failure));
  must(tutti_plan_create(&experiment, &(tutti_plan_options){.jobs = 1}, &(tutti_present){.row_count = 0}, &plan,
                         &failure));
  for (size_t i = 0; i < plan.point_count && messages < HOPELESS_MESSAGES; i++)
    messages += tutti_point_messages(&plan.points[i]);
  tutti_plan_free(&plan);
  tutti_experiment_free(&experiment);
  return few ? messages : messages * sizes->count / 3;
}

/* Of all that is measured on some ranks. */
static double count_messages(const struct place *place, uint64_t ranks)
{
  double messages = 0;
  unsigned done = 0;
  for (size_t i = 0; i < place->count; i++) {
    const tutti_collective collective = place->items[i].method.algorithm->collective;
    if (done & 1u << collective)
      continue;
    done |= 1u << collective;
    char *methods = place_methods(place, collective);
    messages += count_sweep(place, collective, ranks, place->options->methods ? methods : NULL);
    free(methods);
  }
  return messages;
}

/* ---- the points ---- */

/* Bytes of an element of any type that is measured. */
enum { MAX_ELEMENT = 8 };

/* A dozen, multiples of what the algorithm serves: of a message, or of one rank's block, of which all together are
 * more. A barrier has none. */
static void choose_sizes(struct place *place)
{
  static const uint64_t messages[] = {8, 64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 1048576};
  static const uint64_t blocks[] = {8, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536};
  const tutti_collective collective = place->items[0].method.algorithm->collective;
  const unsigned traits = tutti_collective_traits(collective);
  const uint64_t *sizes = traits & TUTTI_HAS_BLOCKS ? blocks : messages,
                 unit = tutti_algorithm_unit(place->items[0].method.algorithm),
                 multiple = unit > 1 ? unit * (traits & TUTTI_REDUCES ? MAX_ELEMENT : 1) : 1;
  for (int i = 0; i < (collective == TUTTI_COLL_BARRIER ? 1 : 12); i++) {
    const uint64_t size = (sizes[i] + multiple - 1) / multiple * multiple;
    if (i == 0 || size > place->sizes.items[place->sizes.count - 1])
      add(&place->sizes, size);
  }
}

static uint64_t room_of(const tutti_platform *platform)
{
  return (uint64_t)platform->host_count * (uint64_t)(platform->ranks_per_node > 1 ? platform->ranks_per_node : 1);
}

static bool has(const struct option_numbers *numbers, uint64_t number, bool multiple)
{
  bool found = false;
  for (int i = 0; i < numbers->count; i++)
    found = found || (multiple ? numbers->items[i] % number == 0 : numbers->items[i] == number);
  return found;
}

/* Schedules of a file are for as many ranks: those alone, unless another algorithm takes any number. */
static bool choose_needed(struct place *place)
{
  for (size_t i = 0; i < place->count; i++)
    if (!(place->items[i].method.algorithm->domain & TUTTI_NEEDS_RANKS))
      return false;
  for (size_t i = 0; i < place->count; i++) {
    const uint64_t ranks = (uint64_t)place->items[i].method.algorithm->ranks;
    if (!has(&place->ranks, ranks, false))
      add(&place->ranks, ranks);
  }
  return place->ranks.count > 0;
}

/* Powers of two as far as a minute goes, and one number that is none: that of the whole machine, or one below the
   last power. */
static void choose_ranks(struct place *place)
{
  const uint64_t room = room_of(&place->platform);
  double messages = 0;
  uint64_t last = 0;
  for (uint64_t ranks = room < 4 ? room : 4; ranks <= room; ranks *= 2) {
    patience_at("counting messages", NAN);
    messages += count_messages(place, ranks);
    if (last > 0 && messages > MINUTE_MESSAGES)
      break;
    add(&place->ranks, ranks);
    last = ranks;
  }
  if (room > last && room < 2 * last)
    add(&place->ranks, room);
  else if (last >= 4) {
    add(&place->ranks, last);
    place->ranks.items[place->ranks.count - 2] = last / 4 * 3;
  }
}

/* Those that somebody asked for may be many. */
static void refuse_hopeless(const struct place *place)
{
  double messages = 0;
  char count[32];
  for (int i = place->ranks.count - 1; i >= 0 && messages < HOPELESS_MESSAGES; i--) {
    patience_at("counting messages", NAN);
    messages += count_messages(place, place->ranks.items[i]);
  }
  if (messages >= HOPELESS_MESSAGES)
    die("%s messages and more take hours to simulate: ask for fewer ranks or sizes (-P, -s), or for some methods only "
        "(--methods)",
        progress_format_count((size_t)HOPELESS_MESSAGES, count));
  if (messages > MINUTE_MESSAGES && !place->options->quiet)
    tutti_say(stderr, "tutti: note: about %s messages are simulated, which takes %.0f minutes or more\n",
              progress_format_count((size_t)messages, count), ceil(messages / MINUTE_MESSAGES));
}

/* A schedule for one number of ranks and multiples of its chunks is asked for both. */
static void check_asked(const struct place *place)
{
  const struct placed *placed = &place->items[0];
  const tutti_algorithm *algorithm = placed->method.algorithm;
  const struct option_numbers *ranks = &place->options->ranks, *sizes = &place->options->sizes;
  if (algorithm->domain & TUTTI_NEEDS_RANKS && ranks->count > 0 && !has(ranks, (uint64_t)algorithm->ranks, false))
    die("--ranks: %s is for %d ranks alone: -P %d", placed->name, algorithm->ranks, algorithm->ranks);
  if (sizes->count > 0 && !has(sizes, tutti_algorithm_unit(algorithm), true))
    die("--size: %s serves multiples of %llu elements", placed->name,
        (unsigned long long)tutti_algorithm_unit(algorithm));
}

void place_choose_points(struct place *place)
{
  const struct place_options *options = place->options;
  check_asked(place);
  place->ranks = copy(&options->ranks);
  place->sizes = copy(&options->sizes);
  if (place->sizes.count == 0)
    choose_sizes(place);
  if (place->ranks.count > 0 || choose_needed(place))
    refuse_hopeless(place);
  else
    choose_ranks(place);
  patience_at(NULL, 1);
}

/* ---- proofs ---- */

/* On as many ranks as a proof takes little time for; of more elements on few. */
enum { MOST_PROVEN = 1 << 10, FEW_RANKS = 33, FEW_ELEMENTS = 1000, STEPS = 1 << 20 };

/* False, and there is a reason, if it is wrong; of calls that it does not serve there is nothing to prove. */
static bool prove_call(struct placed *placed, const tutti_places *places, uint64_t ranks, uint64_t count, int root)
{
  tutti_error reason;
  tutti_method method = placed->method;
  const tutti_call call = {.size = (int)ranks, .root = root, .count = count, .type_size = 1, .commutative = true};
  tutti_method_tell(&method, places, call.size);
  if (tutti_method_check(&method, &call, NULL) != TUTTI_OK)
    return true;
  const tutti_status status = tutti_verify_orders(&method, &call, NULL, &reason);
  if (status == TUTTI_OK)
    placed->proven = call.size > placed->proven ? call.size : placed->proven;
  else
    placed->reason = tutti_xstrdup(reason.message);
  return status == TUTTI_OK;
}

static bool prove_ranks(struct placed *placed, const tutti_places *places, uint64_t ranks)
{
  const tutti_algorithm *algorithm = placed->method.algorithm;
  const bool rooted = tutti_collective_traits(algorithm->collective) & TUTTI_HAS_ROOT,
             one = algorithm->domain & TUTTI_NEEDS_ROOT;
  const uint64_t most = STEPS / (ranks * ranks), more = ranks <= FEW_RANKS || most > FEW_ELEMENTS ? FEW_ELEMENTS : most,
                 unit = tutti_algorithm_unit(algorithm), multiple = more > unit ? more / unit * unit : unit;
  const int step = one ? (int)ranks : ranks > 1 ? (int)ranks - 1 : 1;
  for (int root = one ? algorithm->root : 0; root < (rooted ? (int)ranks : 1); root += step)
    if (!prove_call(placed, places, ranks, unit, root) || !prove_call(placed, places, ranks, multiple, root))
      return false;
  return true;
}

/* On a few ranks, or on those that are measured, beyond these. */
static bool prove(const struct place *place, struct placed *placed, bool measured)
{
  static const uint64_t few[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 24, FEW_RANKS};
  const tutti_places places = tutti_platform_places(&place->platform);
  const tutti_algorithm *algorithm = placed->method.algorithm;
  bool right = true;
  if (algorithm->domain & TUTTI_NEEDS_RANKS)
    return measured || prove_ranks(placed, &places, (uint64_t)algorithm->ranks);
  for (size_t i = 0; i < sizeof few / sizeof *few && right && !measured; i++)
    right = prove_ranks(placed, &places, few[i]);
  for (int i = 0; i < place->ranks.count && right && measured; i++)
    if (place->ranks.items[i] > FEW_RANKS && place->ranks.items[i] <= MOST_PROVEN)
      right = prove_ranks(placed, &places, place->ranks.items[i]);
  if (!right || placed->proven > 0 || !measured)
    return right;
  placed->reason = tutti_xstrdup("it serves no call on any of the numbers of ranks that were tried");
  return false;
}

bool place_prove(struct place *place, bool measured)
{
  bool right = true;
  for (size_t i = 0; i < place->count; i++) {
    patience_at("proof", NAN);
    right = prove(place, &place->items[i], measured) && right;
  }
  patience_at(NULL, 1);
  return right;
}
