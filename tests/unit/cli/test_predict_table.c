/* The table of one predicted call: text with the best methods and the votes, JSON, CSV. */
#include "cli/predict/predict.h"
#include "unit/cli/said.h"
#include "unit/decision/map_fixture.h"

enum { METHODS = 3, PREDICTORS = 2 };

struct example {
  struct predict_options options;
  struct predictors predictors;
  struct prediction prediction;
  tutti_method methods[METHODS];
  double times[METHODS * PREDICTORS];
  int best[PREDICTORS];
};

/* Hockney and LogGP, of which the second has two votes and does not know the chain. */
static void make(struct example *example, tutti_collective collective, tutti_format format)
{
  *example = (struct example){
      .options = {.collective = collective, .format = format, .selection = {.platform = "grig"}},
      .predictors = {.items = {{.model = {.kind = TUTTI_MODEL_HOCKNEY}, .weight = 1},
                               {.model = {.kind = TUTTI_MODEL_LOGGP}, .by = TUTTI_BY_SCHEDULE, .weight = 2}},
                     .count = PREDICTORS,
                     .source = "published parameters"},
      .methods = {parsed("bcast/linear"), parsed("bcast/chain/8KB"), parsed("bcast/binomial")},
      .times = {3e-3, 2e-3, 1e-3, NAN, 1.5e-3, 2.5e-3},
      .best = {1, 0}};
  example->prediction = (struct prediction){.items = example->methods,
                                            .count = METHODS,
                                            .ranks = 64,
                                            .bytes = 65536,
                                            .times = example->times,
                                            .best = example->best};
}

static void print(const void *context)
{
  const struct example *example = context;
  predict_print(&example->options, &example->predictors, &example->prediction);
}

TEST(text_names_the_best_of_each_model_and_the_votes)
{
  struct example example;
  make(&example, TUTTI_COLL_BCAST, TUTTI_FORMAT_TEXT);
  assert_says(print, &example,
              "bcast on 64 ranks of grig, 64KB; published parameters\n"
              "\n"
              "  method [us]       hockney by formula    loggp by schedule\n"
              "  bcast/linear                3000.000             2000.000\n"
              "  bcast/chain/8KB             1000.000                    -\n"
              "  bcast/binomial              1500.000             2500.000\n"
              "\n"
              "  best, hockney by formula: bcast/chain/8KB, 1000.000 us\n"
              "  best, loggp by schedule: bcast/linear, 2000.000 us\n"
              "  most votes: bcast/linear, 2 of 3\n");
}

TEST(one_model_has_no_votes)
{
  struct example example;
  make(&example, TUTTI_COLL_BCAST, TUTTI_FORMAT_TEXT);
  example.predictors.count = 1;
  example.times[1] = 1e-3;
  example.times[2] = 2e-3;
  assert_says(print, &example,
              "bcast on 64 ranks of grig, 64KB; published parameters\n"
              "\n"
              "  method [us]       hockney by formula\n"
              "  bcast/linear                3000.000\n"
              "  bcast/chain/8KB             1000.000\n"
              "  bcast/binomial              2000.000\n"
              "\n"
              "  best, hockney by formula: bcast/chain/8KB, 1000.000 us\n");
}

TEST(json_has_seconds_and_null)
{
  struct example example;
  make(&example, TUTTI_COLL_BCAST, TUTTI_FORMAT_JSON);
  assert_says(
      print, &example,
      "{\"collective\": \"bcast\", \"platform\": \"grig\", \"parameters\": \"published parameters\", \"ranks\": "
      "64, \"size_B\": 65536, \"candidates\": \"tutti\",\n"
      " \"best\": {\"hockney by formula\": \"bcast/chain/8KB\", \"loggp by schedule\": \"bcast/linear\"},\n"
      " \"most_votes\": \"bcast/linear\",\n"
      " \"methods\": [\n"
      "  {\"method\": \"bcast/linear\", \"time_s\": {\"hockney by formula\": 0.0030000000000000001, \"loggp by "
      "schedule\": 0.002}},\n"
      "  {\"method\": \"bcast/chain/8KB\", \"time_s\": {\"hockney by formula\": 0.001, \"loggp by schedule\": null}},\n"
      "  {\"method\": \"bcast/binomial\", \"time_s\": {\"hockney by formula\": 0.0015, \"loggp by schedule\": "
      "0.0025000000000000001}}\n"
      " ]}\n");
}

TEST(csv_repeats_the_call)
{
  struct example example;
  make(&example, TUTTI_COLL_BCAST, TUTTI_FORMAT_CSV);
  assert_says(
      print, &example,
      "collective,platform,parameters,ranks,size_B,candidates,most_votes,method,time_s.hockney by formula,"
      "time_s.loggp by schedule\r\n"
      "bcast,grig,published parameters,64,65536,tutti,bcast/linear,bcast/linear,0.0030000000000000001,0.002\r\n"
      "bcast,grig,published parameters,64,65536,tutti,bcast/linear,bcast/chain/8KB,0.001,\r\n"
      "bcast,grig,published parameters,64,65536,tutti,bcast/linear,bcast/binomial,0.0015,0.0025000000000000001\r\n");
}
