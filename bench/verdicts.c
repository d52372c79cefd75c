/* How far the verdicts of tutti compare can be trusted, on noise that was measured: the share of comparisons of the
   same with itself that call any point slower or faster, and of planted slow-downs the share that is found.

   usage: bench-verdicts [REPETITIONS [ROUNDS [SEED]]] <pairs

   A line of the pairs is POINT ROUND BEFORE AFTER: two launches of the same, in seconds, as the control of a comparison
   has left them in the store:

     sqlite3 -separator ' ' results.db "SELECT collective || '/' || ranks || '/' || size_B, round, before_median_s,
       after_median_s FROM comparison WHERE before = after" | build/bench-verdicts 20

   A simulated round is a measured one, drawn with replacement and the same for all points, so that what a launch does
   to all of them stays together; which of its launches is BEFORE is drawn, too. So nothing differs but what is planted:
   AFTER of every fifth point takes longer by 0, 5, 10 or 20 %. Default: 20 repetitions, as many rounds as were
   measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "decision/results/verdict.h"

enum { PLANTED_EVERY = 5, NAME = 120 };

static const double margin = 0.05, level = 0.05;

/* A point, and its times: [round][side], 0 where there is none. */
struct measured {
  char name[NAME];
  double times[PAIRED_MAX][2];
};

struct sample {
  struct measured *points;
  size_t count;
  int rounds;
};

/* What came of one slow-down in all repetitions. */
struct tally {
  int comparisons, false_comparisons; /* with a verdict slower or faster at a point that is the same */
  long same, false_points;
  long planted, found, called_equal;
  double
      false_share; /* of the verdicts slower and faster of a comparison, summed up: what the level bounds the mean of */
};

static struct measured *find_point(struct sample *sample, const char *name)
{
  for (size_t i = 0; i < sample->count; i++)
    if (strcmp(sample->points[i].name, name) == 0)
      return &sample->points[i];
  sample->points = tutti_xroom(sample->points, sample->count, sizeof *sample->points);
  struct measured *point = &sample->points[sample->count++];
  *point = (struct measured){.name = ""};
  snprintf(point->name, sizeof point->name, "%s", name);
  return point;
}

static void read_pairs(struct sample *sample)
{
  char line[400], name[NAME];
  for (int number = 1, round; fgets(line, sizeof line, stdin); number++) {
    double before, after;
    if (sscanf(line, "%119s %d %lf %lf", name, &round, &before, &after) != 4 || round < 1 || round > PAIRED_MAX ||
        !(before > 0 && after > 0)) {
      fprintf(stderr, "bench-verdicts: line %d is not POINT ROUND BEFORE AFTER\n", number);
      exit(2);
    }
    struct measured *point = find_point(sample, name);
    point->times[round - 1][0] = before;
    point->times[round - 1][1] = after;
    sample->rounds = round > sample->rounds ? round : sample->rounds;
  }
}

/* The simulated rounds of one comparison: which measured one each is, and whether it is turned around. */
struct drawn {
  int count, rounds[PAIRED_MAX];
  bool turned[PAIRED_MAX];
};

static void draw(const struct sample *sample, int rounds, uint64_t *random, struct drawn *drawn)
{
  drawn->count = rounds;
  for (int i = 0; i < rounds; i++) {
    drawn->rounds[i] = (int)(tutti_splitmix64_next(random) % (uint64_t)sample->rounds);
    drawn->turned[i] = tutti_splitmix64_next(random) & 1;
  }
}

static void test_point(const struct measured *point, const struct drawn *drawn, double factor, struct verdict *verdict)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  tutti_error error;
  int count = 0;
  for (int i = 0; i < drawn->count; i++) {
    const double *times = point->times[drawn->rounds[i]];
    if (times[0] == 0)
      continue;
    before[count] = times[drawn->turned[i]];
    after[count++] = factor * times[!drawn->turned[i]];
  }
  if (tutti_verdict_test(before, after, count, margin, level, verdict, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-verdicts: %s: %s\n", point->name, error.message);
    exit(2);
  }
}

static void compare(const struct sample *sample, const struct drawn *drawn, double slow_down, struct tally *tally)
{
  struct verdict *verdicts = tutti_xcalloc(sample->count, sizeof *verdicts);
  const long false_before = tally->false_points, found_before = tally->found;
  for (size_t i = 0; i < sample->count; i++)
    test_point(&sample->points[i], drawn, i % PLANTED_EVERY ? 1 : 1 + slow_down, &verdicts[i]);
  tutti_verdict_decide(verdicts, (int)sample->count, margin, level);
  for (size_t i = 0; i < sample->count; i++) {
    const tutti_pair_verdict verdict = verdicts[i].verdict;
    const bool planted = slow_down > 0 && i % PLANTED_EVERY == 0;
    tally->same += !planted;
    tally->planted += planted;
    tally->false_points += !planted && (verdict == TUTTI_SLOWER || verdict == TUTTI_FASTER);
    tally->found += planted && verdict == TUTTI_SLOWER;
    tally->called_equal += planted && verdict == TUTTI_EQUAL;
  }
  const long wrong = tally->false_points - false_before, right = tally->found - found_before;
  tally->comparisons++;
  tally->false_comparisons += wrong > 0;
  tally->false_share += wrong > 0 ? (double)wrong / (double)(wrong + right) : 0;
  free(verdicts);
}

static double percent(long part, long all)
{
  return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

int main(int argc, char **argv)
{
  static const double slow_downs[] = {0, 0.05, 0.1, 0.2};
  struct sample sample = {.count = 0};
  read_pairs(&sample);
  const int repetitions = argc > 1 ? atoi(argv[1]) : 20, rounds = argc > 2 ? atoi(argv[2]) : sample.rounds;
  if (sample.count == 0 || repetitions < 1 || rounds < 1 || rounds > PAIRED_MAX) {
    fprintf(stderr, "bench-verdicts: no pairs, or a wrong number of repetitions or rounds\n");
    return 2;
  }
  printf("%zu points, %d measured rounds, %d simulated ones, %d repetitions; equal within %g %%, level %g %%\n\n",
         sample.count, sample.rounds, rounds, repetitions, 100 * margin, 100 * level);
  printf("planted [%%]  comparisons with a false verdict  false of its verdicts [%%]  false points [%%]  found [%%]  "
         "called equal [%%]\n");
  for (size_t s = 0; s < sizeof slow_downs / sizeof *slow_downs; s++) {
    uint64_t random = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    struct tally tally = {.comparisons = 0};
    for (int i = 0; i < repetitions; i++) {
      struct drawn drawn;
      draw(&sample, rounds, &random, &drawn);
      compare(&sample, &drawn, slow_downs[s], &tally);
    }
    printf("%11g  %17d of %-12d  %25.1f  %16.3f", 100 * slow_downs[s], tally.false_comparisons, tally.comparisons,
           100 * tally.false_share / tally.comparisons, percent(tally.false_points, tally.same));
    if (tally.planted > 0)
      printf("  %9.1f  %16.1f", percent(tally.found, tally.planted), percent(tally.called_equal, tally.planted));
    printf("\n");
  }
  free(sample.points);
  return 0;
}
