/* tutti platform new: the file of a machine that a few parameters describe. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/platform/platform.h"
#include "harness/platforms/platform_private.h"
#include "tutti/passed.h"

struct new_options {
  tutti_machine machine;
  const char *pingpong; /* NULL: latency and bandwidth are given */
  const char *from;     /* NULL: KIND and SHAPE say how nodes are connected */
  tutti_passed passed;
  bool latency_given, bandwidth_given, ranks_given, nics_given;
  const char *output; /* NULL: standard output */
};

static void set_defaults(void *values)
{
  struct new_options *chosen = values;
  chosen->machine = tutti_machine_default();
}

static void read_kind(void *member, const char *text)
{
  must(tutti_machine_kind_parse(text, member, &failure));
}

static void read_bandwidth(void *member, const char *text)
{
  must(tutti_platform_parse_bandwidth(text, member, &failure));
}

static void check(void *values)
{
  const struct new_options *chosen = values;
  if (chosen->pingpong && (chosen->latency_given || chosen->bandwidth_given))
    die("--pingpong gives the latency and the bandwidth: leave out --latency and --bandwidth");
  if (!chosen->pingpong && !(chosen->latency_given && (chosen->bandwidth_given || chosen->from)))
    die(chosen->from ? "--latency is missing, or --pingpong FILE"
                     : "--latency and --bandwidth are missing, or --pingpong FILE");
  if (!chosen->from && !chosen->machine.shape)
    die("KIND and SHAPE are missing, or --from FILE");
  if (!chosen->from && (chosen->passed.all || chosen->passed.strict))
    die("--verbose and --strict are for --from FILE");
  if (!isnan(chosen->machine.overhead) && !isnan(chosen->machine.hop_latency))
    die("--overhead and --hop-latency: the latency gives one from the other");
  if (chosen->machine.spines > 0 && chosen->machine.kind != TUTTI_MACHINE_DRAGONFLY_PLUS)
    die("--spines is for a dragonfly+");
  if (chosen->machine.global_cables > 1 && chosen->machine.kind < TUTTI_MACHINE_DRAGONFLY)
    die("--global-cables is for a dragonfly or dragonfly+");
  if (chosen->machine.local_cables > 1 && chosen->machine.kind != TUTTI_MACHINE_DRAGONFLY)
    die("--local-cables is for a dragonfly");
}

