/* Noise: its words, and when it strikes. Linked into the measuring programs. */
#include "tutti/noise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "decision/results/pattern.h"

/* ---- words ---- */

/* "5%/outliers=0.1%/by=4" */
static tutti_status take_spread(struct pattern_word *word, tutti_noise *noise, tutti_error *error)
{
  double percent = 0;
  tutti_status status = tutti_pattern_take_number(word, "", "%", &noise->spread, error);
  noise->spread /= 100;
  if (status == TUTTI_OK && strncmp(word->rest, "outliers=", strlen("outliers=")) == 0) {
    status = tutti_pattern_take_number(word, "outliers=", "%", &percent, error);
    noise->outliers = percent / 100;
    if (status == TUTTI_OK)
      status = tutti_pattern_take_number(word, "by=", "", &noise->by, error);
  }
  if (status == TUTTI_OK && (noise->spread > 1 || noise->outliers > 1))
    return tutti_pattern_complain(word, "no part is more than 100 %", error);
  return status == TUTTI_OK ? tutti_pattern_take_seed(word, &noise->seed, error) : status;
}

static tutti_status take_parts(struct pattern_word *word, tutti_noise *noise, tutti_error *error)
{
  bool detour = noise->kind == TUTTI_NOISE_DETOUR;
  tutti_status status = detour ? tutti_pattern_take_duration(word, "period", &noise->period, error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = tutti_pattern_take_duration(word, detour ? "duration" : "mean", &noise->duration, error);
  if (status == TUTTI_OK && detour && noise->duration >= noise->period)
    return tutti_pattern_complain(word, "a detour must be shorter than its period", error);
  return status == TUTTI_OK ? tutti_pattern_take_seed(word, &noise->seed, error) : status;
}

tutti_status tutti_noise_parse(const char *text, tutti_noise *noise, tutti_error *error)
{
  struct pattern_word word = {text, "noise", text};
  tutti_status status = TUTTI_OK;
  *noise = (tutti_noise){.kind = TUTTI_NOISE_NONE};
  if (tutti_pattern_take_name(&word, "detour"))
    noise->kind = TUTTI_NOISE_DETOUR;
  else if (tutti_pattern_take_name(&word, "exponential"))
    noise->kind = TUTTI_NOISE_EXPONENTIAL;
  else if (tutti_pattern_take_name(&word, "spread"))
    noise->kind = TUTTI_NOISE_SPREAD;
  else if (!tutti_pattern_take_name(&word, "none"))
    return tutti_pattern_unknown(&word, (const char *const[]){"none", "detour", "exponential", "spread"}, 4, error);
  if (noise->kind == TUTTI_NOISE_SPREAD)
    status = take_spread(&word, noise, error);
  else if (noise->kind != TUTTI_NOISE_NONE)
    status = take_parts(&word, noise, error);
  return status == TUTTI_OK ? tutti_pattern_end(&word, error) : status;
}

char *tutti_noise_format(const tutti_noise *noise, char text[TUTTI_NOISE_LENGTH])
{
  char period[DURATION_LENGTH], duration[DURATION_LENGTH];
  if (noise->kind == TUTTI_NOISE_DETOUR)
    snprintf(text, TUTTI_NOISE_LENGTH, "detour/%s/%s/seed=%" PRIu64,
             tutti_pattern_format_duration(noise->period, period),
             tutti_pattern_format_duration(noise->duration, duration), noise->seed);
  else if (noise->kind == TUTTI_NOISE_EXPONENTIAL)
    snprintf(text, TUTTI_NOISE_LENGTH, "exponential/%s/seed=%" PRIu64,
             tutti_pattern_format_duration(noise->duration, duration), noise->seed);
  else if (noise->kind == TUTTI_NOISE_SPREAD && noise->outliers > 0)
    snprintf(text, TUTTI_NOISE_LENGTH, "spread/%.5g%%/outliers=%.5g%%/by=%.5g/seed=%" PRIu64, 100 * noise->spread,
             100 * noise->outliers, noise->by, noise->seed);
  else if (noise->kind == TUTTI_NOISE_SPREAD)
    snprintf(text, TUTTI_NOISE_LENGTH, "spread/%.5g%%/seed=%" PRIu64, 100 * noise->spread, noise->seed);
  else
    snprintf(text, TUTTI_NOISE_LENGTH, "none");
  return text;
}

int tutti_noise_compare(const tutti_noise *left, const tutti_noise *right)
{
  if (left->kind != right->kind)
    return THREE_WAY(left->kind, right->kind);
  if (left->period != right->period)
    return THREE_WAY(left->period, right->period);
  if (left->duration != right->duration)
    return THREE_WAY(left->duration, right->duration);
  if (left->spread != right->spread)
    return THREE_WAY(left->spread, right->spread);
  if (left->outliers != right->outliers)
    return THREE_WAY(left->outliers, right->outliers);
  if (left->by != right->by)
    return THREE_WAY(left->by, right->by);
  return THREE_WAY(left->seed, right->seed);
}

/* ---- when it strikes ---- */

tutti_status tutti_noise_check(const tutti_noise *noise, const tutti_method *method, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH], text[TUTTI_NOISE_LENGTH];
  if (!tutti_noise_interrupts(noise) || !tutti_method_is_library(method))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "noise '%s': nothing can interrupt %s, which the MPI library runs",
                    tutti_noise_format(noise, text), tutti_method_format(method, name));
}

