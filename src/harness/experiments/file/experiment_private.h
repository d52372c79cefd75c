/* The steps of reading an experiment file. */
#ifndef TUTTI_EXPERIMENTS_EXPERIMENT_PRIVATE_H
#define TUTTI_EXPERIMENTS_EXPERIMENT_PRIVATE_H

#include "decision/results/row.h"
#include "harness/experiments/file/experiment_list.h"
#include "harness/platforms/xml.h"
#include "tutti/experiment.h"

/* Maximum points of an experiment: ranks x sizes x methods, ranks x samples x builders. No experiment needs as many; it
   is a guard against slips such as 1..1000000 on two axes. */
enum { EXPERIMENT_MAX_POINTS = 1 << 22 };

/* Facts about the platform that sweeps need. */
struct experiment_machine {
  const char *platform; /* its name */
  long room;            /* for so many ranks */
  int ranks_per_node;   /* of a host */
  tutti_places places;
  tutti_experiment_setting *setting; /* NULL: as in the file */
};

/* Fill in one sweep from a checked <sweep>. What was allocated before a
   failure is left in @p sweep. */
tutti_status tutti_experiment_read_sweep(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, tutti_sweep *sweep,
                                         tutti_error *error);

/* The same of a <group>. */
tutti_status tutti_experiment_read_group(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, tutti_group_sweep *sweep,
                                         tutti_error *error);

/* The same of an element of that kind of results. */
tutti_status tutti_experiment_read_result(const xml_file *file, const xmlNode *node, tutti_result_kind kind,
                                          const struct experiment_machine *machine, tutti_result_sweep *sweep,
                                          tutti_error *error);

/* The name of the element of a kind of results: "sort". */
const char *tutti_experiment_result_element(const struct tutti_row_kind *kind);

/* The same as tutti_experiment_choose_engine(), without the path in messages. */
tutti_status tutti_experiment_set_engine(tutti_experiment *experiment, const char *engine, tutti_error *error);

/* Fill in steps, claims, what explains them, and the time that it takes. */
tutti_status tutti_experiment_read_claims(const xml_file *file, tutti_experiment *experiment, tutti_error *error);
void tutti_experiment_free_claims(tutti_experiment *experiment);

/* The document of sweeps given in words; owned by the caller (xmlFreeDoc()). */
tutti_status tutti_experiment_document(const tutti_experiment_words *words, xmlDoc **document, tutti_error *error);

/* Whether an element describes something to measure. */
bool tutti_experiment_is_part(const xmlNode *node);

/* A path in the file, which is relative to the folder of the file; owned by the caller. */
char *tutti_experiment_path(const xml_file *file, const char *path);

/* The text of an element without the blanks at both ends; owned by the caller. */
char *tutti_experiment_text(const xmlNode *node);

/* Check that every element and attribute is known and in its place. */
tutti_status tutti_experiment_check(const xml_file *file, tutti_error *error);

/* The only child of that name; *child is NULL without one. */
tutti_status tutti_experiment_only_child(const xml_file *file, const xmlNode *node, const char *name,
                                         const xmlNode **child, tutti_error *error);

/* A whole number from 0 on. */
tutti_status tutti_experiment_parse_whole(const char *text, uint64_t *value, tutti_error *error);

/* tutti_experiment_parse_list() of the text of an element, which errors name. */
tutti_status tutti_experiment_read_list(const xml_file *file, const xmlNode *node, experiment_number *parse,
                                        uint64_t **values, int *count, tutti_error *error);

/* The <ranks> of a sweep, owned by the caller; no more than fit. */
tutti_status tutti_experiment_read_ranks(const xml_file *file, const xmlNode *parent,
                                         const struct experiment_machine *machine, int **ranks, int *count,
                                         tutti_error *error);

/* How many of the first of @p values, ascending numbers of ranks of @p node, fit: all, or it fails; in another setting
   the rest is left out, unless nothing remains. */
tutti_status tutti_experiment_check_room(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, const uint64_t *values, int *count,
                                         tutti_error *error);

#endif