static const struct option_row options[] = {
    OPTION_BEGIN(set_defaults),
    OPTION_HEADING("Messages between two nodes:"),
    OPTION_TIME("latency", struct new_options, machine.latency,
                "half a round trip of no bytes between the two nearest nodes",
                OPTION_GIVEN(struct new_options, latency_given), .everyday = true),
    OPTION_PARSE("bandwidth", "RATE", struct new_options, machine.bandwidth, read_bandwidth,
                 "of a network card and of each cable, in one direction: 25GBps, 200Gbps",
                 OPTION_GIVEN(struct new_options, bandwidth_given), .everyday = true),
    OPTION_STRING(
        "pingpong", "FILE", struct new_options, pingpong,
        "fit both to a measured ping-pong: lines \"SIZE MICROSECONDS\" as of osu_latency, IMB's table, or the "
        "output of tutti-pingpong"),
    OPTION_TIME("hop-latency", struct new_options, machine.hop_latency,
                "of a cable with its switch; the rest of the latency is overhead of the sender",
                .otherwise = "100ns; of a cluster half the latency, without overhead"),
    OPTION_TIME(
        "overhead", struct new_options, machine.overhead,
        "instead of that: how long the sender of any message is busy, within a node, too; the rest of the latency "
        "is in the cables"),
    OPTION_HEADING("Nodes:"),
    OPTION_STRING("from", "FILE", struct new_options, from,
                  "nodes and switches of topology.conf or topology.yaml of Slurm, or of the output of ibnetdiscover; "
                  "ranks and network cards of a node of hwloc's XML"),
    OPTION_FLAG("strict", struct new_options, passed.strict, "a row of FILE that is not understood is an error"),
    OPTION_FLAG("verbose", struct new_options, passed.all, "show all rows that are passed over, not three of each kind",
                .aliases = "v"),
    OPTION_NUMBER("ranks-per-node", "N", struct new_options, machine.ranks_per_node, "ranks on a node", .min = 1,
                  .max = PLATFORM_MAX_HOSTS, .otherwise = "1, or as FILE says",
                  OPTION_GIVEN(struct new_options, ranks_given)),
    OPTION_NUMBER("nics", "N", struct new_options, machine.nics,
                  "network cards of a node; a message uses one of them, all messages together use all", .min = 1,
                  .max = 64, .otherwise = "1, or those of FILE", OPTION_GIVEN(struct new_options, nics_given)),
    OPTION_TIME("loopback-latency", struct new_options, machine.loopback_latency,
                "half a round trip of no bytes within a node", .otherwise = "100ns and the overhead"),
    OPTION_PARSE("loopback-bandwidth", "RATE", struct new_options, machine.loopback_bandwidth, read_bandwidth,
                 "of a message within a node", .otherwise = "10GBps, or that of a card"),
    OPTION_TIME("gamma", struct new_options, machine.gamma, "to reduce a byte", .otherwise = "0.1ns"),
    OPTION_HEADING("Switches:"),
    OPTION_NUMBER("global-cables", "N", struct new_options, machine.global_cables,
                  "between any two groups of a dragonfly or dragonfly+", .min = 1, .max = 65536, .otherwise = "1"),
    OPTION_NUMBER("local-cables", "N", struct new_options, machine.local_cables,
                  "between any two routers of a group of a dragonfly", .min = 1, .max = 65536, .otherwise = "1"),
    OPTION_STRING("links-broken", "LIST", struct new_options, machine.broken,
                  "of a torus: leave out the cables between these hosts, and route over the others: 0:1,n4:n5"),
    OPTION_NUMBER("spines", "N", struct new_options, machine.spines,
                  "of a group of a dragonfly+, to each of which a leaf has a cable", .min = 1, .max = 65536,
                  .otherwise = "as many as a leaf has cables to nodes"),
    OPTION_HEADING("The file:"),
    OPTION_STRING("description", "TEXT", struct new_options, machine.description, "one line for tutti platform list",
                  .otherwise = "kind and shape"),
    OPTION_STRING("source", "TEXT", struct new_options, machine.source, "where the numbers come from"),
    OPTION_OUTPUT(struct new_options, output),
    ARGUMENT_PARSE("KIND", struct new_options, machine.kind, read_kind, .optional = true),
    ARGUMENT_STRING("SHAPE", struct new_options, machine.shape, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

/* What the file makes of the latency is nowhere in it as such. */
static void print_made(const tutti_machine *asked, const tutti_machine_made *made)
{
  static const double SLOW = 0.7, SHARE = 0.2;
  double latency = asked->latency, shorter = SHARE * latency;
  if (*made->crowd.message)
    tutti_say(stderr, "tutti: warning: %s\n", made->crowd.message);
  if (asked->kind == TUTTI_MACHINE_DRAGONFLY && asked->nics > 1)
    tutti_say(
        stderr,
        "tutti: note: a node is %d hosts, one for each network card, with %d rank%s on each: messages between them go "
        "through the router; to algorithms of two levels they are one node of %d ranks\n",
        asked->nics, made->ranks, made->ranks == 1 ? "" : "s", asked->nics * made->ranks);
  if (made->ranks < 2)
    return;
  if (made->within_node <= SLOW * latency || made->overhead <= shorter || !isnan(asked->loopback_latency))
    tutti_say(stderr, "tutti: note: a message takes %.3g us within a node, %.3g us between the two nearest nodes\n",
              1e6 * made->within_node, 1e6 * latency);
  else
    tutti_say(
        stderr,
        "tutti: warning: a message takes %.3g us within a node, %.0f %% of the %.3g us between nodes, of which %.3g us "
        "are overhead of the sender, within a node, too: --overhead %.0fns would make it %.3g us, and cables longer\n",
        1e6 * made->within_node, 100 * made->within_node / latency, 1e6 * latency, 1e6 * made->overhead, 1e9 * shorter,
        1e6 * (made->within_node - made->overhead + shorter));
}

/* Two numbers do not describe a machine whose messages change with their size, by another protocol or through memory.
 */
static void print_fit(const char *path, const tutti_machine *machine, const tutti_machine_fit *fit)
{
  static const double FAR = 0.2;
  char size[24];
  const bool far = fabs(fit->error) > FAR;
  tutti_say(
      stderr, "tutti: %s: %s: %zu times are fit by %.3g us and %.3g GB/s; the largest error is %+.2g %%, at %s%s\n",
      far ? "warning" : "note", path, fit->sizes, 1e6 * machine->latency, 1e-9 * machine->bandwidth, 100 * fit->error,
      tutti_size_format(fit->bytes, size), far ? ": keep the lines of the sizes that matter" : "");
}

/* What the file says, but for what is given. */
static tutti_wiring *read_wiring(struct new_options *chosen)
{
  const tutti_machine given = chosen->machine;
  tutti_wiring *wiring;
  const tutti_status status = tutti_wiring_read(chosen->from, &chosen->passed, &wiring, &failure);
  tutti_passed_print(&chosen->passed, stderr, 2);
  must(status);
  tutti_error reason;
  if (tutti_wiring_describe(wiring, &chosen->machine, &reason) != TUTTI_OK)
    must(tutti_fail(&failure, reason.status, "%s: %s", chosen->from, reason.message));
  if (chosen->machine.wiring) {
    char *summary = tutti_wiring_summary(wiring);
    tutti_say(stderr, "tutti: note: %s: %s\n", chosen->from, summary);
    free(summary);
  }
  chosen->machine.ranks_per_node = chosen->ranks_given ? given.ranks_per_node : chosen->machine.ranks_per_node;
  chosen->machine.nics = chosen->nics_given ? given.nics : chosen->machine.nics;
  if (isnan(chosen->machine.bandwidth))
    die("--bandwidth is missing: %s has no rates of cables", chosen->from);
  return wiring;
}

static int run_new(void *values)
{
  struct new_options *chosen = values;
  tutti_wiring *wiring = NULL;
  struct tutti_output output;
  tutti_machine_made made;
  tutti_machine_fit fit;
  if (chosen->pingpong)
    must(tutti_machine_read_pingpong(chosen->pingpong, &chosen->machine, &fit, &failure));
  if (chosen->from)
    wiring = read_wiring(chosen);
  output_begin(chosen->output, &output);
  must(tutti_platform_new(&chosen->machine, output.stream, &made, &failure));
  output_end(&output);
  if (chosen->pingpong)
    print_fit(chosen->pingpong, &chosen->machine, &fit);
  print_made(&chosen->machine, &made);
  tutti_wiring_free(wiring);
  tutti_passed_free(&chosen->passed);
  return EXIT_DONE;
}

DEFINE_COMMAND(platform_new, "new", options, struct new_options, run_new);
