/* Whether lower bounds hold: random collectives, methods, ranks, sizes and roots on the machines of a folder, as they
   are and changed at random, simulated by the engine; no simulated time may be below its bound.

   usage: bench-bounds [POINTS [SEED [FOLDER]]]     default: 1000 1 platforms

   A line for each term: at how many points it was the bound, and the least and the mean of simulated times over it.
   Exit 1 if a bound is above a time; the point is printed. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/engine/machine/bounds.h"
#include "harness/engine/riders/measure.h"
#include "tutti/platform.h"

enum { MAX_PLATFORMS = 200, MAX_RANKS = 40, TRIES = 40 };

/* Bytes of all messages of an alltoall of the ranks: larger points take too long. */
static const double max_bytes = 64e6;

struct subject {
  struct engine_machine machine;
  tutti_places places;
  int hosts;
};

struct tally {
  struct subject subjects[MAX_PLATFORMS];
  int subject_count;
  uint64_t state;
  long points, above, by_term[TUTTI_TERMS];
  double least[TUTTI_TERMS], sum[TUTTI_TERMS];
};

static uint64_t draw(struct tally *t, uint64_t count)
{
  return tutti_splitmix64_next(&t->state) % count;
}

/* As likely in each power of two. */
static double draw_scale(struct tally *t, double low, double high)
{
  return low * pow(high / low, (double)draw(t, 1 << 20) / (1 << 20));
}

/* ---- machines ---- */

static void add_platform(struct tally *t, const char *folder, const char *name)
{
  char *path = tutti_xprintf("%s/%s", folder, name);
  struct subject *subject = &t->subjects[t->subject_count];
  tutti_platform platform;
  tutti_error error;
  const size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, ".xml") == 0 && t->subject_count < MAX_PLATFORMS &&
      tutti_machine_read(path, &subject->machine, &error) == TUTTI_OK) {
    if (tutti_platform_read(path, &platform, &error) == TUTTI_OK) {
      subject->places = tutti_platform_places(&platform);
      subject->hosts = platform.host_count;
      t->subject_count++;
      tutti_platform_free(&platform);
    }
  }
  free(path);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
  return strcmp((*left)->d_name, (*right)->d_name);
}

