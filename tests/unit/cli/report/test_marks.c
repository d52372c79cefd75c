/* Letters and colors of methods. */
#include "cli/report/marks.h"
#include "tutti/algorithm.h"
#include "unit/test.h"

TEST(an_algorithm_has_one_mark_everywhere)
{
  const tutti_algorithm *left, *right;
  for (size_t i = 0; (left = tutti_algorithm_at(i)); i++)
    for (size_t j = 0; j < i; j++) {
      right = tutti_algorithm_at(j);
      tutti_mark one = tutti_mark_of(left), other = tutti_mark_of(right);
      bool same = strcmp(left->name, right->name) == 0;
      bool alike = one.color == other.color && one.fill == other.fill;
      assert_true(!same || (one.letter == other.letter && alike));
      assert_true(same || left->collective != right->collective || (one.letter != other.letter && !alike));
    }
}

/* The catalogue may have algorithms without a line in marks.def, too. */
static bool is_named(const tutti_algorithm *algorithm)
{
  static const char *const names[] = {
#define MARK(algorithm, letter, color, fill) algorithm,
#include "cli/report/marks.def"
#undef MARK
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], algorithm->name) == 0)
      return true;
  return false;
}

TEST(a_foreign_algorithm_has_a_mark_of_its_own)
{
  const tutti_algorithm foreign = {.collective = TUTTI_COLL_BCAST, .name = "mine"}, *algorithm;
  tutti_mark mark = tutti_mark_of(&foreign);
  assert_false(is_named(&foreign));
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const tutti_mark other = tutti_mark_of(algorithm);
    assert_true(algorithm->collective != foreign.collective || mark.letter != other.letter);
    assert_true(algorithm->collective != foreign.collective || mark.color != other.color || mark.fill != other.fill);
    assert_true(is_named(algorithm) == (other.fill != mark.fill));
  }
}

static const char *const foreign_names[] = {"kfold", "hexagon", "leaders", "mine", "chain-to-0", "tree-of-mine", "x"};

/* Whether all algorithms of the collective have lines in marks.def. */
static bool all_named(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && !is_named(algorithm))
      return false;
  return true;
}

/* A name has one color wherever nothing else wants it, and names do not all have the same. */
TEST(foreign_names_have_colors_of_their_own)
{
  enum { NAMES = sizeof foreign_names / sizeof *foreign_names };
  unsigned colors[NAMES] = {0};
  int collectives = 0;
  bool differ = false;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    if (!all_named((tutti_collective)c))
      continue;
    for (size_t i = 0; i < NAMES; i++) {
      const tutti_algorithm one = {.collective = (tutti_collective)c, .name = foreign_names[i]};
      assert_true(collectives == 0 || tutti_mark_of(&one).color == colors[i]);
      colors[i] = tutti_mark_of(&one).color;
      differ = differ || colors[i] != colors[0];
    }
    collectives++;
  }
  assert_true(differ && collectives > 1);
}

static tutti_method method_of(const char *text)
{
  tutti_method method;
  assert_int_equal(tutti_method_parse(text, &method, NULL), TUTTI_OK);
  return method;
}

TEST(methods_of_one_algorithm_are_numbered)
{
  const tutti_method methods[] = {method_of("bcast/binomial"), method_of("bcast/binomial/8KB"),
                                  method_of("bcast/chain/k=2"), method_of("bcast/chain/8KB"),
                                  method_of("bcast/binomial@openmpi")};
  bool shown[] = {true, true, false, true, true};
  tutti_marks marks = {.methods = methods, .shown = shown, .count = 5};
  char letters[REPORT_LETTERS_LENGTH];
  assert_string_equal(tutti_marks_letters(&marks, 0, letters), "B1");
  assert_string_equal(tutti_marks_letters(&marks, 1, letters), "B2");
  assert_string_equal(tutti_marks_letters(&marks, 3, letters), "C");
  assert_string_equal(tutti_marks_letters(&marks, 4, letters), "B3");
  assert_int_equal(tutti_marks_width(&marks), 2);
  /* What is best has the letters that it has alone, whatever else is shown. */
  const bool best[] = {false, true, false, true, false};
  marks.first = best;
  assert_string_equal(tutti_marks_letters(&marks, 1, letters), "B");
  assert_string_equal(tutti_marks_letters(&marks, 0, letters), "B2");
  assert_string_equal(tutti_marks_letters(&marks, 4, letters), "B3");
  assert_string_equal(tutti_marks_letters(&marks, 3, letters), "C");
  const bool two[] = {true, true, false, false, false};
  marks.first = two;
  assert_string_equal(tutti_marks_letters(&marks, 0, letters), "B1");
  assert_string_equal(tutti_marks_letters(&marks, 4, letters), "B3");
  marks.first = NULL;
  shown[0] = shown[1] = false;
  assert_string_equal(tutti_marks_letters(&marks, 4, letters), "B");
  assert_int_equal(tutti_marks_width(&marks), 1);
}

