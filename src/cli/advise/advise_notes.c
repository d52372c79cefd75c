/* Why the program may gain less, or more, than the interval says. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/advise/advise.h"

/* What the times have in the place of the ranks on a node that were recorded, and how these are had. "" where both are
   the same, and only some communicators have other nodes. */
static char *other_layout(const struct advise_options *options, const struct program_profile *profile)
{
  const int ranks = profile->ranks_per_node, others = profile->elsewhere.ranks_per_node;
  if (ranks == others)
    return tutti_xstrdup("");
  const char *given = options->selection.platform_argument;
  char *platform = tutti_xshell_word(given ? given : options->selection.platform);
  char *how = profile->elsewhere.simulated
                  ? tutti_xprintf("tutti whatif %s --set loopback-latency=TIME --set loopback-bandwidth=RATE "
                                  "--set ranks_per_node=%d -o FILE.xml writes a platform of the recorded layout",
                                  platform, ranks)
                  : tutti_xprintf("tutti bench with %d ranks a node measures the recorded layout", ranks);
  char *note = tutti_xprintf(" The program ran with %d rank%s a node, and the times are of %d a node: %s.", ranks,
                             tutti_plural((uint64_t)ranks), others, how);
  free(how);
  free(platform);
  return note;
}

static char *note_layout(const struct advise_options *options, const struct program_profile *profile)
{
  const struct profile_layout *times = &profile->elsewhere;
  const struct profile_calls *calls = times->calls;
  char *other = other_layout(options, profile);
  char *note = tutti_xprintf("calls were recorded on other nodes than the times on %s are of: %s of %d ranks on %d "
                             "node%s, and here on %d. The interval does not include that.%s",
                             options->selection.platform, tutti_collective_name(calls->collective), calls->ranks,
                             calls->nodes, tutti_plural((uint64_t)calls->nodes),
                             (calls->ranks + times->ranks_per_node - 1) / times->ranks_per_node, other);
  free(other);
  return note;
}

static char *note_turns(const struct program_profile *profile)
{
  return tutti_xprintf(
      "%d ranks took turns on the %d processor%s of a node, so a part of the time in calls was waiting "
      "for a processor. No time of a method explains that, and the gain may not be there. Record with "
      "at most %d rank%s a node.",
      profile->ranks_per_node, profile->cores, tutti_plural((uint64_t)profile->cores), profile->cores,
      tutti_plural((uint64_t)profile->cores));
}

struct notes advise_make_notes(const struct advise_options *options, const struct program_profile *profile)
{
  struct notes notes = {.count = 0};
  if (profile->elsewhere.calls)
    tutti_xpush(&notes, note_layout(options, profile));
  if (profile->cores > 0 && profile->ranks_per_node > profile->cores)
    tutti_xpush(&notes, note_turns(profile));
  return notes;
}
