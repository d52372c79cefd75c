/* tutti platform show. */
#include <stdio.h>

#include "cli/options/common.h"
#include "cli/platform/platform.h"

struct show {
  const char *name;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_SET("json", struct show, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j"),
    OPTION_FORMAT(struct show, format), ARGUMENT_STRING("PLATFORM", struct show, name), OPTION_END};

static void get_hosts(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_platform *platform = row;
  (void)column;
  tutti_cell_format(cell, "%d, %s to %s", platform->host_count, platform->hosts[0],
                    platform->hosts[platform->host_count - 1]);
}

static void get_room(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_platform *platform = row;
  (void)column;
  cell->type = TUTTI_CELL_INTEGER;
  cell->integer = (long)platform->host_count * platform->ranks_per_node;
}

/* In microseconds, or nothing where actors cost nothing. */
static void get_cost(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_actor_cost *cost = &((const tutti_platform *)row)->actor_cost;
  (void)column;
  if (cost->start + cost->send + cost->receive + cost->byte + cost->entry > 0)
    tutti_cell_format(cell, "%g us to begin, %g us a message sent, %g us received, %g us a byte, %g us an entry",
                      1e6 * cost->start, 1e6 * cost->send, 1e6 * cost->receive, 1e6 * cost->byte, 1e6 * cost->entry);
}

#define PUBLISHED(heading, key, member, in)                                                                            \
  {                                                                                                                    \
    "published " heading, "published_" key, TUTTI_FIELD(tutti_platform, member), .scale = 1e6, .significant = 9,       \
                                                                                 .suffix = " " in                      \
  }
#define COST(member)                                                                                                   \
  {                                                                                                                    \
    NULL, "actor_cost." #member "_s", TUTTI_FIELD(tutti_platform, actor_cost.member), .digits = 6                      \
  }

static const tutti_column facts[] = {
    {"name", "name", TUTTI_FIELD(tutti_platform, name)},
    {"file", "file", TUTTI_FIELD(tutti_platform, path)},
    {"description", "description", TUTTI_FIELD(tutti_platform, description)},
    {"hosts", NULL, .get = get_hosts},
    {NULL, "hosts", TUTTI_FIELD(tutti_platform, host_count)},
    {"ranks per node", "ranks_per_node", TUTTI_FIELD(tutti_platform, ranks_per_node)},
    {"room for ranks", NULL, .get = get_room},
    PUBLISHED("alpha", "alpha_s", published_alpha, "us"),
    PUBLISHED("beta", "beta_s_per_B", published_beta, "us/B"),
    PUBLISHED("L", "L_s", published_L, "us"),
    PUBLISHED("o", "o_s", published_o, "us"),
    PUBLISHED("g", "g_s", published_g, "us"),
    PUBLISHED("G", "G_s_per_B", published_G, "us/B"),
    PUBLISHED("gamma", "gamma_s_per_B", published_gamma, "us/B"),
    {"actors", NULL, .get = get_cost},
    {"source", "source", TUTTI_FIELD(tutti_platform, source)},
    {"SHA-256", "sha256", TUTTI_FIELD(tutti_platform, hash)},
    COST(start),
    COST(send),
    COST(receive),
    COST(byte),
    COST(entry),
};

/* A line each; what is not known is left out. */
static void print_text(const tutti_platform *platform)
{
  tutti_cell cell;
  char buffer[TUTTI_CELL_LENGTH];
  for (const tutti_column *fact = facts; fact < facts + sizeof facts / sizeof *facts; fact++) {
    if (!fact->heading)
      continue;
    tutti_cell_get(&cell, fact, platform);
    if (cell.type != TUTTI_CELL_NONE)
      printf("%-16s %s\n", fact->heading, tutti_cell_show(&cell, fact, buffer));
  }
}

static int run(void *values)
{
  const struct show *show = values;
  tutti_platform platform;
  tutti_error error;
  if (platform_load(show->name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  tutti_status status = TUTTI_OK;
  if (show->format == TUTTI_FORMAT_TEXT)
    print_text(&platform);
  else
    status = tutti_document_print(&(tutti_document){TUTTI_FACTS(facts, &platform)}, show->format, stdout, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command platform_show = {
    .name = "show",
    .help = "Show the properties of a platform file: hosts, published parameters, source.",
    .options = options,
    .size = sizeof(struct show),
    .run = run,
};
