/* tutti schedule --platform: what a method puts on the links of a machine, by level. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/schedule/schedule.h"
#include "harness/engine/machine/loads.h"

static const tutti_column columns[] = {
    {"links", "level", TUTTI_FIELD(struct schedule_link_row, level)},
    {"messages", "messages", TUTTI_FIELD(struct schedule_link_row, messages), .digits = 17},
    {"bytes over all", "sent_B", TUTTI_FIELD(struct schedule_link_row, bytes), .digits = 17},
    {"over one at most", "max_link_B", TUTTI_FIELD(struct schedule_link_row, largest), .digits = 17},
};

tutti_table schedule_links_table(const struct schedule_links *links)
{
  return (tutti_table){.key = "link_levels", TUTTI_COLUMNS(columns), TUTTI_ROWS(links->rows, links->count)};
}

/* Ranks of a node may share memory: no link is loaded. */
static void keep(const struct link_loads *loads, struct schedule_links *links)
{
  links->count = loads->count;
  for (int i = 0; i < loads->count; i++) {
    const struct load_level *level = &loads->levels[i];
    links->rows[i] = (struct schedule_link_row){.messages = (double)level->messages,
                                                .bytes = (double)level->bytes,
                                                .largest = i == 0 ? NAN : (double)level->largest};
    snprintf(links->names[i], sizeof links->names[i], "%s", level->name);
    links->rows[i].level = links->names[i];
  }
}

/* More ranks than there is room for are refused where they are placed, with that reason. */
static int with_room(const tutti_platform *platform, int ranks)
{
  return ranks > (int64_t)platform->host_count * platform->ranks_per_node ? 0 : ranks;
}

void schedule_links_tell(const char *platform_name, int ranks, tutti_method *method)
{
  tutti_platform platform;
  must(platform_load(platform_name, &platform, &failure));
  must(tutti_platform_accept(&platform, with_room(&platform, ranks), stderr, &failure));
  const tutti_places places = tutti_platform_places(&platform);
  tutti_method_tell(method, &places, ranks);
  tutti_platform_free(&platform);
}

tutti_status schedule_links_count(const char *platform_name, const tutti_method *method, const tutti_call *call,
                                  struct schedule_links *links, tutti_error *error)
{
  tutti_platform platform;
  struct engine_machine machine;
  struct link_loads loads;
  tutti_status status = platform_load(platform_name, &platform, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_machine_read(platform.path, &machine, error);
  tutti_platform_free(&platform);
  if (status != TUTTI_OK)
    return status;
  status = tutti_link_loads(&machine, method, call, &loads, error);
  tutti_machine_free(&machine);
  if (status == TUTTI_OK)
    keep(&loads, links);
  return status;
}
