/* tutti synthesize: a schedule for one machine, better than all methods where there is one, proven, as a file. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>

#include "algorithms/catalogue/msccl/load.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/synthesize/synthesize.h"
#include "tutti/analysis.h"

static void read_ranks(void *member, const char *text)
{
  must(tutti_experiment_parse_rank_count(text, member, &failure));
}

static void check(void *values)
{
  struct synthesize *chosen = values;
  const unsigned traits = tutti_collective_traits(chosen->collective);
  char size[24];
  if (!chosen->typed)
    chosen->type_size = traits & TUTTI_REDUCES && chosen->size % 4 == 0 ? 4 : 1;
  if (chosen->size == 0 || chosen->size % chosen->type_size != 0)
    die("--size: %s are no elements of %" PRIu64 " bytes", tutti_size_format(chosen->size, size), chosen->type_size);
  if (chosen->root > 0 && !(traits & TUTTI_HAS_ROOT))
    die("--root: %s has no root", tutti_collective_name(chosen->collective));
  if (chosen->ranks > 1024)
    die("--ranks: %" PRIu64 "; files of MSCCL have 1024 ranks at most", chosen->ranks);
  if (chosen->root >= chosen->ranks)
    die("--root: %" PRIu64 " is none of %" PRIu64 " ranks", chosen->root, chosen->ranks);
}

static const struct option_row options[] = {
    OPTION_STRING("platform", "NAME|FILE", struct synthesize, platform, "the machine"),
    OPTION_PARSE("ranks", "N", struct synthesize, ranks, read_ranks, "ranks, which fill node after node", .letter = 'P',
                 .initial = "16", OPTION_GIVEN(struct synthesize, ranked)),
    OPTION_SIZE("size", "BYTES", struct synthesize, size, "bytes of the message, or of one rank's block", .letter = 's',
                .max = UINT32_MAX, .initial = "1MB", OPTION_GIVEN(struct synthesize, sized)),
    OPTION_SIZE("type-size", "BYTES", struct synthesize, type_size, "bytes of an element", .letter = 't', .min = 1,
                .max = INT_MAX, .otherwise = "4 where elements are combined, else 1",
                OPTION_GIVEN(struct synthesize, typed)),
    OPTION_SIZE("root", "RANK", struct synthesize, root, "root", .max = INT_MAX, .initial = "0"),
    OPTION_STRING("links-broken", "LIST", struct synthesize, broken,
                  "send nothing over the links between these hosts, by name or number: 0:1,n4:n5", .everyday = true),
    OPTION_DURATION("budget", struct synthesize, budget,
                    "work, in seconds of a core; it is counted in messages that are simulated, so that the result is "
                    "the same on any computer",
                    .initial = "1min", .everyday = true),
    OPTION_NUMBER("seed", "N", struct synthesize, seed, "of the orders that are tried", .max = INT_MAX, .initial = "0"),
    OPTION_PARSE("engine", "fast|flow", struct synthesize, engine, option_engine,
                 "what simulates; flow is faster where networks are crowded", .initial = TUTTI_FLAVOR_FAST),
    OPTION_QUIET(struct synthesize, quiet),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "FILE.xml", struct synthesize, output, "write the schedule, as MSCCL has them, to FILE.xml",
                  .letter = 'o', .writes = WRITES_TEXT, .otherwise = "COLLECTIVE-PLATFORM-RANKS-SIZE[-ROOT].xml"),
    OPTION_NUMBER("top", "N", struct synthesize, top, "list so many methods", .min = 1, .max = 10000, .initial = "5"),
    OPTION_FORMAT(struct synthesize, format),
    ARGUMENT_PARSE("COLLECTIVE", struct synthesize, collective, option_collective),
    OPTION_REQUIRED("platform", "for which machine? --platform NAME|FILE (tutti platform list, tutti platform new)"),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- the machine ---- */

static uint32_t host_of(const tutti_platform *platform, const char *word)
{
  uint64_t number;
  for (int h = 0; h < platform->host_count; h++)
    if (strcmp(platform->hosts[h], word) == 0)
      return (uint32_t)h;
  if (tutti_size_parse(word, &number, NULL) != TUTTI_OK || number >= (uint64_t)platform->host_count)
    die("--links-broken: %s has no host '%s'", platform->name, word);
  return (uint32_t)number;
}

/* A route over switches has the only cable of a host, as that has no other. */
static void check_cut(const char *one, const char *other, const struct subject *subject, uint32_t ranks)
{
  const struct engine_network *network = &subject->machine.network;
  if (ranks > network->host_count * (uint32_t)subject->machine.ranks_per_node)
    return; /* the search says so */
  const uint32_t cut = tutti_links_cut(&subject->machine, &subject->broken, ranks);
  if (cut > 0)
    die("--links-broken: %s:%s: without the links between them, %u of %u ranks reach no other host%s", one, other,
        (unsigned)cut, (unsigned)ranks,
        !network->zones && network->topology.kind == TOPOLOGY_TORUS
            ? ""
            : ": the route goes over switches, and has the only cable of a host. Cables between two hosts, as those of "
              "a "
              "torus, can be named, not those between switches: leave that out of the platform file");
}

