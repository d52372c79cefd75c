/* Testing a learner on points that it did not see: each point is decided by a tree that was learnt without it. */
#include <math.h>

#include "cli/learn/learn.h"
#include "cli/output/output.h"

struct held {
  int fold_count;
  int *folds[TUTTI_COLL_COUNT]; /* [points of each map]; -1: no point; fold_count: learnt from only */
  struct trained *trained;      /* [fold_count] learnt without the fold */
  const struct learn_maps *maps;
};

static bool decide_unseen(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct held *held = decision->data;
  for (int i = 0; i < held->maps->count; i++) {
    const tutti_decision_map *map = &held->maps->items[i];
    if (map->collective != question->collective || map->ranks_per_node != question->ranks_per_node)
      continue;
    int r, s, fold = -1;
    if (tutti_decision_map_locate(map, question->ranks, question->rank_bytes, &r, &s))
      fold = held->folds[i][r * map->size_count + s];
    const tutti_decision *unseeing = fold < 0 || fold >= held->fold_count ? NULL : &held->trained[fold].decision;
    return unseeing && unseeing->decide(unseeing, question, method);
  }
  return false;
}

/* ---- which points ---- */

static int count_points(const tutti_decision_map *map)
{
  int count = 0;
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    count += map->best[i] >= 0;
  return count;
}

static void deal(const struct learn_command *command, const tutti_decision_map *map, enum held_out how, int fold_count,
                 int *folds)
{
  if (how == HELD_OUT_RANKS) {
    tutti_decision_map_deal_ranks(map, folds);
    return;
  }
  if (how == HELD_OUT_FOLDS) {
    must(tutti_decision_map_deal(map, fold_count, command->seed, folds, &failure));
    return;
  }
  /* Dealt one by one, the first so many. */
  int count = count_points(map), tested = (int)lround(command->share * count);
  must(tutti_decision_map_deal(map, count, command->seed, folds, &failure));
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    folds[i] = folds[i] < 0 ? -1 : folds[i] >= tested;
}

static int count_folds(const struct learn_command *command, const struct learn_maps *maps, enum held_out how)
{
  if (how == HELD_OUT_SHARE)
    return 1;
  return how == HELD_OUT_FOLDS ? command->folds : maps->items[0].ranks_count;
}

static void deal_all(const struct learn_command *command, enum held_out how, struct held *held)
{
  for (int i = 0; i < held->maps->count; i++) {
    const tutti_decision_map *map = &held->maps->items[i];
    if (how == HELD_OUT_RANKS && map->ranks_count != held->fold_count)
      die("--leave-out: %s was measured at %d communicator sizes, %s at %d: test them one by one",
          tutti_collective_name(held->maps->items[0].collective), held->fold_count,
          tutti_collective_name(map->collective), map->ranks_count);
    held->folds[i] = tutti_xcalloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *held->folds[i]);
    deal(command, map, how, held->fold_count, held->folds[i]);
  }
}

/* ---- training without them ---- */

static void train_without(const struct learn_command *command, struct held *held, int fold)
{
  struct learn_maps others = {0};
  for (int i = 0; i < held->maps->count; i++) {
    others.items[i] = tutti_decision_map_select(&held->maps->items[i], held->folds[i], fold, false);
    others.count++;
  }
  learn_train(command, &others, &held->trained[fold]);
  learn_maps_free(&others);
}

/* At all points, or at the share of them that is tested. */
static tutti_status count(const tutti_decision_map *map, const int *folds, enum held_out how,
                          const tutti_decision *decision, tutti_penalty *penalty, tutti_error *error)
{
  if (how != HELD_OUT_SHARE)
    return tutti_penalty_compute(map, decision, penalty, error);
  tutti_decision_map tested = tutti_decision_map_select(map, folds, 0, true);
  tutti_status status = tutti_penalty_compute(&tested, decision, penalty, error);
  tutti_decision_map_free(&tested);
  return status;
}

static void test(const struct learn_command *command, enum held_out how, struct held *held, tutti_penalty *penalties)
{
  tutti_decision decision = {.name = (char *)"unseen points", .decide = decide_unseen, .data = held};
  deal_all(command, how, held);
  for (int fold = 0; fold < held->fold_count; fold++) {
    patience_at("learn without the points that are tested", (double)fold / held->fold_count);
    train_without(command, held, fold);
  }
  patience_at(NULL, 1);
  for (int i = 0; i < held->maps->count; i++)
    must(count(&held->maps->items[i], held->folds[i], how, &decision, &penalties[i], &failure));
}

void learn_test(const struct learn_command *command, const struct learn_maps *maps, enum held_out how,
                tutti_penalty *penalties)
{
  struct held held = {.fold_count = count_folds(command, maps, how), .maps = maps};
  held.trained = tutti_xcalloc((size_t)held.fold_count, sizeof *held.trained);
  test(command, how, &held, penalties);
  for (int fold = 0; fold < held.fold_count; fold++)
    tutti_decision_free(&held.trained[fold].decision);
  for (int i = 0; i < maps->count; i++)
    free(held.folds[i]);
  free(held.trained);
}
