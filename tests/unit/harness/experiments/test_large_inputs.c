/* Inputs of a megabyte or so that are all of one thing end within seconds, read or refused. */
#include <time.h>

#include "tutti/decision_tree.h"
#include "tutti/experiment.h"
#include "tutti/platform.h"

#include "unit/base/scratch_file.h"
#include "unit/test.h"

/* Limit of processor time, with a margin for sanitizers: work that grows with the square of the input takes minutes. */
enum { MAX_SECONDS = 10, MANY = 100000 };

/* What is read from a file, and the freeing of it. */
typedef tutti_status reader(const char *path, tutti_error *error);

#define READER(kind)                                                                                                   \
  static tutti_status read_##kind(const char *path, tutti_error *error)                                                \
  {                                                                                                                    \
    tutti_##kind read;                                                                                                 \
    tutti_status status = tutti_##kind##_read(path, &read, error);                                                     \
    if (status == TUTTI_OK)                                                                                            \
      tutti_##kind##_free(&read);                                                                                      \
    return status;                                                                                                     \
  }
READER(decision)
READER(experiment)
READER(platform)

/* A text that grows. */
struct text {
  FILE *stream;
  char *bytes;
  size_t length;
};

static void begin(struct text *text)
{
  text->stream = open_memstream(&text->bytes, &text->length);
  assert_non_null(text->stream);
}

static void repeat(struct text *text, int times, const char *before, const char *after)
{
  for (int i = 1; i <= times; i++)
    if (after)
      fprintf(text->stream, "%s%d%s", before, i, after);
    else
      fputs(before, text->stream);
}

/* Read it in time; NULL: it is taken, else what the message says. Frees the text. */
static void expect(struct text *text, const char *name, reader *read, const char *fault)
{
  fclose(text->stream);
  SCRATCH_FILE(file, name, text->bytes);
  clock_t start = clock();
  tutti_status status = read(file.path, REASON);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  free(text->bytes);
  printf("%s: %.2f s: %s\n", name, seconds, status == TUTTI_OK ? "read" : error.message);
  assert_true(seconds < MAX_SECONDS);
  if (!fault)
    assert_int_equal(status, TUTTI_OK);
  else if (status == TUTTI_OK || !strstr(error.message, fault))
    fail_msg("'%s' instead of '%s'", status == TUTTI_OK ? "read" : error.message, fault);
}

/* A part of a text, which is there so many times, each with its number from 1 on if something stands after that. */
struct part {
  const char *before;
  int times;
  const char *after;
};

static void expect_parts(const struct part *parts, size_t count, const char *name, reader *read, const char *fault)
{
  struct text text;
  begin(&text);
  for (size_t i = 0; i < count; i++)
    repeat(&text, parts[i].times, parts[i].before, parts[i].after);
  expect(&text, name, read, fault);
}

#define LARGE(test, name, read, fault, ...)                                                                            \
  TEST(test)                                                                                                           \
  {                                                                                                                    \
    static const struct part parts[] = {__VA_ARGS__};                                                                  \
    expect_parts(parts, sizeof parts / sizeof *parts, name, read, fault);                                              \
  }

static const char head[] = "tutti-decision 1\ntree bcast\nattribute ranks\n";

LARGE(test_classes, "classes.decision", read_decision, "one branch", {head, 1, NULL},
      {"ranks <= 7 : chain/k=", 30000, "\n"})

/* A line per level and as many bars as levels: 1,400 are a megabyte. */
TEST(test_deep_tree)
{
  struct text text;
  begin(&text);
  fputs(head, text.stream);
  for (int depth = 0; depth < 1400; depth++) {
    repeat(&text, depth, "|", NULL);
    fprintf(text.stream, "ranks <= %d :\n", depth);
  }
  repeat(&text, 1399, "|", NULL);
  fputs("|ranks <= 0 : linear\n", text.stream);
  for (int depth = 1400; depth >= 0; depth--) {
    repeat(&text, depth, "|", NULL);
    fprintf(text.stream, "ranks > %d : chain/k=%d\n", depth == 1400 ? 0 : depth, depth + 1);
  }
  expect(&text, "deep.decision", read_decision, NULL);
}

