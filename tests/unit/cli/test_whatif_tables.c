/* What tutti whatif prints: changes, times side by side, letters and crossovers; JSON and CSV. */
#include "cli/whatif/whatif.h"
#include "unit/cli/said.h"
#include "unit/decision/map_fixture.h"

enum { POINTS = 8 };

struct example {
  struct whatif whatif;
  struct whatif_options options;
  tutti_measurement measurements[2][POINTS];
  tutti_platform_change changes[2];
  const char *edits[1];
};

/* Two methods at two numbers of ranks and two sizes. The change makes the linear tree the best one for small messages
   on 4 ranks. */
static void make(struct example *example, tutti_format format, bool all)
{
  static const struct {
    const char *method;
    int ranks;
    uint64_t bytes;
    double before, after;
  } points[POINTS] = {
      {"bcast/linear", 4, 1, 3e-6, 1e-6},     {"bcast/binomial", 4, 1, 2e-6, 1.5e-6},
      {"bcast/linear", 4, 8192, 9e-6, 6e-6},  {"bcast/binomial", 4, 8192, 5e-6, 4e-6},
      {"bcast/linear", 16, 1, 8e-6, 4e-6},    {"bcast/binomial", 16, 1, 4e-6, 3e-6},
      {"bcast/linear", 16, 8192, 4e-5, 3e-5}, {"bcast/binomial", 16, 8192, 2e-5, 1e-5},
  };
  *example = (struct example){.options = {.platform = "grig", .experiment = "bcast.xml", .format = format, .all = all},
                              .changes = {{"link lat", "50us", "25us"}, {"prop smpi/os", NULL, "0:1us"}},
                              .edits = {"latency=*0.5"}};
  for (int i = 0; i < POINTS; i++) {
    example->measurements[0][i] = map_point(points[i].method, points[i].ranks, points[i].bytes, points[i].before);
    example->measurements[1][i] = map_point(points[i].method, points[i].ranks, points[i].bytes, points[i].after);
  }
  example->options.edits.items = example->edits;
  example->options.edits.count = 1;
  example->whatif = (struct whatif){
      .options = &example->options,
      .names = {"grig", "grig+latency=x0.5"},
      .edited = {.change_count = 2, .changes = example->changes},
      .room = 16,
      .left_out = 32,
      .experiments = {{.name = (char *)"bcast"}},
      .comparison = {
          .count = POINTS, .alone = {1, 0}, .measurements = {example->measurements[0], example->measurements[1]}}};
}

static void print(const void *context)
{
  const struct example *example = context;
  whatif_print(&example->whatif);
}

TEST(text_shows_both_machines)
{
  struct example example;
  make(&example, TUTTI_FORMAT_TEXT, false);
  assert_says(
      print, &example,
      "grig -> grig+latency=x0.5: latency=*0.5\n"
      "\n"
      "  changed       before  after\n"
      "  link lat      50us    25us\n"
      "  prop smpi/os  -       0:1us\n"
      "\n"
      "  Numbers of ranks above 16, up to 32, are left out: there is no room for them.\n"
      "\n"
      "  Not compared: 1 point of the one machine only, 0 of the other only.\n"
      "\n"
      "bcast from root 0 in bcast, scheme occ (methods: 2, communicator sizes: 2, message sizes: 2)\n"
      "\n"
      "    ranks     size   before [us]    after [us] speed-up  best before -> best after\n"
      "        4       1B         2.000         1.000    2.000  bcast/binomial -> bcast/linear\n"
      "        4      8KB         5.000         4.000    1.250  bcast/binomial\n"
      "       16       1B         4.000         3.000    1.333  bcast/binomial\n"
      "       16      8KB        20.000        10.000    2.000  bcast/binomial\n"
      "\n"
      "  Best methods: speed-up 1.607 (geometric mean of 4 points), least 1.250 (4 ranks, 8KB), most 2.000 (4 "
      "ranks, 1B)\n"
      "  All methods: speed-up 1.644, least 1.250 (4 ranks, 8KB, bcast/binomial), most 3.000 (4 ranks, 1B, "
      "bcast/linear)\n"
      "  Another method is best at 1 of 4 points (25.0 %); at 1 of them staying with the old one costs more than 1 %.\n"
      "  Staying with all old decisions costs 12.50 % in the mean, 0.00 % in the median, at most 50.00 % (4 ranks, "
      "1B); at most 5 % at 75.0 % of the points.\n"
      "\n"
      "  letter  method          before   after  points\n"
      "  L       bcast/linear         0       1\n"
      "  B       bcast/binomial       4       3\n"
      "\n"
      "            ranks\n"
      "      size  4    16\n"
      "        1B  B>L  B\n"
      "       8KB  B    B\n"
      "\n"
      "  Crossovers: the size from which on a method is best\n"
      "    ranks\n"
      "        4  before 1B B\n"
      "        4  after  1B L, 8KB B\n"
      "       16  both   1B B\n");
}

TEST(all_methods_are_marked)
{
  struct example example;
  char said[SAID_LENGTH];
  make(&example, TUTTI_FORMAT_TEXT, true);
  assert_int_equal(said_by(print, &example, said), 0);
  assert_non_null(
      strstr(said, "    ranks     size   before [us]    after [us] speed-up  method (* best before, + best after)\n"
                   "        4       1B         3.000         1.000    3.000  bcast/linear +\n"
                   "        4       1B         2.000         1.500    1.333  bcast/binomial *\n"
                   "        4      8KB         9.000         6.000    1.500  bcast/linear\n"
                   "        4      8KB         5.000         4.000    1.250  bcast/binomial * +\n"));
}

