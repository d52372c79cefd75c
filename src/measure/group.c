/* tutti-group: builds process groups and prints one record a line. Rank 0 reads and writes; it never opens a database.
 */
#include <stdlib.h>

#include "measure/group_build.h"
#include "measure/group_points.h"
#include "measure/program.h"

static tutti_status build_all(struct site *site, const struct group_points *points, tutti_error *error)
{
  tutti_record record = {.kind = TUTTI_RECORD_GROUP};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    status = site_build(site, &points->items[i], &record.build, error);
    if (status == TUTTI_OK && site->view.rank == 0)
      tutti_program_print(&record);
  }
  return status;
}

static tutti_status build_points(const tutti_view *view, const struct group_points *points, tutti_error *error)
{
  struct site site;
  if (view->rank == 0)
    tutti_program_print_run(view, points->ranks_per_node);
  tutti_status status = site_open(view, &points->measure, &site, error);
  if (status == TUTTI_OK)
    status = build_all(&site, points, error);
  site_close(&site);
  if (status == TUTTI_OK && view->rank == 0)
    tutti_program_print_end(points->count);
  return status;
}

static tutti_status measure(const tutti_view *view, char *text, const char *name, tutti_error *error)
{
  struct group_points points;
  tutti_status status = group_points_parse(text, name, view->size, &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = build_points(view, &points, error);
  group_points_free(&points);
  return status;
}

int main(int argc, char **argv)
{
  const struct program program = {"tutti-group", group_options_read, measure};
  return tutti_program_run(&program, argc, argv);
}
