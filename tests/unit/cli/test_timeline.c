/* Timelines: the data of rows made by hand, and their picture. */
#include "cli/schedule/schedule.h"
#include "unit/test.h"

static void add(struct timeline *timeline, int rank, tutti_vertex_id id, tutti_kind kind, int peer, double start,
                double end)
{
  tutti_vertex vertex = {.kind = (uint16_t)kind, .peer = peer, .count = 8};
  timeline_add(timeline, rank, &vertex, id, start * 1e-6, end * 1e-6);
}

/* Rank 0 sends two messages to rank 2 and one to rank 1, whose operand it reduces; added in no order. */
static struct timeline example(void)
{
  struct timeline timeline = {.ranks = 3};
  add(&timeline, 2, 1, TUTTI_RECV, 0, 30, 40);
  add(&timeline, 0, 2, TUTTI_SEND, 2, 20, 30);
  add(&timeline, 0, 0, TUTTI_SEND, 2, 0, 10);
  add(&timeline, 1, 0, TUTTI_RECV, 0, 20, 30);
  add(&timeline, 1, 1, TUTTI_REDUCE, 1, 30, 42.5);
  add(&timeline, 0, 1, TUTTI_SEND, 1, 10, 20);
  add(&timeline, 2, 0, TUTTI_RECV, 0, 10, 20);
  tutti_vertex join = {.kind = TUTTI_COPY};
  timeline_add(&timeline, 2, &join, 2, 40e-6, 40e-6);
  return timeline;
}

TEST(kinds_and_messages_are_blocks)
{
  static const char wanted[] = "0 0 10\n0 10 20\n0 20 30\n\n\n"
                               "1 20 30\n2 10 20\n2 30 40\n\n\n"
                               "1 30 42.5\n\n\n"
                               "0 0 20 2\n10 0 30 1\n20 0 40 2\n";
  FREED_BY(timeline_free) struct timeline timeline = example();
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *data = open_memstream(&text, &length);
  timeline_sort(&timeline);
  timeline_write(data, &timeline);
  assert_int_equal(fclose(data), 0);
  assert_string_equal(text, wanted);
}

TEST(what_cannot_be_drawn_is_told)
{
  FREED_BY(timeline_free) struct timeline timeline = {.ranks = 2};
  assert_int_equal(timeline_draw(&timeline, "none", "no.svg", &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "no.svg: the schedules have nothing to draw");
  for (tutti_vertex_id v = 0; v <= TIMELINE_MAX_ROWS; v++)
    add(&timeline, 0, v, TUTTI_SEND, 1, v, v + 1);
  assert_int_equal(timeline_draw(&timeline, "many", "no.svg", &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "no.svg: a timeline of 20001 vertices; at most 20000 can be drawn");
  assert_int_not_equal(access("no.svg", F_OK), 0);
}

static char *picture(const char *directory)
{
  char path[128], *text = NULL;
  size_t length = 0;
  struct timeline timeline = example();
  snprintf(path, sizeof path, "%s/timeline.svg", directory);
  assert_ok(timeline_draw(&timeline, "three ranks", path, &error), error);
  timeline_free(&timeline);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(getdelim(&text, &length, '\0', file) > 0);
  fclose(file);
  unlink(path);
  return text;
}

static size_t occurrences(const char *text, const char *wanted)
{
  size_t count = 0;
  for (const char *place = strstr(text, wanted); place; place = strstr(place + 1, wanted))
    count++;
  return count;
}

TEST(pictures_show_it_all)
{
  static const char *const wanted[] = {">three ranks<", ">Time [us]<", ">Rank<", ">send<", ">receive<", ">reduce<",
                                       ">message<",     ">0<",         ">1<",    ">2<",    ">40<"};
  char directory[] = "/tmp/tutti-test-XXXXXX";
  if (system("command -v gnuplot >/dev/null") != 0) {
    print_message("skipped: the picture: no gnuplot (Debian: apt-get install gnuplot-nox)\n");
    skip();
  }
  setenv("TUTTI_PLOTS", TUTTI_SOURCE_DIR "/plots", 1);
  assert_non_null(mkdtemp(directory));
  char *text = picture(directory), *again = picture(directory);
  rmdir(directory);
  assert_string_equal(text, again);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (occurrences(text, wanted[i]) == 0)
      fail_msg("the picture does not show '%s'", wanted[i]);
  assert_int_equal(occurrences(text, ">copy<"), 0);
  free(text);
  free(again);
}
