/* DOT files: each vertex once and within its rank, each wait and each message once, both ends of a message there. */
#include "tutti/analysis.h"
#include "unit/test.h"

enum { MAX_NODES = 20000, NAME = 40 };

struct graph {
  char names[MAX_NODES][NAME];
  size_t nodes, waits, messages;
  int cluster; /* -1: outside */
  int clusters;
};

static bool has_node(const struct graph *graph, const char *name)
{
  for (size_t i = 0; i < graph->nodes; i++)
    if (strcmp(graph->names[i], name) == 0)
      return true;
  return false;
}

/* s_FROM_TO_NUMBER, r_FROM_TO_NUMBER, v_RANK_VERTEX: which rank is it in? */
static int rank_of(const char *name)
{
  int from, to;
  if (sscanf(name, "v_%d_", &from) == 1)
    return from;
  assert_int_equal(sscanf(name + 1, "_%d_%d_", &from, &to), 2);
  return *name == 's' ? from : to;
}

static void read_line(struct graph *graph, const char *line)
{
  char name[NAME], other[NAME], rest[NAME];
  if (sscanf(line, " subgraph cluster_%d {", &graph->cluster) == 1) {
    assert_int_equal(graph->cluster, graph->clusters++);
  } else if (strcmp(line, "  }") == 0) {
    graph->cluster = -1;
  } else if (sscanf(line, " %39[srv_0-9] -> %39[srv_0-9]%39[^\n]", name, other, rest) == 3) {
    bool message = strcmp(rest, " [style=dashed];") == 0;
    assert_true(message ? graph->cluster == -1 : strcmp(rest, ";") == 0 && rank_of(other) == graph->cluster);
    assert_true(has_node(graph, name)); /* of the rank that has just been written */
    assert_true(!message || (*name == 's' && *other == 'r' && strcmp(name + 1, other + 1) == 0));
    *(message ? &graph->messages : &graph->waits) += 1;
  } else if (sscanf(line, " %39[srv_0-9] [label=", name) == 1 && strstr(line, "fillcolor")) {
    assert_int_equal(rank_of(name), graph->cluster);
    assert_false(has_node(graph, name));
    assert_true(graph->nodes < MAX_NODES);
    strcpy(graph->names[graph->nodes++], name);
  }
}

static bool has_other_end(const struct graph *graph, const char *name)
{
  char other[NAME];
  snprintf(other, sizeof other, "%c%s", *name == 's' ? 'r' : 's', name + 1);
  return has_node(graph, other);
}

static void read_graph(struct graph *graph, char *text)
{
  char *position;
  graph->cluster = -1;
  graph->nodes = graph->waits = graph->messages = 0;
  graph->clusters = 0;
  for (char *line = strtok_r(text, "\n", &position); line; line = strtok_r(NULL, "\n", &position))
    read_line(graph, line);
  for (size_t i = 0; i < graph->nodes; i++)
    if (*graph->names[i] != 'v')
      assert_true(has_other_end(graph, graph->names[i]));
}

static size_t count_edges(const tutti_method *method, tutti_call call)
{
  size_t edges = 0;
  for (call.rank = 0; call.rank < call.size; call.rank++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_arena_init(&arena);
    assert_int_equal(tutti_method_schedule(method, &call, &arena, &schedule, &error), TUTTI_OK);
    edges += schedule.edge_count;
    tutti_arena_release(&arena);
  }
  return edges;
}

static void check(struct graph *graph, const tutti_method *method, const tutti_call *call)
{
  FREED_BY(free_memory) char *text;
  size_t length;
  tutti_total total;
  FILE *file = open_memstream(&text, &length);
  assert_int_equal(tutti_export_dot(method, call, file, &error), TUTTI_OK);
  fclose(file);
  assert_int_equal(tutti_count_method(method, call, &total, &error), TUTTI_OK);
  read_graph(graph, text);
  assert_int_equal(graph->clusters, call->size);
  assert_int_equal(graph->nodes, total.sum.vertices);
  assert_int_equal(graph->messages, total.sum.sends);
  assert_int_equal(graph->waits, count_edges(method, *call));
}

TEST(every_vertex_wait_and_message_is_drawn)
{
  static const int sizes[] = {1, 2, 5, 8};
  FREED_BY(free_memory) struct graph *graph = malloc(sizeof *graph);
  int checked = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      tutti_call call = {.size = sizes[s], .count = 9, .type_size = 4, .commutative = true};
      if (method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
        method.parameters.k = 2;
      if (tutti_method_check(&method, &call, &error) != TUTTI_OK)
        continue;
      check(graph, &method, &call);
      checked++;
    }
  assert_true(checked > (int)tutti_algorithm_count());
}
