/* tutti-sort: sorts across all ranks, checks the result, and prints one record a line. Rank 0 reads and writes; it
   never opens a database. */
#include <stdlib.h>

#include "measure/program.h"
#include "measure/sort_time.h"

static tutti_status sort_all(struct sort_site *site, const struct sort_points *points, tutti_error *error)
{
  tutti_record record = {.kind = TUTTI_RECORD_RESULT};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    status = sort_time(site, &points->items[i], &record.result, error);
    if (status == TUTTI_OK && site->view.rank == 0)
      tutti_program_print(&record);
  }
  return status;
}

static tutti_status sort_points(const tutti_view *view, const struct sort_points *points, tutti_error *error)
{
  struct sort_site site;
  if (view->rank == 0)
    tutti_program_print_run(view, points->ranks_per_node);
  tutti_status status = sort_site_open(view, points, &site, error);
  if (status == TUTTI_OK)
    status = sort_all(&site, points, error);
  if (status != TUTTI_OK)
    return status; /* something may still arrive */
  sort_site_close(&site);
  if (view->rank == 0)
    tutti_program_print_end(points->count);
  return status;
}

static tutti_status measure(const tutti_view *view, char *text, const char *name, tutti_error *error)
{
  struct sort_points points;
  tutti_status status = sort_points_parse(text, name, view->size, &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = sort_points(view, &points, error);
  sort_points_free(&points);
  return status;
}

int main(int argc, char **argv)
{
  const struct program program = {"tutti-sort", sort_options_read, measure};
  return tutti_program_run(&program, argc, argv);
}