static void break_links(const char *list, struct subject *subject, uint32_t ranks)
{
  const tutti_platform *platform = &subject->platform;
  char *words = tutti_xstrdup(list), *rest = words;
  for (char *word; (word = strsep(&rest, ","));) {
    char *other = word, *one = strsep(&other, ":");
    if (!other)
      die("--links-broken: '%s' is no pair of hosts, such as 0:1", word);
    tutti_error reason;
    if (tutti_links_break(&subject->machine, host_of(platform, one), host_of(platform, other), &subject->broken,
                          &reason) != TUTTI_OK)
      die("--links-broken: %s", reason.message);
    check_cut(one, other, subject, ranks);
  }
  free(words);
}

static void show_progress(const char *part, double share)
{
  patience_at(part, share);
}

static void show_nothing(const char *part, double share)
{
  (void)part;
  (void)share;
}

/* That it can be written, and read back as a method, is known before the search. */
static char *name_file(const struct synthesize *chosen, const char *platform)
{
  char name[TUTTI_ALGORITHM_NAME + 1], size[24], root[32] = "";
  if (chosen->root > 0)
    snprintf(root, sizeof root, "-root%" PRIu64, chosen->root);
  char *path = chosen->output ? tutti_xstrdup(chosen->output)
                              : tutti_xprintf("%s-%s-%" PRIu64 "-%s%s.xml", tutti_collective_name(chosen->collective),
                                              platform, chosen->ranks, tutti_size_format(chosen->size, size), root);
  if (tutti_stem_length(path, ".xml") == 0)
    die("--output: '%s' does not end with .xml", path);
  tutti_error cause;
  if (tutti_msccl_name(path, name, &cause) != TUTTI_OK || tutti_output_test(path, &cause) != TUTTI_OK)
    die("--output: %s", cause.message);
  if (tutti_algorithm_find(chosen->collective, name))
    die("--output: %s: --plugin has loaded %s/%s already: another name", path,
        tutti_collective_name(chosen->collective), name);
  return path;
}

static void open_subject(const struct synthesize *chosen, struct subject *subject)
{
  must(platform_load(chosen->platform, &subject->platform, &failure));
  must(tutti_platform_accept(&subject->platform, (int)chosen->ranks, stderr, &failure));
  subject->path = name_file(chosen, subject->platform.name);
  must(tutti_machine_read(subject->platform.path, &subject->machine, &failure));
  if (strcmp(chosen->engine, TUTTI_FLAVOR_FAST) != 0 && strcmp(chosen->engine, TUTTI_FLAVOR_FLOW) != 0)
    die("--engine: schedules are timed by fast or flow");
  subject->machine.tolerance = tutti_flavor_tolerance(chosen->engine);
  if (chosen->broken)
    break_links(chosen->broken, subject, (uint32_t)chosen->ranks);
  subject->request = (struct search_request){.machine = &subject->machine,
                                             .broken = &subject->broken,
                                             .places = tutti_platform_places(&subject->platform),
                                             .collective = chosen->collective,
                                             .ranks = (int)chosen->ranks,
                                             .root = (int)chosen->root,
                                             .count = chosen->size / chosen->type_size,
                                             .type_size = chosen->type_size,
                                             .seed = chosen->seed,
                                             .top = chosen->top,
                                             .budget = chosen->budget,
                                             .progress = chosen->quiet ? show_nothing : show_progress};
}

static void close_subject(struct subject *subject)
{
  tutti_search_free(&subject->result);
  free(subject->broken.links);
  tutti_machine_free(&subject->machine);
  tutti_platform_free(&subject->platform);
}

/* Of an alltoall of many ranks a run may be more than the budget: said before the work begins. */
static void note_budget(const struct search_request *request)
{
  const double run = tutti_search_run_work(request) / SEARCH_RATE;
  if (request->budget < 3 * run)
    tutti_say(stderr,
              "tutti: note: --budget %.3gs: a run of an alltoall of %d ranks is %.3g s of work, so methods of fewer "
              "messages alone are timed%s: all with --budget %.0fs\n",
              request->budget, request->ranks, run,
              request->budget < run ? ", no schedule is searched" : ", and few schedules", ceil(3 * run));
}

static int run(void *values)
{
  struct synthesize *chosen = values;
  struct subject subject = {.chosen = chosen};
  struct written written = {.path = NULL};
  int code = EXIT_DONE;
  open_subject(chosen, &subject);
  note_budget(&subject.request);
  const tutti_status status = tutti_search(&subject.request, &subject.result, &failure);
  patience_at(NULL, NAN);
  must(status);
  if (!tutti_search_is_better(&subject.result) && subject.result.best < 0)
    die("no schedule and no method was found within --budget %.3gs", chosen->budget);
  if (synthesize_keep(&subject, &written) == TUTTI_OK)
    synthesize_print(&subject, &written);
  else {
    complain(&failure);
    code = EXIT_FOUND;
  }
  free(written.path);
  close_subject(&subject);
  if (!chosen->sized)
    note_default("size", "1MB");
  if (!chosen->ranked)
    note_default("ranks", "16");
  return code;
}

DEFINE_COMMAND(synthesize, "synthesize", options, struct synthesize, run);
