/* Tables of penalties: text with remarks and worst points, JSON, CSV. */
#include "cli/penalty/penalty.h"
#include "unit/cli/said.h"
#include "unit/decision/map_fixture.h"

enum { ROWS = 2 };

struct example {
  struct penalty_row rows[ROWS];
  tutti_penalty_point worst[2];
};

/* A decision that loses at two points, and one of which no point could be counted. */
static void make(struct example *example)
{
  *example = (struct example){.worst = {{16, 8192, 25, parsed("bcast/linear"), parsed("bcast/binomial")},
                                        {4, 1, 12.5, parsed("bcast/chain"), parsed("bcast/binomial/8KB")}}};
  example->rows[0] = (struct penalty_row){.name = "bcast/linear",
                                          .collective = TUTTI_COLL_BCAST,
                                          .scheme = "occ, arrival sorted/1ms",
                                          .penalty = {.min = 0,
                                                      .max = 25,
                                                      .mean = 9.375,
                                                      .median = 6.25,
                                                      .points = 4,
                                                      .missing = 3,
                                                      .own_choice = 2,
                                                      .substituted = 3,
                                                      .within_noise = 1,
                                                      .not_positive = 1,
                                                      .worst_ranks = 16,
                                                      .worst_size = 8192,
                                                      .within_5 = 0.5,
                                                      .within_10 = 0.625},
                                          .worst_count = 2,
                                          .worst = example->worst};
  example->rows[1] = (struct penalty_row){
      .name = "none.rules",
      .collective = TUTTI_COLL_BCAST,
      .scheme = "occ, arrival sorted/1ms",
      .penalty = {.min = NAN, .max = NAN, .mean = NAN, .median = NAN, .missing = 7, .within_5 = NAN, .within_10 = NAN}};
}

static void print_text(const void *context)
{
  const struct example *example = context;
  penalty_table_print(example->rows, ROWS, "grig", true);
}

static void print_without_worst(const void *context)
{
  const struct example *example = context;
  penalty_table_print(example->rows, 1, "grig", false);
}

static void print_format(const void *context, tutti_format format)
{
  const struct example *example = context;
  const tutti_table table = penalty_table(example->rows, ROWS);
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (tutti_document_print(&document, format, stdout, &error) != TUTTI_OK)
    puts(error.message);
}

static void print_json(const void *context)
{
  print_format(context, TUTTI_FORMAT_JSON);
}

static void print_csv(const void *context)
{
  print_format(context, TUTTI_FORMAT_CSV);
}

TEST(text_has_remarks_and_worst_points)
{
  struct example example;
  make(&example);
  assert_says(
      print_text, &example,
      "Penalty against the best measured method of tutti on grig, scheme occ, arrival sorted/1ms\n"
      "\n"
      "  decision       min [%]   max [%]  mean [%] median [%]   <= 5 %  <= 10 %  points  missing  worst point\n"
      "  bcast/linear      0.00     25.00      9.38       6.25   50.0 %   62.5 %       4        3  16 ranks, 8KB\n"
      "  none.rules           -         -         -          -        -        -       0        7\n"
      "  bcast/linear: 2 of 4 points: the library's own choice\n"
      "  bcast/linear: served by a substitute at 3 of 4 points, where its choice cannot serve\n"
      "  bcast/linear: 1 of 4 points counts as 0 %: slower than the best by less than the noise of both\n"
      "  bcast/linear: its choice was not measured at 2 points\n"
      "  bcast/linear: 1 point was not counted, because the best time there is not positive\n"
      "  none.rules: its choice was not measured at 7 points\n"
      "\n"
      "  bcast/linear loses most\n"
      "  penalty [%]  ranks     size  picked        best\n"
      "        25.00     16      8KB  bcast/linear  bcast/binomial\n"
      "        12.50      4       1B  bcast/chain   bcast/binomial/8KB\n"
      "\n"
      "  none.rules loses nowhere\n");
}

TEST(worst_points_are_left_out_unless_asked_for)
{
  struct example example;
  make(&example);
  assert_says(
      print_without_worst, &example,
      "Penalty against the best measured method of tutti on grig, scheme occ, arrival sorted/1ms\n"
      "\n"
      "  decision       min [%]   max [%]  mean [%] median [%]   <= 5 %  <= 10 %  points  missing  worst point\n"
      "  bcast/linear      0.00     25.00      9.38       6.25   50.0 %   62.5 %       4        3  16 ranks, 8KB\n"
      "  bcast/linear: 2 of 4 points: the library's own choice\n"
      "  bcast/linear: served by a substitute at 3 of 4 points, where its choice cannot serve\n"
      "  bcast/linear: 1 of 4 points counts as 0 %: slower than the best by less than the noise of both\n"
      "  bcast/linear: its choice was not measured at 2 points\n"
      "  bcast/linear: 1 point was not counted, because the best time there is not positive\n");
}

TEST(json_has_null_for_what_is_not_known)
{
  struct example example;
  make(&example);
  assert_says(
      print_json, &example,
      "{\"penalties\": [\n"
      "  {\"decision\": \"bcast/linear\", \"collective\": \"bcast\", \"scheme\": \"occ\", \"patterns\": \"arrival "
      "sorted/1ms\", \"candidates\": \"tutti\", \"min_percent\": 0, \"max_percent\": 25, \"mean_percent\": 9.375, "
      "\"median_percent\": 6.25, "
      "\"within_5_share\": 0.5, \"within_10_share\": 0.625, \"points\": 4, \"missing\": 3, \"own_choices\": 2, "
      "\"substituted\": 3, \"within_noise\": 1, \"not_positive\": 1, "
      "\"worst_ranks\": 16, \"worst_size_B\": 8192, \"worst\": [{\"penalty_percent\": 25, \"ranks\": 16, "
      "\"size_B\": 8192, \"picked\": \"bcast/linear\", \"best\": \"bcast/binomial\"}, {\"penalty_percent\": 12.5, "
      "\"ranks\": 4, \"size_B\": 1, \"picked\": \"bcast/chain\", \"best\": \"bcast/binomial/8KB\"}]},\n"
      "  {\"decision\": \"none.rules\", \"collective\": \"bcast\", \"scheme\": \"occ\", \"patterns\": \"arrival "
      "sorted/1ms\", \"candidates\": \"tutti\", \"min_percent\": null, \"max_percent\": null, \"mean_percent\": null, "
      "\"median_percent\": "
      "null, \"within_5_share\": null, \"within_10_share\": null, \"points\": 0, \"missing\": 7, \"own_choices\": 0, "
      "\"substituted\": 0, \"within_noise\": 0, \"not_positive\": "
      "0, \"worst_ranks\": 0, \"worst_size_B\": 0, \"worst\": []}\n"
      " ]}\n");
}

TEST(csv_leaves_worst_points_out)
{
  struct example example;
  make(&example);
  assert_says(
      print_csv, &example,
      "decision,collective,scheme,patterns,candidates,min_percent,max_percent,mean_percent,median_percent,within_5_shar"
      "e,within_10_share,points,missing,own_choices,substituted,within_noise,not_positive,worst_ranks,worst_size_B\r\n"
      "bcast/linear,bcast,occ,arrival sorted/1ms,tutti,0,25,9.375,6.25,0.5,0.625,4,3,2,3,1,1,16,8192\r\n"
      "none.rules,bcast,occ,arrival sorted/1ms,tutti,,,,,,,0,7,0,0,0,0,0,0\r\n");
}
