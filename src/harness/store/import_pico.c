/*
 * Tables of measured machines, made from the publications of PICO: fields between tabs, a line of headings. A
 * line is a method at a point; times are nanoseconds, of each repetition the slowest rank, after a barrier:
 *
 *     machine nodes ranks_per_node collective library settings bytes method repetitions min_ns median_ns mean_ns max_ns
 * run lumi    16    1    allreduce CRAY_MPICH-8.1.29    131072 ring_over 50 101 102 103 104  2025_03_16___14_58_59/0
 *
 * `bytes` is the message, or all blocks together, from which those of a rank are rounded down to whole integers of 4
 * bytes. The other table has the nodes of a run, of which the store keeps a digest, as for runs of its own:
 *
 *     machine run                             nodes_by_rank
 *     lumi    2025_03_16___14_58_59/alloc.csv nid006718:x1301c6s6b0n0 nid006719:x1301c6s6b1n0 ...
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/machine.h"
#include "base/words.h"
#include "harness/store/import_file.h"
#include "harness/store/import_pico.h"

static const struct import_columns columns = {.cut = CUT_TABS,
                                              .unit = 1e-9,
                                              .items = {{"machine", FIELD_MACHINE},
                                                        {"nodes|nodes_by_rank", FIELD_NODES},
                                                        {"ranks_per_node", FIELD_RANKS_PER_NODE},
                                                        {"collective", FIELD_COLLECTIVE},
                                                        {"library", FIELD_LIBRARY},
                                                        {"settings", FIELD_SETTINGS},
                                                        {"bytes", FIELD_SIZE},
                                                        {"method", FIELD_METHOD},
                                                        {"repetitions", FIELD_REPETITIONS},
                                                        {"min_ns", FIELD_MINIMUM},
                                                        {"median_ns", FIELD_MEDIAN},
                                                        {"mean_ns", FIELD_MEAN},
                                                        {"max_ns", FIELD_MAXIMUM},
                                                        {"run", FIELD_RUN}}};

enum { TYPE_SIZE = 4, MAX_NODES = 1 << 20 };

const char tutti_pico_headings[] = "machine\tnodes\tranks_per_node\tcollective\tlibrary\tsettings\tbytes\tmethod\t"
                                   "repetitions\tmin_ns\tmedian_ns\tmean_ns\tmax_ns\trun",
           tutti_pico_allocation_headings[] = "machine\trun\tnodes_by_rank";

static bool recognizes(const char *line)
{
  return strcmp(line, tutti_pico_headings) == 0 || strcmp(line, tutti_pico_allocation_headings) == 0;
}

/* ---- allocations ---- */

static uint64_t digest_nodes(const char *nodes)
{
  char *copy = tutti_xstrdup(nodes), *list = copy;
  struct {
    TUTTI_VECTOR(uint64_t);
  } digests = {.count = 0};
  for (char *node; (node = strsep(&list, " "));)
    if (*node)
      tutti_xpush(&digests, tutti_digest(node, strlen(node)));
  const uint64_t digest = tutti_digest_set(digests.items, digests.count);
  tutti_vector_free(&digests);
  free(copy);
  return digest;
}

void tutti_pico_add_allocation(tutti_imported *imported, const char *machine, const char *run, const char *nodes)
{
  tutti_import_allocation allocation = {.machine = tutti_xstrdup(machine), .run = tutti_xstrdup(run)};
  tutti_digest_format(digest_nodes(nodes), allocation.hosts);
  tutti_xpush(&imported->allocations, allocation);
  char *name = tutti_xprintf("%s\t%s", machine, run);
  size_t *number = tutti_index_number(&imported->index, name);
  free(name);
  if (*number == 0)
    *number = imported->allocations.count;
}

static tutti_status take_allocation(struct import_file *file, char *line, tutti_error *error)
{
  const char *const *cells = file->pico.cells;
  if (tutti_import_cells(&file->pico, line) != file->pico.count || !*cells[FIELD_MACHINE] || !*cells[FIELD_RUN] ||
      !*cells[FIELD_NODES])
    return tutti_import_fail(file, error, "a machine, a run and its nodes are expected, with tabs between them", "%s",
                             "");
  tutti_pico_add_allocation(file->imported, cells[FIELD_MACHINE], cells[FIELD_RUN], cells[FIELD_NODES]);
  return TUTTI_OK;
}