/* The colors are seven, and the gray of native methods; the methods that are met most fill their cells with one. */
TEST(colors_are_those_of_the_palette)
{
  static const unsigned palette[] = {PALETTE_ORANGE, PALETTE_BLUE,       PALETTE_PURPLE, PALETTE_GREEN,
                                     PALETTE_SKY,    PALETTE_VERMILLION, PALETTE_YELLOW, PALETTE_GRAY};
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const tutti_mark mark = tutti_mark_of(algorithm);
    bool found = false;
    for (size_t j = 0; j < sizeof palette / sizeof *palette; j++)
      found = found || palette[j] == mark.color;
    assert_true(found);
  }
  static const char *const common[] = {"linear", "binomial", "binary", "split-binary", "pipeline", "chain"};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    assert_int_equal(tutti_mark_of(tutti_algorithm_find(TUTTI_COLL_BCAST, common[i])).fill, TUTTI_FILL_SOLID);
}

/* ---- colors: as far apart in CIELAB as the table says, with full sight and without cones ---- */

static double linear(unsigned channel)
{
  double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double lab_f(double t)
{
  return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void to_lab(unsigned color, const double sight[3][3], double lab[3])
{
  static const double to_xyz[3][3] = {
      {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
  static const double white[3] = {0.95047, 1, 1.08883};
  const double given[3] = {linear(color >> 16), linear(color >> 8 & 0xff), linear(color & 0xff)};
  double seen[3] = {0}, f[3];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      seen[i] += sight[i][j] * given[j];
    seen[i] = fmin(fmax(seen[i], 0), 1);
  }
  for (int i = 0; i < 3; i++)
    f[i] = lab_f((to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2]) / white[i]);
  lab[0] = 116 * f[1] - 16;
  lab[1] = 500 * (f[0] - f[1]);
  lab[2] = 200 * (f[1] - f[2]);
}

/* Full sight, protanopia, deuteranopia. */
static const double sights[3][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
};

enum { APART = 13 };

/* The distance of two colors for whoever sees it least. */
static double distance(unsigned left, unsigned right)
{
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    double one[3], other[3];
    to_lab(left, sights[i], one);
    to_lab(right, sights[i], other);
    least = fmin(least, hypot(hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]));
  }
  return least;
}

/* Classes of what is lost are darker one by one, so that they are read in gray, too. */
TEST(losses_become_darker)
{
  for (int i = 1; i < TUTTI_LOSSES; i++) {
    double before[3], after[3];
    to_lab(tutti_losses[i - 1].color, sights[0], before);
    to_lab(tutti_losses[i].color, sights[0], after);
    assert_true(before[0] - after[0] > 8);
    assert_true(distance(tutti_losses[i - 1].color, tutti_losses[i].color) > 10);
  }
  assert_int_equal(tutti_loss_class(-3), 0);
  assert_int_equal(tutti_loss_class(4.99), 0);
  assert_int_equal(tutti_loss_class(5), 1);
  assert_int_equal(tutti_loss_class(1e6), TUTTI_LOSSES - 1);
}

TEST(colors_of_a_collective_are_told_apart)
{
  const tutti_algorithm *left, *right;
  for (size_t i = 0; (left = tutti_algorithm_at(i)); i++) {
    unsigned color = tutti_mark_of(left).color;
    assert_true(distance(color, PALETTE_UNMEASURED) > APART);
    assert_true(color == 0 || distance(color, 0) > APART);
    if (tutti_mark_of(left).fill == TUTTI_FILL_SOLID)
      assert_true(distance(color, tutti_mark_of(tutti_algorithm_find(left->collective, "native")).color) > APART);
    for (size_t j = 0; j < i; j++) {
      right = tutti_algorithm_at(j);
      if (left->collective == right->collective && tutti_mark_of(left).fill == tutti_mark_of(right).fill &&
          distance(color, tutti_mark_of(right).color) < APART)
        fail_msg("%s and %s look alike", left->name, right->name);
    }
  }
}

/* Nor are areas of the free ones like any of the table: these have no net. They are unlike the black of text and
 * borders. */
TEST(foreign_colors_are_told_apart)
{
  const tutti_algorithm *other;
  for (size_t f = 0; f < sizeof foreign_names / sizeof *foreign_names; f++) {
    unsigned color = tutti_mark_of(&(tutti_algorithm){.collective = TUTTI_COLL_SCAN, .name = foreign_names[f]}).color;
    assert_true(distance(color, PALETTE_BLACK) > APART);
  }
  for (size_t i = 0; (other = tutti_algorithm_at(i)); i++)
    if (is_named(other) && tutti_mark_of(other).fill == TUTTI_FREE_FILL)
      fail_msg("%s is like foreign ones", other->name);
}

/* ---- areas ---- */

TEST(an_area_is_of_one_color_or_hatched)
{
  char text[PALETTE_CSS_LENGTH];
  assert_string_equal(tutti_area_css(0x0072b2, TUTTI_FILL_SOLID, text), "#0072b2");
  assert_string_equal(tutti_area_css(0x0072b2, TUTTI_FILL_FALLING, text),
                      "repeating-linear-gradient(45deg,#0072b2 0 2px,#fff 2px 8px)");
  assert_string_equal(tutti_area_css(0x0072b2, TUTTI_FILL_RISING, text),
                      "repeating-linear-gradient(135deg,#0072b2 0 2px,#fff 2px 8px)");
  assert_string_equal(tutti_area_css(0x0072b2, TUTTI_FILL_STEEP, text),
                      "repeating-linear-gradient(70deg,#0072b2 0 2px,#fff 2px 8px)");
}
