/* Elements and attributes of an experiment file: fixed elements, and one for each kind of result that a program
 * measures, whose attributes are its keys. */
#include <stdio.h>
#include <string.h>

#include "harness/experiments/file/experiment_private.h"
#include "harness/platforms/xml.h"

/* All but the elements of results; the children of an experiment are filled in. */
static const xml_element_rule elements[] = {
    {"experiment",
     XML_ATTRIBUTES(XML_REQUIRED("name"), XML_OPTIONAL("source"), XML_OPTIONAL("takes"),
                    XML_ONE_OF("engine", "smpi " TUTTI_FLAVOR_FAST " " TUTTI_FLAVOR_FLOW)),
     {NULL},
     false},
    {"platform",
     XML_ATTRIBUTES(XML_OPTIONAL("name"), XML_OPTIONAL("file"), XML_ONE_OF("kind", "simulated real"),
                    XML_ONE_OF("flavor", "mpich openmpi")),
     {NULL},
     false},
    {"measure",
     XML_ATTRIBUTES(XML_OPTIONAL("scheme"), XML_OPTIONAL("warmup"), XML_OPTIONAL("repetitions-max"),
                    XML_OPTIONAL("launches"), XML_OPTIONAL("orders"), XML_OPTIONAL("confidence")),
     {NULL},
     false},
    {"sweep",
     XML_ATTRIBUTES(XML_REQUIRED("collective"), XML_OPTIONAL("root"), XML_OPTIONAL("arrival"), XML_OPTIONAL("noise")),
     {"ranks sizes method decision"},
     false},
    {"group",
     XML_ATTRIBUTES(XML_OPTIONAL("branching"), XML_OPTIONAL("seed"), XML_OPTIONAL("colours"),
                    XML_OPTIONAL("node-ranks")),
     {"ranks fractions members builder"},
     false},
    {"fractions", NULL, {NULL}, true},
    {"members", NULL, {NULL}, true},
    {"builder", XML_ATTRIBUTES(XML_REQUIRED("name")), {NULL}, false},
    {"ranks", NULL, {NULL}, true},
    {"sizes", NULL, {NULL}, true},
    {"method",
     XML_ATTRIBUTES(XML_OPTIONAL("name"), XML_OPTIONAL("algorithm"), XML_OPTIONAL("segments"), XML_OPTIONAL("k"),
                    XML_OPTIONAL("outstanding"), XML_OPTIONAL("selector"),
                    XML_ONE_OF("implementation", "openmpi mpich smpi")),
     {NULL},
     false},
    {"step", NULL, {NULL}, true},
    {"claim",
     XML_ATTRIBUTES(XML_REQUIRED("what"), XML_REQUIRED("published"), XML_OPTIONAL("unit"), XML_OPTIONAL("within"),
                    XML_OPTIONAL("from"),
                    XML_ONE_OF("kind", "prediction formula calibration self-check host-timing not-comparable"),
                    XML_ONE_OF("differs", "true false")),
     {NULL},
     true},
    {"differs", NULL, {NULL}, true},
    {"not-reproducible", NULL, {NULL}, true},
    {"decision", XML_ATTRIBUTES(XML_OPTIONAL("name"), XML_OPTIONAL("file")), {NULL}, false},
};

enum { FIXED = sizeof elements / sizeof *elements, CHILDREN_LENGTH = 192 };

struct rules {
  xml_attribute_rule attributes[TUTTI_RESULT_KINDS][TUTTI_RESULT_FIELDS + 1]; /* ended by a zeroed one */
  xml_element_rule elements[FIXED + TUTTI_RESULT_KINDS + 1];
  char children[CHILDREN_LENGTH]; /* of an experiment */
};

const char *tutti_experiment_result_element(const struct tutti_row_kind *kind)
{
  return kind->keyword + strlen("tutti-");
}

bool tutti_experiment_is_part(const xmlNode *node)
{
  static const char *const others[] = {"platform", "measure", "step", "claim", "differs", "not-reproducible"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (tutti_xml_is(node, others[i]))
      return false;
  return true;
}

static void add_result(struct rules *rules, tutti_result_kind kind, xml_element_rule *element)
{
  const struct tutti_row_column *column;
  for (int f = 0; (column = tutti_result_column(kind, f)) && tutti_column_is_key(column); f++)
    rules->attributes[kind][f].name = column->name;
  *element = (xml_element_rule){
      tutti_experiment_result_element(tutti_kind_of_result(kind)), rules->attributes[kind], {NULL}, false};
  size_t used = strlen(rules->children);
  snprintf(rules->children + used, sizeof rules->children - used, " %s", element->name);
}

tutti_status tutti_experiment_check(const xml_file *file, tutti_error *error)
{
  struct rules rules = {.children = "platform measure sweep group step claim differs not-reproducible"};
  int count = FIXED;
  memcpy(rules.elements, elements, sizeof elements);
  rules.elements[0].children[0] = rules.children;
  for (int kind = 0; kind < TUTTI_RESULT_KINDS; kind++)
    if (tutti_column_find(tutti_kind_of_result((tutti_result_kind)kind), "ranks"))
      add_result(&rules, (tutti_result_kind)kind, &rules.elements[count++]);
  return tutti_xml_check(file, "experiment", rules.elements, error);
}