static void read_platforms(struct tally *t, const char *folder)
{
  struct dirent **entries;
  const int count = scandir(folder, &entries, NULL, by_name);
  for (int i = 0; i < count; i++) {
    add_platform(t, folder, entries[i]->d_name);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
  if (t->subject_count == 0) {
    fprintf(stderr, "bench-bounds: no platform file in %s\n", folder);
    exit(2);
  }
}

/* Factors and overheads by size; "": none. The texts are those of options of SMPI. */
static const char *const bandwidth_factors[] = {"0:1", "65472:0.94;15424:0.69;5776:1.087;257:0.338;0:0.812", "100:0.5"};
static const char *const latency_factors[] = {"0:1", "65472:11.6;1426:1.61;257:1.95;0:2.01", "1000:0.5;0:3"};
static const char *const overheads[] = {"0:0:0", "0:2e-6:0", "1:1e-6:1e-9;1000:5e-6:2e-10", "0:3e-7:0;500:1e-7:1e-10"};

enum { KINDS_OF_PIECES = 3 };

static void change_pieces(struct tally *t, struct pieces owned[KINDS_OF_PIECES], struct engine_machine *m)
{
  static const enum pieces_kind kinds[] = {PIECES_BANDWIDTH_FACTOR, PIECES_LATENCY_FACTOR, PIECES_OVERHEAD};
  const char *const texts[] = {bandwidth_factors[draw(t, 3)], latency_factors[draw(t, 3)], overheads[draw(t, 4)]};
  struct pieces *const members[] = {&m->bandwidth_factor, &m->latency_factor, &m->send_overhead};
  for (int i = 0; i < KINDS_OF_PIECES; i++) {
    if (tutti_pieces_read(texts[i], kinds[i], &owned[i], NULL) == TUTTI_OK)
      *members[i] = owned[i];
  }
}

static void change(struct tally *t, struct pieces owned[KINDS_OF_PIECES], struct engine_machine *m)
{
  static const uint64_t thresholds[] = {0, 100, 5000, 65536};
  if (draw(t, 4) == 0)
    return;
  for (int k = 0; k < m->network.kind_count && !m->network.zones; k++) {
    m->network.kinds[k].link.latency *= draw_scale(t, 0.05, 20);
    m->network.kinds[k].link.bandwidth *= draw_scale(t, 0.05, 5);
  }
  if (draw(t, 2))
    change_pieces(t, owned, m);
  m->processor.speed *= draw_scale(t, 0.1, 10);
  m->detached = thresholds[draw(t, 4)];
  m->small = draw(t, 2) ? m->detached : 0;
  m->network.crosstraffic = draw(t, 4) == 0;
  m->tolerance = draw(t, 4) == 0 ? 0.01 : 0; /* --engine flow */
  if (draw(t, 3) == 0 && !m->network.zones) {
    m->one_flow_a_link = !m->one_flow_a_link;
    m->ranks_per_node = m->one_flow_a_link ? 1 : 1 + (int)draw(t, 4);
  }
}

/* ---- points ---- */

static void draw_method(struct tally *t, const struct subject *subject, tutti_measurement *point)
{
  tutti_method *method = &point->method;
  *method = tutti_method_default(tutti_algorithm_at(draw(t, tutti_algorithm_count())));
  const unsigned takes = method->algorithm->parameters;
  if ((takes & TUTTI_TAKES_SEGMENT) && draw(t, 2))
    method->parameters.segment_bytes = (uint64_t)draw_scale(t, 64, 65536);
  if ((takes & TUTTI_TAKES_K) && !(takes & TUTTI_K_IS_SIDES) && draw(t, 2))
    method->parameters.k = method->algorithm->min_k + (int)draw(t, 6);
  tutti_method_tell(method, &subject->places, point->ranks);
}

/* False: no call of the method. */
static bool draw_point(struct tally *t, const struct subject *subject, const struct engine_machine *m,
                       tutti_measurement *point)
{
  const int room = subject->hosts * m->ranks_per_node, most = room < MAX_RANKS ? room : MAX_RANKS;
  *point = (tutti_measurement){.scheme = draw(t, 3) ? TUTTI_SCHEME_WINDOW : TUTTI_SCHEME_OCC,
                               .ranks = 2 + (int)draw(t, (uint64_t)(most > 2 ? most - 1 : 1)),
                               .ranks_per_node = m->ranks_per_node,
                               .launch = (int)draw(t, 3)};
  draw_method(t, subject, point);
  const tutti_collective collective = point->method.algorithm->collective;
  const unsigned traits = tutti_collective_traits(collective);
  point->type_size = traits & TUTTI_REDUCES ? 8 : 1;
  const double bytes = fmin(draw_scale(t, 1, 4e6), max_bytes / (point->ranks * point->ranks));
  point->count = collective == TUTTI_COLL_BARRIER ? 0 : (uint64_t)ceil(bytes / (double)point->type_size);
  point->root = traits & TUTTI_HAS_ROOT ? (int)draw(t, (uint64_t)point->ranks) : 0;
  if (point->method.parameters.segment_bytes && bytes / (double)point->method.parameters.segment_bytes > 500)
    point->method.parameters.segment_bytes = 0;
  const tutti_call call = {.size = point->ranks,
                           .root = point->root,
                           .count = point->count,
                           .type_size = point->type_size,
                           .commutative = true};
  return point->ranks <= room && !tutti_method_is_library(&point->method) &&
         tutti_method_check(&point->method, &call, NULL) == TUTTI_OK;
}

static void count(struct tally *t, const struct engine_machine *m, const tutti_measurement *point,
                  const tutti_certificate *certificate, double seconds)
{
  char name[TUTTI_METHOD_LENGTH];
  const tutti_term term = certificate->binding;
  const double ratio = certificate->seconds > 0 ? seconds / certificate->seconds : INFINITY;
  t->points++;
  t->by_term[term]++;
  t->least[term] = fmin(t->least[term], ratio);
  t->sum[term] += isfinite(ratio) ? ratio : 0;
  if (certificate->seconds <= fmax(seconds, 0)) /* 0 claims nothing; times of the scheme occ may be less */
    return;
  t->above++;
  printf("%s, %s, %d ranks, %d a node, root %d, %llu B: %s took %.9g us, and its bound by %s is %.9g us\n", m->platform,
         tutti_scheme_name(point->scheme), point->ranks, m->ranks_per_node, point->root,
         (unsigned long long)(point->count * point->type_size), tutti_method_format(&point->method, name),
         1e6 * seconds, tutti_term_name(term), 1e6 * certificate->seconds);
}

static bool simulate(const struct engine_machine *m, const tutti_measurement *point, double *seconds,
                     struct machine_bounds *bounds)
{
  struct engine_start start = {0};
  tutti_status status = tutti_engine_measure(m, point, NULL, &start, seconds, NULL);
  if (status == TUTTI_OK)
    status = tutti_machine_bounds_find(m, point->ranks, point->root, bounds, NULL);
  if (status == TUTTI_OK && point->scheme == TUTTI_SCHEME_OCC)
    status = tutti_machine_bounds_occ(bounds, point->launch, NULL);
  tutti_start_free(&start);
  return status == TUTTI_OK;
}

static void try_point(struct tally *t)
{
  const struct subject *subject = &t->subjects[draw(t, (uint64_t)t->subject_count)];
  struct pieces owned[KINDS_OF_PIECES] = {{0}};
  struct engine_machine m = subject->machine;
  struct machine_bounds bounds = {0};
  tutti_measurement point;
  double seconds = 0;
  bool drawn = false;
  change(t, owned, &m);
  for (int i = 0; i < TRIES && !drawn; i++)
    drawn = draw_point(t, subject, &m, &point);
  if (drawn && simulate(&m, &point, &seconds, &bounds)) {
    const tutti_certificate certificate =
        tutti_machine_certify(&bounds, point.method.algorithm->collective, point.count * point.type_size);
    count(t, &m, &point, &certificate, seconds);
  }
  tutti_machine_bounds_free(&bounds);
  for (int i = 0; i < KINDS_OF_PIECES; i++)
    tutti_pieces_free(&owned[i]);
}

int main(int argc, char **argv)
{
  static struct tally t;
  const long points = argc > 1 ? atol(argv[1]) : 1000;
  t.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  read_platforms(&t, argc > 3 ? argv[3] : "platforms");
  for (int i = 0; i < TUTTI_TERMS; i++)
    t.least[i] = INFINITY;
  for (long tried = 0; t.points < points && tried < 20 * points; tried++)
    try_point(&t);
  printf("%-12s %8s %10s %10s\n", "bound", "points", "least", "mean");
  for (int i = 0; i < TUTTI_TERMS; i++)
    if (t.by_term[i] > 0)
      printf("%-12s %8ld %10.6f %10.3f\n", tutti_term_name((tutti_term)i), t.by_term[i], t.least[i],
             t.sum[i] / (double)t.by_term[i]);
  printf("%ld points on %d machines: %ld bounds above the simulated time\n", t.points, t.subject_count, t.above);
  for (int i = 0; i < t.subject_count; i++)
    tutti_machine_free(&t.subjects[i].machine);
  return t.above > 0 || t.points < points;
}
