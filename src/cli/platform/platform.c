/* tutti platform: show machines; write what smpirun needs to know of them. */
#include "cli/platform/platform.h"
#include "cli/output/output.h"
#include "harness/experiments/launch/launcher.h"
#include "tutti/algorithm.h"

/* ---- show ---- */

TUTTI_GETTER_FORMAT(get_hosts, tutti_platform, "%d, %s to %s", row->host_count, row->hosts[0],
                    row->hosts[row->host_count - 1])
TUTTI_GETTER(get_ranks, tutti_platform, (long)row->host_count * row->ranks_per_node)

/* A node may be several hosts. */
static void get_ranks_per_node(tutti_cell *cell, const void *row)
{
  const tutti_platform *platform = row;
  if (platform->hosts_per_node > 1)
    tutti_cell_format(cell, "%d, on %d hosts of %d: each stands for a network card",
                      platform->hosts_per_node * platform->ranks_per_node, platform->hosts_per_node,
                      platform->ranks_per_node);
  else
    tutti_cell_format(cell, "%d", platform->ranks_per_node);
}

static void get_nodes(tutti_cell *cell, const void *row)
{
  const tutti_platform *platform = row;
  if (platform->nodes && strlen(platform->nodes) < 400)
    tutti_cell_format(cell, "%s", platform->nodes);
}

TUTTI_GETTER(get_levels, tutti_platform, row->levels > 0 ? tutti_sides_format(row->levels, cell->buffer) : NULL)

static void get_copy_cost(tutti_cell *cell, const void *row)
{
  const tutti_platform *platform = row;
  if (platform->copy_cost != 1)
    tutti_cell_format(cell, "a byte takes as long as %g bytes to reduce", platform->copy_cost);
}

static void get_receive_gap(tutti_cell *cell, const void *row)
{
  const tutti_platform *platform = row;
  if (platform->receive_gap > 0)
    tutti_cell_format(cell, "a rank receives a message in %g us at most", 1e6 * platform->receive_gap);
}

static void get_first_touch(tutti_cell *cell, const void *row)
{
  const tutti_platform *platform = row;
  if (platform->first_touch > 0)
    tutti_cell_format(cell, "a byte of temporaries takes %g ns when it is touched first", 1e9 * platform->first_touch);
}

static void get_contention(tutti_cell *cell, const void *row)
{
  const tutti_contention *contention = TUTTI_FIELD_OF(row, cell->column);
  if (contention->messages > 0)
    tutti_cell_format(cell, "loses throughput with more than %d messages at a time; %g %% are left at least",
                      contention->messages, 100 * contention->floor);
}

TUTTI_GETTER(get_cables, tutti_platform,
             row->messages_a_cable == 1 ? "carry one message at a time, the oldest first" : NULL)

/* In microseconds, or nothing where actors cost nothing. */
static void get_cost(tutti_cell *cell, const void *row)
{
  const tutti_actor_cost *cost = &((const tutti_platform *)row)->actor_cost;
  if (cost->start + cost->send + cost->receive + cost->byte + cost->entry + cost->candidate > 0)
    tutti_cell_format(
        cell, "%g us to begin, %g us a message sent, %g us received, %g us a byte, %g us an entry, %g us a candidate",
        1e6 * cost->start, 1e6 * cost->send, 1e6 * cost->receive, 1e6 * cost->byte, 1e6 * cost->entry,
        1e6 * cost->candidate);
}

