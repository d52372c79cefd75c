/* tutti group: what picture is asked for, and whether it can be drawn. */
#include "cli/plot/group_plot.h"

#include <string.h>

#include "cli/command.h"
#include "cli/plot/plot_gnuplot.h"

/* Words of the enumerations, whose first value is "not given". */
static const char *const x_words[] = {"", "fraction", "ranks", NULL};
static const char *const y_words[] = {"", "time", "messages", "memory", "message", NULL};

static tutti_status read_relative(void *member, const char *name, tutti_error *error)
{
  const tutti_group_builder *builder = tutti_group_builder_find(name, error);
  *(const tutti_group_builder **)member = builder;
  return builder ? TUTTI_OK : error->status;
}

static tutti_status check(void *values, tutti_error *error)
{
  const struct group_plot *plot = values;
  if (plot->path || (!plot->x && !plot->y && !plot->relative))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: only with --plot", plot->x ? "x" : plot->y ? "y" : "relative");
}

const struct option_row group_plot_table[] = {
    OPTION_PARSE("plot", "FILE", struct group_plot, path, gnuplot_option,
                 "draw FILE.svg, FILE.png or FILE.pdf too: one curve a builder, and one panel for each value of what "
                 "is not on the horizontal axis (needs gnuplot)"),
    OPTION_WORD("x", struct group_plot, x, x_words, "horizontal axis; fraction is also that of --members",
                .otherwise = "the one that has several values"),
    OPTION_WORD("y", struct group_plot, y, y_words,
                "vertical axis: time [us]; messages, as in the table; memory, the largest of any process [B]; or "
                "message, the largest one [B]",
                .otherwise = "with --platform time"),
    OPTION_PARSE("relative", "BUILDER", struct group_plot, relative, read_relative,
                 "divide by the values of this builder"),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- the axes ---- */

static bool has_several_ranks(const tutti_group_sweep *sweep)
{
  for (int i = 1; i < sweep->ranks_count; i++)
    if (sweep->ranks[i] != sweep->ranks[0])
      return true;
  return false;
}

/* The points of a sweep differ in the builder and the draw only. */
static bool has_several_draws(const tutti_group_sweep *sweep)
{
  for (size_t i = 1; i < sweep->point_count; i++) {
    tutti_group_point point = sweep->points[i];
    point.builder = sweep->points[0].builder;
    if (tutti_group_point_compare(&point, &sweep->points[0]) != 0)
      return true;
  }
  return false;
}

static bool has_mixed_draws(const tutti_group_sweep *sweep)
{
  for (size_t i = 1; i < sweep->point_count; i++)
    if ((sweep->points[i].sample.members < 0) != (sweep->points[0].sample.members < 0))
      return true;
  return false;
}

static tutti_status choose_x(struct group_plot *plot, const tutti_group_sweep *sweep, tutti_error *error)
{
  bool ranks = has_several_ranks(sweep), samples = has_several_draws(sweep);
  if (plot->x == GROUP_PLOT_X_ANY && ranks && samples)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--plot: --ranks and --fraction both have several values: choose by --x ranks or --x fraction");
  if (plot->x == GROUP_PLOT_X_ANY && !ranks && !samples)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--plot: a curve needs several values of --ranks or of --fraction");
  if (plot->x == GROUP_PLOT_X_ANY)
    plot->x = ranks ? GROUP_PLOT_RANKS : GROUP_PLOT_FRACTION;
  if (plot->x == GROUP_PLOT_RANKS && !ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--x ranks: a curve needs several values of --ranks");
  if (plot->x == GROUP_PLOT_FRACTION && !samples)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--x fraction: a curve needs several values of --fraction");
  if (plot->x == GROUP_PLOT_FRACTION && has_mixed_draws(sweep))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--x fraction: --fraction and --members do not go on one axis");
  return TUTTI_OK;
}

static tutti_status choose_y(struct group_plot *plot, bool timed, tutti_error *error)
{
  if (plot->y == GROUP_PLOT_Y_ANY && !timed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--plot: choose by --y messages, --y memory or --y message");
  if (plot->y == GROUP_PLOT_TIME && !timed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--y time: there are no times within this process, only with --platform");
  if (plot->y == GROUP_PLOT_Y_ANY)
    plot->y = GROUP_PLOT_TIME;
  return TUTTI_OK;
}

/* ---- --relative ---- */

/* Why @p builder cannot build any of the groups that are asked of it; TUTTI_OK if it can. */
static tutti_status check_relative(const tutti_group_builder *builder, const tutti_group_sweep *sweep,
                                   tutti_error *error)
{
  tutti_error reason = {.status = TUTTI_OK};
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count; p++) {
      tutti_group_point point = sweep->points[p];
      point.sample.size = sweep->ranks[r];
      if (point.builder == builder && tutti_group_point_check(&point, &reason) == TUTTI_OK)
        return TUTTI_OK;
    }
  if (reason.status != TUTTI_OK)
    return tutti_fail(error, reason.status, "--relative: %s", reason.message);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--relative: %s is not among the builders",
                    tutti_group_builder_name(builder));
}

tutti_status group_plot_check(struct group_plot *plot, const struct group_options *group, tutti_error *error)
{
  if (!plot->path)
    return TUTTI_OK;
  tutti_status status = choose_x(plot, &group->sweep, error);
  if (status == TUTTI_OK)
    status = choose_y(plot, group->platform != NULL, error);
  if (status == TUTTI_OK && plot->relative)
    status = check_relative(plot->relative, &group->sweep, error);
  return status;
}
