#include "cli/params/report_params.h"

#include <stdio.h>
#include <string.h>

/* ---- the parameters of the models ---- */

static void get_unit(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const struct parameter_value *value = row;
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = value->per_byte ? "[us/B]" : "[us]";
}

static void get_difference(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_REAL;
  cell->real = tutti_parameter_value_difference(row);
}

static const tutti_column model_columns[] = {
    {"", NULL, TUTTI_FIELD(struct parameter_value, model), .width = 18},
    {"", NULL, TUTTI_FIELD(struct parameter_value, label), .width = 7},
    {"", NULL, .get = get_unit, .width = 7},
    {"measured", NULL, TUTTI_FIELD(struct parameter_value, measured), .scale = 1e6, .significant = 6, .width = 12},
    {"published", NULL, TUTTI_FIELD(struct parameter_value, published), .scale = 1e6, .significant = 6, .width = 12},
    {"difference", NULL, .get = get_difference, .decimals = 2, .suffix = " %", .none = "", .width = 12},
};

enum { COLUMNS_WITHOUT_COMPARISON = 4 };

/* ---- PLogP by message size ---- */

static const tutti_column plogp_columns[] = {
    {"m [B]", "m_B", TUTTI_FIELD(tutti_plogp_point, m), .width = 12},
    {"g(m)", "g_s", TUTTI_FIELD(tutti_plogp_point, g), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
    {"o_s(m)", "o_s_s", TUTTI_FIELD(tutti_plogp_point, o_s), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
    {"o_r(m)", "o_r_s", TUTTI_FIELD(tutti_plogp_point, o_r), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
};

/* ---- all that is stored ---- */

static void get_quantity(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_parameter *parameter = row;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = column->index ? tutti_quantity_unit(parameter->quantity) : tutti_quantity_name(parameter->quantity);
}

static const tutti_column stored_columns[] = {
    {NULL, "quantity", .get = get_quantity},
    {"reduction", "of", TUTTI_FIELD(tutti_parameter, of), .width = 18},
    {NULL, "bytes", TUTTI_FIELD(tutti_parameter, bytes)},
    {"gamma", "value", TUTTI_FIELD(tutti_parameter, value), .unit = "us/B", .scale = 1e6, .significant = 6,
     .width = 12},
    {NULL, "unit", .get = get_quantity, .index = 1},
};

static tutti_status print_gammas(const tutti_parameter_set *set, tutti_error *error)
{
  tutti_table gammas = {TUTTI_COLUMNS(stored_columns), .row_size = sizeof *set->parameters, .gap = 1};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < set->parameter_count && status == TUTTI_OK; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAMMA)
      status = tutti_table_add(&gammas, &set->parameters[i], error);
  putchar('\n');
  if (status == TUTTI_OK)
    status = tutti_table_print(&gammas, stdout, error);
  tutti_table_free(&gammas);
  return status;
}

/* ---- all of it ---- */

static tutti_status print_text(const struct params_report *report, const struct parameter_value *values,
                               const tutti_table *plogp, tutti_error *error)
{
  tutti_table models = {TUTTI_COLUMNS(model_columns), TUTTI_ROWS(values, PARAMETER_VALUES), .gap = 1};
  if (!report->published)
    models.column_count = COLUMNS_WITHOUT_COMPARISON;
  printf("%s, %s, %s\n\n", report->name, report->flavor, report->set->library);
  tutti_status status = tutti_table_print(&models, stdout, error);
  if (status == TUTTI_OK && report->set->has[TUTTI_MODEL_PLOGP]) {
    printf("\nPLogP, %zu message sizes\n", plogp->row_count);
    status = tutti_table_print(plogp, stdout, error);
  }
  return status == TUTTI_OK ? print_gammas(report->set, error) : status;
}

/* Facts: where it was measured and, in JSON, each parameter by its name. */
struct facts {
  const char *platform, *flavor, *library;
  const struct parameter_value *values;
};

static void get_value(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const struct parameter_value *value = &((const struct facts *)row)->values[column->index / 2];
  cell->type = TUTTI_CELL_REAL;
  cell->real = column->index % 2 ? value->published : value->measured;
}

static int describe_facts(const struct params_report *report, const struct parameter_value *values, char keys[][32],
                          tutti_column *facts)
{
  int count = 0;
  facts[count++] = (tutti_column){NULL, "platform", TUTTI_FIELD(struct facts, platform)};
  facts[count++] = (tutti_column){NULL, "flavor", TUTTI_FIELD(struct facts, flavor)};
  facts[count++] = (tutti_column){NULL, "library", TUTTI_FIELD(struct facts, library)};
  for (int i = 0; i < PARAMETER_VALUES; i++) {
    facts[count++] = (tutti_column){NULL, values[i].member, .get = get_value, .index = 2 * i};
    snprintf(keys[i], sizeof keys[i], "published_%s", values[i].member);
    if (report->published)
      facts[count++] = (tutti_column){NULL, keys[i], .get = get_value, .index = 2 * i + 1};
  }
  return count;
}

tutti_status report_params(const struct params_report *report, tutti_format format, tutti_error *error)
{
  const tutti_parameter_set *set = report->set;
  struct parameter_value values[PARAMETER_VALUES];
  tutti_column facts[3 + 2 * PARAMETER_VALUES];
  char keys[PARAMETER_VALUES][32];
  const tutti_table tables[] = {
      {.key = "plogp", TUTTI_COLUMNS(plogp_columns), TUTTI_ROWS(set->plogp.points, set->plogp.count), .gap = 1},
      {.key = "values", TUTTI_COLUMNS(stored_columns), TUTTI_ROWS(set->parameters, set->parameter_count)},
  };
  tutti_parameter_values(set, report->published, values);
  if (format == TUTTI_FORMAT_TEXT)
    return print_text(report, values, &tables[0], error);
  const struct facts about = {report->name, report->flavor, set->library, values};
  tutti_document document = {.facts = facts, .about = &about, TUTTI_TABLES(tables)};
  document.fact_count = describe_facts(report, values, keys, facts);
  if (format == TUTTI_FORMAT_CSV) {
    document.fact_count = 3;
    document.tables = &tables[1];
    document.table_count = 1;
  }
  return tutti_document_print(&document, format, stdout, error);
}
