/* What is gained at each of the calls of a profile. */
#include "cli/advise/advise.h"
#include "cli/options/comparisons.h"

/* The rules of the library of this flavor, as those of the newest release that we know; NULL: nobody knows them. */
static const char *rules_of(const char *flavor)
{
  const char *name, *found = NULL;
  char prefix[TUTTI_RECORD_WORD + 16];
  snprintf(prefix, sizeof prefix, "library:%s-", flavor);
  for (size_t i = 0; !found && (name = tutti_library_name(i)); i++)
    if (strncmp(name, prefix, strlen(prefix)) == 0 && !tutti_library_is_former(name))
      found = name;
  return found;
}

/* What decides for the calls that the library served itself; nothing where it has no rule for the collective. */
static tutti_status read_rules(const struct advise_options *options, const struct program_profile *profile,
                               tutti_collective collective, tutti_decision *rules, tutti_error *error)
{
  const char *name = options->untuned ? options->untuned : rules_of(profile->flavor);
  bool decides = false;
  *rules = (tutti_decision){.name = NULL};
  const tutti_status status = name ? decision_argument_read_for(name, collective, rules, &decides, error) : TUTTI_OK;
  if (!decides)
    *rules = (tutti_decision){.name = NULL};
  return status;
}

/* Where the times of a map are from. Of a real node, a simulated one may have several hosts, one for each card. */
static struct profile_layout layout_of(const struct selection_options *selection, const struct program_profile *profile,
                                       const struct measured_map *measured)
{
  struct profile_layout layout = {.ranks_per_node = measured->ranks_per_node,
                                  .simulated = tutti_flavor_is_simulated(measured->flavor)};
  tutti_platform platform;
  if (layout.simulated && !tutti_flavor_is_simulated(profile->flavor) &&
      platform_load(selection->platform_argument, &platform, NULL) == TUTTI_OK) {
    layout.ranks_per_node *= platform.hosts_per_node;
    tutti_platform_free(&platform);
  }
  return layout;
}

static void add_comparison(const struct selection_options *selection, const struct measured_map *measured,
                           struct notes *compared)
{
  char *note = comparisons_note(selection, measured);
  if (note)
    tutti_xpush(compared, note);
}

static tutti_status weigh_collective(const struct advise_options *options, const struct selection_options *selection,
                                     struct program_profile *profile, tutti_collective collective,
                                     struct notes *compared, tutti_error *error)
{
  struct measured_map measured;
  tutti_decision rules;
  tutti_status status = read_rules(options, profile, collective, &rules, error);
  if (status != TUTTI_OK)
    return status;
  status = selection_read_map(selection, collective, &measured, error);
  if (status == TUTTI_OK) {
    const struct profile_layout layout = layout_of(selection, profile, &measured);
    tutti_profile_weigh(profile, &measured.map, &rules, &layout);
    add_comparison(selection, &measured, compared);
    tutti_decision_map_free(&measured.map);
  }
  tutti_decision_free(&rules);
  return status;
}

void advise_weigh(const struct advise_options *options, struct program_profile *profile, struct notes *compared)
{
  tutti_error reason, first = {.status = TUTTI_OK};
  const unsigned judged = tutti_profile_judged(profile);
  struct selection_options selection = options->selection;
  struct advise_bench bench;
  unsigned weighed = 0;
  advise_bench_begin(profile, judged, &selection, &bench);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    if (!(judged & 1U << c))
      continue;
    const tutti_status status = weigh_collective(options, &selection, profile, (tutti_collective)c, compared, &reason);
    if (status == TUTTI_OK)
      weighed |= 1U << c;
    else if (status == TUTTI_ERR_ARGUMENT)
      profile->unmeasured |= 1U << c;
    if (status != TUTTI_OK && first.status == TUTTI_OK)
      first = reason;
    if (status != TUTTI_OK && status != TUTTI_ERR_ARGUMENT)
      break;
  }
  advise_bench_free(&bench);
  if (first.status == TUTTI_OK || (first.status == TUTTI_ERR_ARGUMENT && weighed))
    return;
  failure = first;
  must(first.status);
}
