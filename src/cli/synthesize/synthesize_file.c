/* The file of tutti synthesize: what a file of MSCCL can have of the fastest schedules. */
#include <math.h>
#include <stdlib.h>

#include "algorithms/catalogue/msccl/load.h"
#include "base/numbers.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "cli/synthesize/synthesize.h"
#include "tutti/analysis.h"

enum { MAX_TRIED = 16 };

/* A file that takes so much longer than its schedule takes as long. */
#define AS_LONG 1.001

/* Schedules that were tried, and the one whose file is the fastest so far. */
struct keeping {
  struct subject *subject;
  struct written *written;
  tutti_method method;
  tutti_msccl_options form;
  tutti_error reason; /* why the first of those that no file can have has none */
  int tried;
  bool refused;
};

tutti_call synthesize_call(const struct subject *subject)
{
  return (tutti_call){.size = subject->request.ranks,
                      .root = subject->request.root,
                      .count = subject->request.count,
                      .type_size = subject->request.type_size,
                      .commutative = true};
}

static tutti_status write_file(const struct subject *subject, const tutti_method *method, tutti_msccl_options form,
                               tutti_error *cause)
{
  tutti_call call = synthesize_call(subject);
  struct tutti_text_stream text;
  if (method->algorithm->domain & TUTTI_NEEDS_UNIT)
    call.count = method->algorithm->unit;
  tutti_xopen_text(&text);
  const tutti_status status = tutti_export_msccl_as(method, &call, &form, text.stream, cause);
  char *written = tutti_xclose_text(&text);
  struct tutti_output output;
  if (status == TUTTI_OK) {
    output_begin(subject->path, &output);
    fwrite(written, 1, text.length, output.stream);
    output_end(&output);
  }
  free(written);
  return status;
}

static double time_of(const struct subject *subject, const tutti_algorithm *algorithm)
{
  const tutti_measurement point = {.method = tutti_method_default(algorithm),
                                   .scheme = TUTTI_SCHEME_WINDOW,
                                   .ranks = subject->request.ranks,
                                   .ranks_per_node = subject->machine.ranks_per_node,
                                   .root = subject->request.root,
                                   .count = subject->request.count,
                                   .type_size = subject->request.type_size};
  struct engine_start start = {.time = 0};
  double seconds;
  must(tutti_engine_measure(&subject->machine, &point, NULL, &start, &seconds, &failure));
  tutti_start_free(&start);
  return seconds;
}

/* Within the limits of the readers of MSCCL; where that has no file, or one that takes longer, also beyond them. */
static void try_schedule(struct keeping *k, const tutti_method *method, tutti_msccl_options form, double own,
                         bool found)
{
  double seconds = INFINITY;
  k->tried++;
  for (int pass = 0; pass < 2 && !(seconds <= AS_LONG * own); pass++) {
    const tutti_plugin *plugin;
    tutti_error cause;
    form.unlimited = pass > 0;
    const tutti_status status = write_file(k->subject, method, form, &cause);
    if (status != TUTTI_OK && status != TUTTI_ERR_UNSUPPORTED)
      must(tutti_fail(&failure, status, "%s: %s", k->subject->path, cause.message));
    if (status != TUTTI_OK) {
      k->reason = k->refused ? k->reason : cause;
      k->refused = true;
      continue;
    }
    must(tutti_msccl_load(k->subject->path, &plugin, &failure));
    seconds = time_of(k->subject, plugin->algorithms);
    tutti_msccl_unload(plugin);
    if (!(seconds < k->written->seconds))
      continue;
    *k->written =
        (struct written){.path = k->subject->path, .limited = !form.unlimited, .found = found, .seconds = seconds};
    k->written->of = *method;
    k->method = *method;
    k->form = form;
  }
}

/* The synthesis, whose sums are in order. */
static void try_found(struct keeping *k)
{
  struct synthesis *s = &k->subject->result.synthesis;
  const tutti_method method = tutti_synthesis_method(s);
  const tutti_msccl_options form = {
      .window = s->outstanding > 0 ? 1 : (int)s->window, .summed = true, .numbered = true};
  try_schedule(k, &method, form, k->subject->result.seconds, true);
}

/* From the fastest on, until no file of the others can be faster. Methods that take the same time often have the same
   schedule: one of them is tried. */
static void try_all(struct keeping *k)
{
  const struct search_result *result = &k->subject->result;
  bool found = isfinite(result->seconds);
  double last = NAN;
  for (size_t i = 0; k->tried < MAX_TRIED;) {
    const struct found_method *next = i < result->catalogue.count ? &result->catalogue.items[i] : NULL;
    const double seconds = next && !isnan(next->seconds) ? next->seconds : INFINITY;
    if (!(fmin(seconds, found ? result->seconds : INFINITY) * AS_LONG < k->written->seconds))
      break;
    if (found && result->seconds < seconds) {
      try_found(k);
      found = false;
      continue;
    }
    if (!(fabs(seconds - last) <= 1e-9 * seconds)) /* with all waits of the method */
      try_schedule(k, &next->method, (tutti_msccl_options){.waits = true, .numbered = true}, seconds, false);
    last = seconds;
    i++;
  }
}

static int compare_seconds(const void *left, const void *right)
{
  const struct found_method *a = left, *b = right;
  if (isnan(a->seconds) || isnan(b->seconds))
    return isnan(a->seconds) - isnan(b->seconds);
  return a->seconds != b->seconds ? THREE_WAY(a->seconds, b->seconds) : tutti_compare_methods(&a->method, &b->method);
}

tutti_status synthesize_keep(struct subject *subject, struct written *written)
{
  struct search_result *result = &subject->result;
  struct keeping k = {.subject = subject, .written = written};
  tutti_vector_sort(&result->catalogue, compare_seconds);
  result->best = result->best < 0 ? -1 : 0;
  *written = (struct written){.path = subject->path, .seconds = INFINITY};
  patience_at("file", NAN);
  try_all(&k);
  if (!isfinite(written->seconds))
    must(tutti_fail(&failure, TUTTI_ERR_UNSUPPORTED, "%s: %s", subject->path, k.reason.message));
  must(write_file(subject, &k.method, k.form, &failure));
  written->method = tutti_method_default(plugin_load_only(written->path));
  tutti_call call = synthesize_call(subject);
  call.count = written->method.algorithm->unit;
  patience_at("proof", NAN);
  const tutti_status status = tutti_verify_method(&written->method, &call, &failure);
  patience_at(NULL, NAN);
  return status;
}