LARGE(test_bars, "bars.decision", read_decision, "bars.decision:4:", {head, 1, NULL}, {"|", 10 * MANY, NULL})

LARGE(test_trees, "trees.decision", read_decision, NULL, {"tutti-decision 1\n", 1, NULL},
      {"tree bcast\nattribute ranks\nlinear\n\n", 30000, NULL})

LARGE(test_rules, "many.rules", read_decision, NULL, {"bcast/linear ranks=", MANY, "..\n"})

static const char experiment[] = "<experiment name=\"x\"><platform kind=\"real\" name=\"m\" flavor=\"mpich\"/>\n";

LARGE(test_sweeps, "sweeps.xml", read_experiment, NULL, {experiment, 1, NULL},
      {"<sweep collective=\"barrier\"><ranks>2</ranks></sweep>", 20000, NULL}, {"</experiment>", 1, NULL})

LARGE(test_segments, "segments.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes><method algorithm=\"chain\" segments=\"", 1, NULL},
      {"1KB ", 2 * MANY, NULL}, {"\"/></sweep></experiment>", 1, NULL})

/* 500 x 500 x 500 combinations, all the same. */
LARGE(test_combinations, "combinations.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes><method algorithm=\"chain\" segments=\"", 1, NULL},
      {"1KB ", 500, NULL}, {"\" k=\"", 1, NULL}, {"2 ", 500, NULL}, {"\" outstanding=\"", 1, NULL}, {"2 ", 500, NULL},
      {"\"/></sweep></experiment>", 1, NULL})

LARGE(test_methods, "methods.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes>", 1, NULL},
      {"<method name=\"bcast/chain/k=", 30000, "\"/>\n"}, {"</sweep></experiment>", 1, NULL})

LARGE(test_points, "points.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<sweep collective=\"bcast\"><ranks>1..1000000</ranks><sizes>1..1000000</sizes>"
       "<decision name=\"library:openmpi-4.1\"/></sweep></experiment>",
       1, NULL})

LARGE(test_rank_lists, "ranks.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<sweep collective=\"barrier\"><ranks>1..1000000</ranks></sweep>\n", 10000, NULL}, {"</experiment>", 1, NULL})

/* The product of the axes does not fit a size_t. */
LARGE(test_groups, "groups.xml", read_experiment, "more than", {experiment, 1, NULL},
      {"<group branching=\"2..1048577\" seed=\"0..1048575\" colours=\"1..1048576\"><ranks>2</ranks>"
       "<members>0..1048575</members></group></experiment>",
       1, NULL})

static const char platform[] = "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
                               "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n";

LARGE(test_hosts, "hosts.xml", read_platform, "more than", {platform, 1, NULL},
      {"<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-10000000\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1us\"/>"
       "</platform>\n",
       1, NULL})

TEST(test_clusters)
{
  struct text text;
  begin(&text);
  fputs(platform, text.stream);
  fputs("<zone id=\"z\" routing=\"Full\">\n", text.stream);
  for (int i = 0; i < 5000; i++)
    fprintf(text.stream,
            "<cluster id=\"c%d\" prefix=\"c%d-\" suffix=\"\" radical=\"0-1000000\" speed=\"1Gf\" bw=\"1Gbps\" "
            "lat=\"1us\"/>\n",
            i, i);
  fputs("</zone></platform>\n", text.stream);
  expect(&text, "clusters.xml", read_platform, "more than");
}

LARGE(test_long_prefix, "prefix.xml", read_platform, "characters", {platform, 1, NULL},
      {"<cluster id=\"c\" prefix=\"", 1, NULL}, {"p", 5 * MANY, NULL},
      {"\" suffix=\"\" radical=\"0-100000\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1us\"/></platform>\n", 1, NULL})

LARGE(test_nesting, "nesting.xml", read_platform, "nesting.xml:", {platform, 1, NULL},
      {"<zone id=\"z\" routing=\"Full\">", MANY, NULL})

LARGE(test_xml_attributes, "attributes.xml", read_experiment, "attributes.xml:", {"<experiment ", 1, NULL},
      {"a", MANY, "=\"\" "}, {"/>", 1, NULL})