/* 1 + the position of the allocation in a file of the run, or 0. */
static size_t find_allocation(const tutti_imported *imported, const tutti_import_origin *origin, const char *file)
{
  char *name = tutti_xprintf("%s\t%.*s%s", origin->platform, (int)strcspn(origin->run, "/"), origin->run, file);
  const size_t found = tutti_index_find(&imported->index, name);
  free(name);
  return found;
}

/* The file of a run's nodes is RUN/alloc.csv, or RUN/alloc_NODES.csv where it had several numbers of nodes. */
const char *tutti_import_hosts(const tutti_imported *imported, const tutti_import_origin *origin)
{
  char of_nodes[32];
  snprintf(of_nodes, sizeof of_nodes, "/alloc_%d.csv", origin->nodes);
  const size_t plain = find_allocation(imported, origin, "/alloc.csv"),
               one = find_allocation(imported, origin, of_nodes), first = plain && (!one || plain < one) ? plain : one;
  return first ? imported->allocations.items[first - 1].hosts : "";
}

/* ---- where a row is from ---- */

bool tutti_pico_nodes(const char *text, uint64_t *nodes)
{
  char copy[64], *rest = copy;
  *nodes = 1;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    return false;
  for (char *side; (side = strsep(&rest, "x"));) {
    uint64_t number;
    if (!tutti_parse_integer(side, 1, MAX_NODES, &number) || (*nodes *= number) > MAX_NODES)
      return false;
  }
  return true;
}

/* Returns 1 + the place of the origin. */
static size_t find_origin(tutti_imported *imported, const char *const *fields, int nodes)
{
  char *name = tutti_xprintf("%s\t%s\t%s\t%d", fields[FIELD_MACHINE], fields[FIELD_LIBRARY], fields[FIELD_RUN], nodes);
  size_t *number = tutti_index_number(&imported->index, name);
  free(name);
  if (*number > 0)
    return *number;
  tutti_xpush(&imported->origins, (tutti_import_origin){.platform = tutti_xstrdup(fields[FIELD_MACHINE]),
                                                        .library = tutti_xstrdup(fields[FIELD_LIBRARY]),
                                                        .run = tutti_xstrdup(fields[FIELD_RUN]),
                                                        .nodes = nodes});
  return *number = imported->origins.count;
}

/* Words NAME=VALUE in the order of the store; settings in other words become a note. */
static char *format_settings(const char *const *fields, const struct pico_method *found)
{
  const char *own = fields[FIELD_SETTINGS];
  const bool is_word = strchr(own, '=') && !strchr(own, ' ');
  const bool is_torus = strchr(fields[FIELD_NODES], 'x');
  const char *gpu = fields[FIELD_GPU] && *fields[FIELD_GPU] ? fields[FIELD_GPU] : NULL,
             *version = fields[FIELD_GPU_VERSION];
  char *interface = tutti_xprintf("%s%s%s%s%s%s", gpu ? "gpu=" : "", gpu ? gpu : "", gpu && *version ? "-" : "",
                                  gpu ? version : "", gpu ? " " : "", found->utofu ? "interface=utofu " : "");
  char *note = is_word ? tutti_xprintf("%s %s", own, interface)
               : *own  ? tutti_xprintf("%snote=%s", interface, own)
                       : tutti_xstrdup(interface);
  for (char *blank = is_word || !*own ? NULL : strstr(note, "note="); blank && (blank = strchr(blank, ' '));)
    *blank = '_';
  char *text = tutti_xprintf("%s%srun=%s%s%s%s%s", note, !is_word && *own ? " " : "", fields[FIELD_RUN],
                             is_torus ? " torus=" : "", is_torus ? fields[FIELD_NODES] : "",
                             *found->variant ? " variant=" : "", found->variant);
  free(note);
  free(interface);
  return text;
}

/* ---- rows ---- */

static tutti_status read_numbers(const struct import_file *file, uint64_t *nodes, tutti_measurement *row,
                                 uint64_t *bytes, tutti_error *error)
{
  const char *const *cells = file->pico.cells;
  uint64_t per_node;
  if (!tutti_pico_nodes(cells[FIELD_NODES], nodes))
    return tutti_import_fail(file, error, "not a number of nodes", "'%.40s'", cells[FIELD_NODES]);
  if (!tutti_parse_integer(cells[FIELD_RANKS_PER_NODE], 1, INT_MAX / *nodes, &per_node))
    return tutti_import_fail(file, error, "not a number of ranks on a node", "'%.40s'", cells[FIELD_RANKS_PER_NODE]);
  row->ranks_per_node = (int)per_node;
  row->ranks = (int)(*nodes * per_node);
  return tutti_import_numbers(file, &file->pico, bytes, row, error);
}