TEST(only_the_changes_without_an_experiment)
{
  struct example example;
  make(&example, TUTTI_FORMAT_TEXT, false);
  example.options.experiment = NULL;
  example.whatif.left_out = 0;
  example.whatif.comparison.alone[0] = 0;
  assert_says(print, &example,
              "grig -> grig+latency=x0.5: latency=*0.5\n"
              "\n"
              "  changed       before  after\n"
              "  link lat      50us    25us\n"
              "  prop smpi/os  -       0:1us\n");
}

TEST(json_has_maps_and_crossovers)
{
  struct example example;
  make(&example, TUTTI_FORMAT_JSON, false);
  assert_says(
      print, &example,
      "{\"before\": \"grig\", \"after\": \"grig+latency=x0.5\",\n"
      " \"edits\": [\"latency=*0.5\"],\n"
      " \"experiment\": \"bcast\", \"points\": 8, \"only_before\": 1, \"only_after\": 0, \"left_out_above_ranks\": "
      "16,\n"
      " \"changes\": [\n"
      "  {\"where\": \"link lat\", \"before\": \"50us\", \"after\": \"25us\"},\n"
      "  {\"where\": \"prop smpi/os\", \"before\": null, \"after\": \"0:1us\"}\n"
      " ],\n"
      " \"maps\": [\n"
      "  {\"collective\": \"bcast\", \"root\": 0, \"scheme\": \"occ\", \"speedup_of_best\": {\"points\": 4, "
      "\"mean\": 1.60685683789, \"min\": 1.25, \"max\": 2}, \"speedup_of_all\": {\"points\": 8, \"mean\": "
      "1.64389790121, \"min\": 1.25, \"max\": 3}, \"points\": 4, \"changed\": 1, "
      "\"changed_at_more_than_1_percent\": 1, \"staying\": {\"points\": 4, \"mean_percent\": 12.5, "
      "\"median_percent\": 0, \"max_percent\": 50, \"worst_ranks\": 4, \"worst_size_B\": 1, \"within_5_share\": "
      "0.75}, \"cells\": [\n"
      "    {\"ranks\": 4, \"size_B\": 1, \"before\": {\"method\": \"bcast/binomial\", \"time_s\": 2e-06}, "
      "\"after\": {\"method\": \"bcast/linear\", \"time_s\": 1e-06}, \"speedup\": 2, \"staying_s\": 1.5e-06},\n"
      "    {\"ranks\": 4, \"size_B\": 8192, \"before\": {\"method\": \"bcast/binomial\", \"time_s\": 5e-06}, "
      "\"after\": {\"method\": \"bcast/binomial\", \"time_s\": 4e-06}, \"speedup\": 1.25, \"staying_s\": 4e-06},\n"
      "    {\"ranks\": 16, \"size_B\": 1, \"before\": {\"method\": \"bcast/binomial\", \"time_s\": 4e-06}, "
      "\"after\": {\"method\": \"bcast/binomial\", \"time_s\": 3e-06}, \"speedup\": 1.33333333333, \"staying_s\": "
      "3e-06},\n"
      "    {\"ranks\": 16, \"size_B\": 8192, \"before\": {\"method\": \"bcast/binomial\", \"time_s\": 2e-05}, "
      "\"after\": {\"method\": \"bcast/binomial\", \"time_s\": 1e-05}, \"speedup\": 2, \"staying_s\": 1e-05}\n"
      "   ], \"crossovers\": [\n"
      "    {\"ranks\": 4, \"before\": [{\"size_B\": 1, \"method\": \"bcast/binomial\"}], \"after\": [{\"size_B\": "
      "1, \"method\": \"bcast/linear\"}, {\"size_B\": 8192, \"method\": \"bcast/binomial\"}]},\n"
      "    {\"ranks\": 16, \"before\": [{\"size_B\": 1, \"method\": \"bcast/binomial\"}], \"after\": [{\"size_B\": "
      "1, \"method\": \"bcast/binomial\"}]}\n"
      "   ]}\n"
      " ]}\n");
}

TEST(csv_has_a_line_a_point)
{
  struct example example;
  make(&example, TUTTI_FORMAT_CSV, false);
  assert_says(
      print, &example,
      "before,after,experiment,points,only_before,only_after,left_out_above_ranks,collective,root,ranks,size"
      "_B,before.method,before.time_s,after.method,after.time_s,speedup,staying_s\r\n"
      "grig,grig+latency=x0.5,bcast,8,1,0,16,bcast,0,4,1,bcast/binomial,2e-06,bcast/linear,1e-06,2,1.5e-06\r\n"
      "grig,grig+latency=x0.5,bcast,8,1,0,16,bcast,0,4,8192,bcast/binomial,5e-06,bcast/binomial,4e-06,1.25,4e-06\r\n"
      "grig,grig+latency=x0.5,bcast,8,1,0,16,bcast,0,16,1,bcast/binomial,4e-06,bcast/binomial,3e-06,1.333333"
      "33333,3e-06\r\n"
      "grig,grig+latency=x0.5,bcast,8,1,0,16,bcast,0,16,8192,bcast/binomial,2e-05,bcast/binomial,1e-05,2,1e-05\r\n");
}

TEST(a_speedup_needs_two_times)
{
  assert_true(whatif_ratio(3, 2) == 1.5);
  assert_true(whatif_ratio(0, 2) != whatif_ratio(0, 2));
  assert_true(whatif_ratio(3, -1) != whatif_ratio(3, -1));
}
