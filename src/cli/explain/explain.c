/* tutti explain: which method a decision picks for a call, and why. */
#include <limits.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/explain/explain.h"
#include "cli/options/common.h"
#include "tutti/reproducible.h"

/* A barrier has no size. */
static void check(void *values)
{
  struct explain_options *options = values;
  tutti_explained_call *call = &options->call;
  if (!options->given && !options->ran)
    die("which collective? (or --ran FILE)");
  if (options->ran && (options->ranked || options->sized || call->type_bytes || call->ranks_per_node ||
                       options->nodes || call->ordered || call->own_operation || call->in_place))
    die("--ran: the file says the calls; of their options only COLLECTIVE goes with it");
  if (options->nodes && call->ranks_per_node)
    die("--ranks-per-node or --nodes");
  if (options->nodes > call->ranks)
    die("%d nodes for %d ranks", options->nodes, call->ranks);
  if (options->nodes)
    call->ranks_per_node = (call->ranks - 1) / options->nodes + 1;
  if (options->sensitivity && !*options->selection.platform)
    die("--sensitivity: to the parameters of which platform? --platform NAME (tutti platform list)");
  if (call->collective == TUTTI_COLL_BARRIER)
    call->rank_bytes = 0;
}

/* The ranks per node are those of the call, and no selection among measurements. */
static const struct option_row option_table[] = {
    OPTION_HEADING("The call:"),
    OPTION_NUMBER("ranks", "N", struct explain_options, call.ranks, "communicator size", .letter = 'P', .aliases = "n",
                  .min = 1, .initial = "64", OPTION_GIVEN(struct explain_options, ranked)),
    OPTION_SIZE("size", "BYTES", struct explain_options, call.rank_bytes,
                "bytes of the message, or of one rank's block; a barrier has none", .letter = 's',
                .max = UINT64_C(1) << 52, .initial = "1KB", OPTION_GIVEN(struct explain_options, sized)),
    OPTION_SIZE("type-size", "BYTES", struct explain_options, call.type_bytes, "bytes of an element", .letter = 't',
                .min = 1, .max = 1 << 20, .otherwise = "8 where that divides the size, else 4, else 1"),
    OPTION_NUMBER("ranks-per-node", "N", struct explain_options, call.ranks_per_node, "ranks on a node",
                  .aliases = "ppn", .min = 1, .otherwise = "not known"),
    OPTION_NUMBER("nodes", "N", struct explain_options, nodes, "the same as a number of nodes", .min = 1,
                  .everyday = true),
    OPTION_FLAG("non-commutative", struct explain_options, call.ordered, "the operation does not commute"),
    OPTION_FLAG("own-operation", struct explain_options, call.own_operation, "the operation is the program's own"),
    OPTION_FLAG("in-place", struct explain_options, call.in_place, "the send buffer is MPI_IN_PLACE"),
    OPTION_HEADING("Who decides:"),
    OPTION_STRING("decision", "DECISION", struct explain_options, decision,
                  "a tuning file of Open MPI or MPICH, a decision file of Tutti, library:openmpi-4.1 and such, or a "
                  "method",
                  .otherwise = "what the library chooses itself that was measured on --platform, or is installed"),
    OPTION_STRING("target", "NAME", struct explain_options, target, "library that reads the file, as in tutti lint",
                  .otherwise = "what the file looks like", .everyday = true),
    OPTION_HEADING("What happened:"),
    OPTION_STRING(
        "ran", "FILE", struct explain_options, ran,
        "compare with what Open MPI did in a program (tutti run --ran): each kind of call in FILE, or those of "
        "COLLECTIVE"),
    OPTION_HEADING("Output:"),
    OPTION_NUMBER("top", "N", struct explain_options, runners, "with --platform: how many other methods are shown",
                  .aliases = "runners-up", .max = 1000, .initial = "5"),
    OPTION_FLAG("sensitivity", struct explain_options, sensitivity,
                "with --platform: how the time of what runs depends on each parameter of the models, how far that can "
                "rise, and between which values the method stays the best"),
    OPTION_JSON(struct explain_options, json),
    OPTION_CSV(struct explain_options, csv),
    OPTION_HEADING("Models:"),
    OPTION_TABLE(struct explain_options, predictor, predictor_table),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct explain_options, selection, optional_selection_table),
    ARGUMENT_PARSE("COLLECTIVE", struct explain_options, call.collective, option_collective, .optional = true,
                   OPTION_GIVEN(struct explain_options, given)),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- the explanation ---- */

enum { RANKS_AHEAD = 1024 };

