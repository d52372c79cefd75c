/* Timelines of schedules. */
#include "base/numbers.h"
#include "cli/schedule/schedule.h"

#include "cli/output/output.h"
#include "cli/plot/plot.h"

#define KINDS 4 /* of vertices */

/* ---- rows ---- */

void timeline_add(void *context, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start, double end)
{
  struct timeline *timeline = context;
  bool moves = vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
  if (!moves && vertex->count == 0)
    return;
  if (timeline->count < TIMELINE_MAX_ROWS)
    tutti_xpush(timeline, (struct timeline_row){rank, id, (tutti_kind)vertex->kind, vertex->peer, start, end});
  else
    timeline->left_out++;
}

void timeline_free(struct timeline *timeline)
{
  tutti_vector_free(timeline);
}

static int compare_rows(const void *left, const void *right)
{
  const struct timeline_row *a = left, *b = right;
  int order = THREE_WAY(a->rank, b->rank);
  return order ? order : THREE_WAY(a->vertex, b->vertex);
}

void timeline_sort(struct timeline *timeline)
{
  tutti_vector_sort(timeline, compare_rows);
}

/* ---- data ---- */

static size_t count_kind(const struct timeline *timeline, int kind)
{
  size_t count = 0;
  for (size_t i = 0; i < timeline->count; i++)
    count += timeline->items[i].kind == (tutti_kind)kind;
  return count;
}

static void write_kind(FILE *data, const struct timeline *timeline, int kind)
{
  for (size_t i = 0; i < timeline->count; i++) {
    const struct timeline_row *row = &timeline->items[i];
    if (row->kind == (tutti_kind)kind)
      fprintf(data, "%d %.10g %.10g\n", row->rank, row->start * 1e6, row->end * 1e6);
  }
  fprintf(data, "\n\n");
}

/* The n-th send of a rank to a peer belongs to the n-th receive of that peer from the rank. A message without its other
   end is not drawn. */
static const struct timeline_row *find_receive(const struct timeline *timeline, const struct timeline_row *send)
{
  size_t before = 0;
  for (const struct timeline_row *row = timeline->items; row < send; row++)
    before += row->kind == TUTTI_SEND && row->rank == send->rank && row->peer == send->peer;
  for (size_t i = 0; i < timeline->count; i++) {
    const struct timeline_row *row = &timeline->items[i];
    if (row->kind == TUTTI_RECV && row->rank == send->peer && row->peer == send->rank && before-- == 0)
      return row;
  }
  return NULL;
}

void timeline_write(FILE *data, const void *context)
{
  const struct timeline *timeline = context;
  for (int kind = 0; kind < KINDS; kind++)
    if (count_kind(timeline, kind) > 0)
      write_kind(data, timeline, kind);
  for (size_t i = 0; i < timeline->count; i++) {
    const struct timeline_row *send = &timeline->items[i];
    const struct timeline_row *receive = send->kind == TUTTI_SEND ? find_receive(timeline, send) : NULL;
    if (receive)
      fprintf(data, "%.10g %d %.10g %d\n", send->start * 1e6, send->rank, receive->end * 1e6, receive->rank);
  }
}

/* ---- the picture ---- */

/* Name and style of each kind there is. */
static void list_kinds(const struct timeline *timeline, char *text, size_t length)
{
  static const char *const names[KINDS] = {"send", "receive", "reduce", "copy"};
  *text = '\0';
  for (int kind = 0; kind < KINDS; kind++)
    if (count_kind(timeline, kind) > 0)
      text_append(text, length, "%s %d ", names[kind], kind);
}

static tutti_status check(const struct timeline *timeline, const char *path, tutti_error *error)
{
  if (timeline->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the schedules have nothing to draw", path);
  if (timeline->left_out > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: a timeline of %zu vertices; at most %d can be drawn", path,
                      timeline->count + timeline->left_out, TIMELINE_MAX_ROWS);
  return TUTTI_OK;
}

tutti_status timeline_draw(struct timeline *timeline, const char *title, const char *path, tutti_error *error)
{
  char ranks[16], kinds[64], messages[24];
  tutti_status status = check(timeline, path, error);
  if (status != TUTTI_OK)
    return status;
  timeline_sort(timeline);
  snprintf(ranks, sizeof ranks, "%d", timeline->ranks);
  list_kinds(timeline, kinds, sizeof kinds);
  snprintf(messages, sizeof messages, "%zu",
           count_kind(timeline, TUTTI_RECV) > 0 ? count_kind(timeline, TUTTI_SEND) : 0);
  const char *const arguments[] = {title, ranks, kinds, messages, NULL};
  const struct plot_request request = {"timeline.gp", arguments, timeline_write, timeline};
  gnuplot_draw(&request, path);
  return TUTTI_OK;
}