static tutti_status append(struct import_file *file, const char *const *fields, const struct pico_method *found,
                           int nodes, tutti_measurement *row, tutti_error *error)
{
  tutti_imported *imported = file->imported;
  tutti_import_item item = {.table = imported->tables, .origin = find_origin(imported, fields, nodes)};
  snprintf(item.program, sizeof item.program, "%s", file->program);
  row->method = found->method;
  item.measurement = *row;
  item.settings = format_settings(fields, found);
  return tutti_import_append(file, &item, error);
}

static tutti_status add_row(struct import_file *file, tutti_error *error)
{
  const char *const *fields = file->pico.cells;
  tutti_measurement row = {.scheme = TUTTI_SCHEME_PICO};
  tutti_collective collective;
  struct pico_method found;
  uint64_t nodes, bytes;
  row.type_size = file->how->type_size ? file->how->type_size : TYPE_SIZE;
  if (!*fields[FIELD_MACHINE] || !*fields[FIELD_LIBRARY] || !*fields[FIELD_RUN] || strchr(fields[FIELD_RUN], ' '))
    return tutti_import_fail(file, error, "the machine, the library or the run is missing", "%s", "");
  if (fields[FIELD_GPU] && (strpbrk(fields[FIELD_GPU], " =") || strpbrk(fields[FIELD_GPU_VERSION], " =")))
    return tutti_import_fail(file, error, "not the name of a library", "'%.40s'", fields[FIELD_GPU]);
  tutti_status status = read_numbers(file, &nodes, &row, &bytes, error);
  if (status != TUTTI_OK)
    return status;
  if (!tutti_import_collective(fields[FIELD_COLLECTIVE], strlen(fields[FIELD_COLLECTIVE]), &collective))
    return tutti_import_fail(file, error, "no collective", "'%.40s'", fields[FIELD_COLLECTIVE]);
  const uint64_t parts = tutti_collective_traits(collective) & TUTTI_HAS_BLOCKS ? (uint64_t)row.ranks : 1;
  row.count = bytes / parts / row.type_size;
  if (row.count == 0) {
    tutti_import_pass(file, tutti_import_unequal, "%llu bytes", (unsigned long long)bytes);
    return TUTTI_OK;
  }
  if (!tutti_pico_method(collective, fields[FIELD_METHOD], fields[FIELD_NODES], fields[FIELD_SETTINGS], &found)) {
    tutti_import_pass(file, "methods that Tutti does not have", "%s/%s", fields[FIELD_COLLECTIVE],
                      fields[FIELD_METHOD]);
    return TUTTI_OK;
  }
  return append(file, fields, &found, (int)nodes, &row, error);
}

static tutti_status take_row(struct import_file *file, char *line, tutti_error *error)
{
  if (tutti_import_cells(&file->pico, line) != file->pico.count)
    return tutti_import_fail(file, error, "not as many fields as headings", "%d are expected", file->pico.count);
  return add_row(file, error);
}

tutti_status tutti_pico_add(tutti_imported *imported, const tutti_import_how *how, const char *shown,
                            const char *const *cells, tutti_error *error)
{
  struct import_passing passing = {.why = NULL};
  struct import_file file = {
      .how = how, .imported = imported, .name = shown, .program = "pico", .pico.known = &columns, .passing = &passing};
  memcpy(file.pico.cells, cells, sizeof file.pico.cells);
  imported->tables++;
  return tutti_import_go_on(&file, add_row(&file, error));
}

static tutti_status parse_line(struct import_file *file, char *line, tutti_error *error)
{
  if (file->how->format != TUTTI_IMPORT_PICO && !recognizes(line) && tutti_import_leaves_row(file))
    return TUTTI_OK;
  if (file->how->format != TUTTI_IMPORT_PICO)
    return tutti_import_fail_table(
        file, error, "a table of PICO says itself where it was measured: use --format pico alone", "%s", "");
  if (recognizes(line)) {
    file->take_pico = strcmp(line, tutti_pico_headings) == 0 ? take_row : take_allocation;
    file->pico = (struct import_table){.known = &columns};
    tutti_import_headings(&file->pico, line);
    return TUTTI_OK;
  }
  if (*line == '#' || !*line)
    return TUTTI_OK;
  if (!file->take_pico)
    return tutti_import_fail(file, error, "a row before the headings of its table", "%s", "");
  return file->take_pico(file, line, error);
}

const struct import_reader tutti_import_pico = {.recognizes = recognizes, .take = parse_line};