uint64_t tutti_noise_phase(const tutti_noise *noise, int rank)
{
  return (uint64_t)(pattern_draw_share(noise->seed, (uint64_t)rank) * (double)noise->period);
}

/* Nanoseconds since the last detour began. */
static uint64_t since_detour(const tutti_noise *noise, uint64_t phase, uint64_t now)
{
  return (now + noise->period - phase) % noise->period;
}

uint64_t tutti_noise_pause(const tutti_noise *noise, uint64_t phase, uint64_t now)
{
  uint64_t since = since_detour(noise, phase, now);
  return since < noise->duration ? noise->duration - since : 0;
}

/* Between two detours there are period - duration nanoseconds for work. */
uint64_t tutti_noise_finish(const tutti_noise *noise, uint64_t phase, uint64_t begin, uint64_t work)
{
  uint64_t since = since_detour(noise, phase, begin), free = noise->period - noise->duration;
  uint64_t left = noise->period - since; /* until the first detour begins */
  uint64_t detours = work <= left ? 0 : (work - left + free - 1) / free;
  return begin + work + detours * noise->duration;
}

uint64_t tutti_noise_jitter(const tutti_noise *noise, int rank, uint64_t index)
{
  double share = pattern_draw_share(pattern_draw(noise->seed, (uint64_t)rank), index);
  return (uint64_t)(-(double)noise->duration * log1p(-share));
}

/* ---- times that vary ---- */

/* FNV-1a: what is measured as a number. */
static uint64_t number_of(const char *text)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

double tutti_noise_factor(const tutti_noise *noise, const tutti_method *method, int ranks, int root, uint64_t bytes)
{
  enum { RADIUS, ANGLE, OUTLIER, DRAWS };
  char name[TUTTI_METHOD_LENGTH], text[TUTTI_METHOD_LENGTH + 64];
  double share[DRAWS];
  if (noise->kind != TUTTI_NOISE_SPREAD)
    return 1;
  snprintf(text, sizeof text, "%s %d %d %" PRIu64, tutti_method_format(method, name), ranks, root, bytes);
  for (int i = 0; i < DRAWS; i++)
    share[i] = pattern_draw_share(pattern_draw(noise->seed, number_of(text)), (uint64_t)i);
  /* Box, Muller 1958 */
  const double normal = sqrt(-2 * log1p(-share[RADIUS])) * cos(2 * M_PI * share[ANGLE]);
  return exp(noise->spread * normal) * (share[OUTLIER] < noise->outliers ? noise->by : 1);
}