static void find_nearby(const tutti_tuning *tuning, struct explained *explained)
{
  const tutti_explained_call *call = &explained->call;
  struct nearby *below = &explained->below, *above = &explained->above, *more = &explained->ranks;
  int ranks = call->ranks, max = ranks < INT_MAX - RANKS_AHEAD ? ranks + RANKS_AHEAD : INT_MAX;
  must(tutti_explain_next(tuning, call, false, &below->found, &below->bound, &below->answer, &failure));
  must(tutti_explain_next(tuning, call, true, &above->found, &above->bound, &above->answer, &failure));
  if (*explained->target && strcmp(explained->target, "tutti") != 0)
    must(tutti_explain_ranks(tuning, call, max, &more->found, &ranks, &more->answer, &failure));
  more->bound = (uint64_t)ranks;
}

/* The classes of what runs, as the library that reads the file runs it. */
unsigned explain_classes(const struct decider *decider, const tutti_explanation *there)
{
  if (!there->known || there->fails)
    return 0;
  const tutti_method as_run = decider->library == TUTTI_IMPLEMENTATION_TUTTI
                                  ? there->method
                                  : tutti_method_as(&there->method, decider->library);
  return tutti_method_reproducible(&as_run);
}

static void find_classes(const struct decider *decider, struct explained *explained)
{
  const unsigned asked = explained->options->selection.reproducible;
  char lacking[TUTTI_REPRODUCIBLE_LENGTH];
  if (!(tutti_collective_traits(explained->call.collective) & TUTTI_REDUCES))
    return;
  explained->classes = explain_classes(decider, &explained->here);
  if (explained->classes & TUTTI_REPRODUCIBLE_SIZE && !explain_size_class(decider, explained))
    explained->classes &= ~(unsigned)TUTTI_REPRODUCIBLE_SIZE;
  if (asked & ~explained->classes)
    tutti_say(stderr, "tutti: warning: --reproducible: what runs lacks %s\n",
              tutti_reproducible_format(asked & ~explained->classes, lacking));
}

/* Methods for nodes or a torus that name no sides run with those of the platform. */
static tutti_places find_places(const struct explain_options *options)
{
  const char *name = options->selection.platform_argument;
  tutti_places places = {.ranks_per_node = options->call.ranks_per_node};
  tutti_platform platform;
  if (name && *name && platform_load(name, &platform, NULL) == TUTTI_OK) {
    places.ranks_per_host = platform.ranks_per_node;
    places.torus = platform.torus;
    tutti_platform_free(&platform);
  }
  return places;
}

static void explain(const struct decider *decider, struct explained *explained)
{
  const tutti_explanation *here = &explained->here;
  must(tutti_explain(decider->tuning, &explained->call, &explained->here, &failure));
  find_nearby(decider->tuning, explained);
  find_classes(decider, explained);
  struct explained_choice choice = {.decision = decider->name, .own = here->own_choice, .library = decider->library};
  if (here->known && !here->fails)
    choice.method = &here->method;
  if (choice.method && choice.library == TUTTI_IMPLEMENTATION_TUTTI)
    choice.library = here->method.implementation;
  explain_gather_times(explained->options, &choice, &explained->times);
  if (explained->options->sensitivity)
    explain_gather_sensitivity(explained->options, &explained->times, &explained->sensitivity);
}

static void explained_free(struct explained *explained)
{
  tutti_explanation_free(&explained->here);
  tutti_explanation_free(&explained->below.answer);
  tutti_explanation_free(&explained->above.answer);
  tutti_explanation_free(&explained->ranks.answer);
  explained_times_free(&explained->times);
  sensitivity_free(&explained->sensitivity);
}

static int run(void *values)
{
  const struct explain_options *options = values;
  if (options->ran)
    return explain_ran(options);
  struct explained explained = {.options = options, .call = options->call};
  explained.call.places = find_places(options);
  struct decider decider = {.tuning = NULL};
  decider_open(options->decision, options->target, &options->selection, options->call.collective, &decider,
               explained.target);
  explained.decision = decider.name;
  explain(&decider, &explained);
  bool fails = explained.here.fails;
  explain_print(&explained);
  explained_free(&explained);
  decider_close(&decider);
  if (!options->ranked)
    note_default("ranks", "64");
  if (!options->sized && options->call.collective != TUTTI_COLL_BARRIER)
    note_default("size", "1KB");
  if (!*options->selection.platform && access(options->selection.database, F_OK) == 0)
    tutti_say(stderr, "tutti: note: times are left out: --platform NAME shows those of a platform of %s\n",
              options->selection.database);
  return fails ? EXIT_FOUND : EXIT_DONE;
}

DEFINE_COMMAND(explain, "explain", option_table, struct explain_options, run);
