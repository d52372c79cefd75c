/**
 * @file report.h
 * @ingroup report
 * The report: one self-contained HTML page of what a store holds. No network, no font or script from elsewhere, no
 * date: the same store gives the same bytes.
 *
 * Sections: an overview; platforms with published and measured parameters; a decision map for each collective,
 * environment and scheme, in which every point says what its methods take and what each decision function picks there;
 * penalties of all decision functions; groups; sorting, ranges and group maps; published beside measured; and where
 * every number comes from, with the command and the query that give it. A section that has nothing says which command
 * would fill it.
 *
 * The page can be read without JavaScript, where the maps are tables of letters. Their data stand in the page once, as
 * JSON in the element with the id "tutti-data":
 *
 *     {"maps": [{"collective": "bcast", "platform": "grig_mx", "ranks": [2, 4], "sizes": [1, 1024],
 *       "methods": [{"name": "bcast/linear", "letter": "A", "colour": "#e69f00"}, ...],
 *       "measured": 75,                                    the first so many methods have times
 *       "times_us": [[12.3, 14.5, null, ...], ...],        a list a point, ranks by ranks; null: not measured
 *       "best": [0, 3, ...],                               methods, a point each; -1: none
 *       "layers": [{"name": "library:mpich-4.0", "picks": [0, 3, ...], "loss_percent": [0, 12.3, null, ...]}]}]}
 */
#ifndef TUTTI_REPORT_H
#define TUTTI_REPORT_H

#include <stdio.h>

#include "tutti/decision.h"
#include "tutti/experiment.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to report. Zero-initialize. */
typedef struct tutti_report_request {
  const char *title;               /**< NULL: "Tutti report" */
  const char *database;            /**< the store as the commands on the page name it; NULL: results.db */
  const char *const *platforms;    /**< [platform_count] only these; the names must be in the store */
  int platform_count;              /**< 0: all */
  const tutti_decision *decisions; /**< [decision_count] asked beside the libraries and the models, by their names */
  int decision_count;
  const tutti_experiment *experiments; /**< [experiment_count] whose claims are set beside what was measured */
  int experiment_count;
} tutti_report_request;

/** A decision function at the points of a map. */
typedef struct tutti_report_layer {
  char *name;
  const char *kind; /**< "library", "model", "method", "file" */
  int *picks;       /**< [ranks_count][size_count] index into the shown methods of the map; -1: no answer */
  double *percents; /**< [ranks_count][size_count] penalty; NaN: the pick was not measured, or there is none */
  tutti_penalty penalty;
} tutti_report_layer;

/** A decision map of the report. */
typedef struct tutti_report_map {
  int environment; /**< index into the contents */
  tutti_scheme scheme;
  int ranks_per_node, root;
  uint64_t type_size;
  tutti_arrival arrival;
  tutti_noise noise;
  int min_repetitions, max_repetitions;
  size_t points; /**< measured */
  tutti_decision_map map;
  int shown_count;     /**< methods of the map, then those that only decision functions pick */
  tutti_method *shown; /**< [shown_count] */
  int *letters;        /**< [shown_count] number among those with letters; -1: never best nor picked */
  int letter_count;
  int layer_count;
  tutti_report_layer *layers; /**< those that answer for at least one point */
} tutti_report_map;

/** What is on the page, computed; the pictures of the report are made of the same. */
typedef struct tutti_report {
  const tutti_report_request *request;
  tutti_store *store;
  tutti_store_contents contents; /**< of the platforms asked for */
  int map_count;
  tutti_report_map *maps;
} tutti_report;

/**
 * Read the store and ask every decision function at every map: the libraries (library.h), models by formula where
 * parameters of the platform are in the store, the best single method, and those of the request.
 * @param request  must live as long as the report, as must @p store
 * @return TUTTI_ERR_ARGUMENT if a platform is not in the store (the message lists those that are) or stored rows cannot
 *         be read; TUTTI_ERR_IO; TUTTI_ERR_MEMORY. Nothing is left to free then.
 */
tutti_status tutti_report_create(const tutti_report_request *request, tutti_store *store, tutti_report *report,
                                 tutti_error *error);

/** Free what a report owns. */
void tutti_report_free(tutti_report *report);

/** Write the page. TUTTI_ERR_IO if @p stream fails, errors of reading as above. */
tutti_status tutti_report_write(const tutti_report *report, FILE *stream, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