#define PUBLISHED(member, in)                                                                                          \
  TUTTI_FIELD(tutti_platform, published_##member), .scale = 1e6, .significant = 9, .suffix = " " in
#define COST(member) TUTTI_FIELD(tutti_platform, actor_cost.member), .digits = 6

static const tutti_column show_facts[] = {
    {"name", "name", TUTTI_FIELD(tutti_platform, name)},
    {"file", "file", TUTTI_FIELD(tutti_platform, path)},
    {"description", "description", TUTTI_FIELD(tutti_platform, description)},
    {"hosts", NULL, .get = get_hosts},
    {NULL, "hosts", TUTTI_FIELD(tutti_platform, host_count)},
    {"ranks per node", NULL, .get = get_ranks_per_node},
    {NULL, "ranks_per_node", TUTTI_FIELD(tutti_platform, ranks_per_node)},
    {NULL, "hosts_per_node", TUTTI_FIELD(tutti_platform, hosts_per_node)},
    {"nodes", NULL, .get = get_nodes},
    {NULL, "nodes", TUTTI_FIELD(tutti_platform, nodes)},
    {"levels", "levels", .get = get_levels},
    {"room for ranks", NULL, .get = get_ranks},
    {"published alpha", "published_alpha_s", PUBLISHED(alpha, "us")},
    {"published beta", "published_beta_s_per_B", PUBLISHED(beta, "us/B")},
    {"published L", "published_L_s", PUBLISHED(L, "us")},
    {"published o", "published_o_s", PUBLISHED(o, "us")},
    {"published g", "published_g_s", PUBLISHED(g, "us")},
    {"published G", "published_G_s_per_B", PUBLISHED(G, "us/B")},
    {"published gamma", "published_gamma_s_per_B", PUBLISHED(gamma, "us/B")},
    {"copying", NULL, .get = get_copy_cost},
    {NULL, "copy_cost", TUTTI_FIELD(tutti_platform, copy_cost)},
    {"receiving", NULL, .get = get_receive_gap},
    {NULL, "receive_gap_s", TUTTI_FIELD(tutti_platform, receive_gap)},
    {"temporaries", NULL, .get = get_first_touch},
    {NULL, "first_touch_s_per_B", TUTTI_FIELD(tutti_platform, first_touch)},
    {"backbone", NULL, .get = get_contention, .at = offsetof(tutti_platform, backbone_contention)},
    {NULL, "backbone_contention.messages", TUTTI_FIELD(tutti_platform, backbone_contention.messages)},
    {NULL, "backbone_contention.floor_share", TUTTI_FIELD(tutti_platform, backbone_contention.floor)},
    {"ports", NULL, .get = get_contention, .at = offsetof(tutti_platform, port_contention)},
    {NULL, "port_contention.messages", TUTTI_FIELD(tutti_platform, port_contention.messages)},
    {NULL, "port_contention.floor_share", TUTTI_FIELD(tutti_platform, port_contention.floor)},
    {"cables", NULL, .get = get_cables},
    {NULL, "messages_a_cable", TUTTI_FIELD(tutti_platform, messages_a_cable)},
    {"actors", NULL, .get = get_cost},
    {"source", "source", TUTTI_FIELD(tutti_platform, source)},
    {"SHA-256", "sha256", TUTTI_FIELD(tutti_platform, hash)},
    {NULL, "actor_cost.start_s", COST(start)},
    {NULL, "actor_cost.send_s", COST(send)},
    {NULL, "actor_cost.receive_s", COST(receive)},
    {NULL, "actor_cost.byte_s", COST(byte)},
    {NULL, "actor_cost.entry_s", COST(entry)},
};

/* One line for each fact; facts that are not known are left out. */
static void print_facts(const tutti_platform *platform)
{
  tutti_cell cell;
  char buffer[TUTTI_CELL_LENGTH];
  for (const tutti_column *fact = show_facts; fact < show_facts + sizeof show_facts / sizeof *show_facts; fact++) {
    if (!fact->heading)
      continue;
    tutti_cell_get(&cell, fact, platform);
    if (cell.type != TUTTI_CELL_NONE)
      tutti_print_folded(stdout, tutti_say(stdout, "%-15s ", fact->heading), tutti_cell_show(&cell, fact, buffer));
  }
}

static int run_show(void *values)
{
  const struct platform_options *chosen = values;
  tutti_platform platform;
  must(platform_load(chosen->name, &platform, &failure));
  if (chosen->format == TUTTI_FORMAT_TEXT)
    print_facts(&platform);
  else
    must(tutti_document_print(&(tutti_document){TUTTI_FACTS(show_facts, &platform)}, chosen->format, stdout, &failure));
  tutti_platform_free(&platform);
  return EXIT_DONE;
}

static const struct option_row show_options[] = {JSON_ROW, OPTION_FORMAT(struct platform_options, format), PLATFORM_ROW,
                                                 OPTION_END};

DEFINE_COMMAND(platform_show, "show", show_options, struct platform_options, run_show);

/* ---- hostfile ---- */

static int run_hostfile(void *values)
{
  const struct platform_options *chosen = values;
  struct tutti_output output;
  tutti_platform platform;
  must(platform_load(chosen->name, &platform, &failure));
  platform_spread(&platform, chosen->ranks_per_node);
  output_begin(chosen->output, &output);
  must(tutti_platform_write_hostfile(&platform, chosen->ranks, output.stream, &failure));
  output_end(&output);
  tutti_platform_free(&platform);
  return EXIT_DONE;
}

static const struct option_row hostfile_options[] = {
    OPTION_NUMBER("ranks", "N", struct platform_options, ranks, "number of ranks", .letter = 'P', .min = 1,
                  .aliases = "n"),
    OPTION_NUMBER("ranks-per-node", "N", struct platform_options, ranks_per_node, "ranks on a node", .min = 1,
                  .otherwise = "as many as it has"),
    OPTION_OUTPUT(struct platform_options, output),
    PLATFORM_ROW,
    OPTION_REQUIRED("ranks", "for how many ranks? --ranks N"),
    OPTION_END};

DEFINE_COMMAND(platform_hostfile, "hostfile", hostfile_options, struct platform_options, run_hostfile);

/* ---- options ---- */

struct option_item {
  const char *option;
};

static const tutti_column option_columns[] = {
    {"option", "option", TUTTI_FIELD(struct option_item, option), .whole = true}};

static int run_options(void *values)
{
  const struct platform_options *chosen = values;
  tutti_platform platform;
  struct option_item items[TUTTI_OVERHEADS];
  tutti_platform_options options = {.count = 0};
  must(platform_load(chosen->name, &platform, &failure));
  char *smpirun = tutti_launcher_find("smpi", &failure);
  must(smpirun ? tutti_launcher_platform_options(smpirun, &platform, &options, &failure) : TUTTI_ERR_LAUNCH);
  free(smpirun);
  for (int i = 0; i < options.count; i++)
    items[i].option = options.items[i];
  const tutti_table table = {TUTTI_COLUMNS(option_columns), TUTTI_ROWS(items, options.count), .bare = true};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, chosen->format, stdout, &failure));
  tutti_platform_free(&platform);
  return EXIT_DONE;
}

static const struct option_row options_options[] = {OPTION_FORMAT(struct platform_options, format), PLATFORM_ROW,
                                                    OPTION_END};

DEFINE_COMMAND(platform_options, "options", options_options, struct platform_options, run_options);

static const struct command *const verbs[] = {&command_platform_list,
                                              &command_platform_show,
                                              &command_platform_check,
                                              &command_platform_new,
                                              &command_platform_hostfile,
                                              &command_platform_options,
                                              NULL};

DEFINE_COMMAND(platform, "platform", NULL, char, NULL, .verbs = verbs);
