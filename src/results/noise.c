/* Noise: its words, and when it strikes. Linked into the measuring programs. */
#include "tutti/noise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/numbers.h"
#include "results/pattern.h"

/* ---- words ---- */

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
  else if (!tutti_pattern_take_name(&word, "none"))
    return tutti_pattern_unknown(&word, (const char *const[]){"none", "detour", "exponential"}, 3, error);
  if (noise->kind != TUTTI_NOISE_NONE)
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
  return THREE_WAY(left->seed, right->seed);
}

/* ---- when it strikes ---- */

tutti_status tutti_noise_check(const tutti_noise *noise, const tutti_method *method, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH], text[TUTTI_NOISE_LENGTH];
  if (noise->kind == TUTTI_NOISE_NONE || !tutti_method_is_library(method))
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
