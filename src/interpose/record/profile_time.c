/* Which calls are timed, which are samples of arrivals, and the estimates of the time of calls that were not timed. */
#include <math.h>

#include "base/splitmix64.h"
#include "interpose/record/profile.h"
#include "interpose/serve/communicator.h"
#include "interpose/serve/serve.h"

enum { DENSE = 32 };

double tutti_profile_probability(uint32_t index)
{
  return index <= DENSE ? 1 : (double)DENSE / index;
}

/* ---- which calls are timed ---- */

enum { MATURE = 64, EVERY = 16 };
static const double SHORT = 2e-6; /* seconds */

/* With tutti_profile_probability(), without a division. */
static bool is_sample(uint32_t index, uint64_t hash)
{
  return (double)(hash >> 11) * index < DENSE * 0x1p53;
}

/* Whether the collective with that number on the communicator will be a sample of arrivals. */
static bool takes_sample(const struct profile *profile, const struct profile_communicator *communicator, uint32_t index,
                         uint64_t hash)
{
  return communicator->id != 0 && profile->sample_count < profile->sample_max && is_sample(index, hash);
}

/* The longest call may be the first one, or an interruption. */
static bool is_short(const struct profile_row *row)
{
  const uint64_t timed = row->seen.calls - row->seen.skipped;
  return timed >= MATURE && row->seen.total - row->seen.most < SHORT * (double)(timed - 1);
}

static bool is_drawn(uint64_t hash)
{
  return hash % EVERY == 0;
}

bool tutti_profile_skip(struct profile *profile, struct profile_communicator *communicator, struct profile_row *row,
                        struct tick_clock *clock)
{
  const uint32_t index = communicator->calls + 1;
  const uint64_t hash = tutti_splitmix64(index);
  if (!is_short(row) || is_drawn(hash) || takes_sample(profile, communicator, index, hash))
    return false;
  communicator->calls = index;
  row->seen.calls++;
  row->seen.skipped++;
  if (profile->fresh) {
    row->seen.followed++;
    row->seen.between += fmax(0, tutti_tick_clock_now(clock) - profile->ended);
    profile->fresh = false;
  }
  return true;
}

/* A few long calls are a poor sample of many. But all calls, and the time between them, are the time that passed. */
void tutti_profile_set_scale(struct profile *profile)
{
  double known = 0, estimated = 0;
  for (uint32_t r = 0; r < profile->row_count; r++) {
    const struct profile_row *row = &profile->rows[r];
    known += row->seen.total + row->seen.between;
    estimated += tutti_profile_estimate_total(&row->seen) + tutti_profile_estimate_between(&row->seen);
  }
  const double rest = fmax(0, profile->ended - profile->begun - known);
  profile->scale = estimated > 0 ? rest / estimated : 0;
}

/* ---- calls ---- */

void tutti_profile_add_time(struct profile *profile, const struct call *call, struct profile_row *row, double end)
{
  struct profile_communicator *communicator = &call->communicator->profile;
  const double seconds = end - call->start;
  const uint32_t index = ++communicator->calls;
  const uint64_t hash = tutti_splitmix64(index);
  if (is_short(row) && is_drawn(hash)) {
    row->seen.drawn++;
    row->seen.drawn_total += seconds;
  }
  row->seen.calls++;
  row->seen.total += seconds;
  row->seen.least = fmin(row->seen.least, seconds);
  row->seen.most = fmax(row->seen.most, seconds);
  if (profile->fresh) {
    row->seen.followed++;
    row->seen.between += fmax(0, call->start - profile->ended);
  }
  if (takes_sample(profile, communicator, index, hash))
    profile->samples[profile->sample_count++] = (struct profile_sample){.communicator = communicator->id,
                                                                        .index = index,
                                                                        .size = call->communicator->view.size,
                                                                        .row = (uint64_t)(row - profile->rows),
                                                                        .seen = 1,
                                                                        .first_time = call->start};
}
