/**
 * @file report.h
 * @ingroup report
 * The report: one self-contained HTML page about a store. No network, no font or script from elsewhere, no
 * date: the same store gives the same bytes.
 *
 * Sections (empty ones are left out): if there are several maps, all of them at a glance; a
 * decision map for each collective, environment and scheme, in which every point shows the times of its methods and
 * the picks of each decision function there, the loss without tuning, and the recommended rules; groups; sorting,
 * ranges and group maps; published beside measured; kept penalties; where every number comes from, with the command
 * and the query that give it; and platforms with published and measured parameters.
 *
 * Without JavaScript the maps are tables of letters. Their data are in the page once, as
 * JSON in the element with the id "tutti-data":
 *
 *     {"losses": [{"least": 5, "text": "5 to 10 %", "colour": "#fee391", "ink": "#000"}, ...],   percent, ascending
 *      "maps": [{"collective": "bcast", "platform": "grig_mx", "ranks": [2, 4], "sizes": [1, 1024],
 *       "methods": [{"name": "bcast/linear", "letter": "A", "colour": "#e69f00", "ink": "#000",
 *                    "candidate": true}, ...],           a background of CSS, and what is read on it
 *       "measured": 75,                                    this many first methods have times
 *       "times_us": [[12.3, 14.5, null, ...], ...],        a list a point, ranks by ranks; null: not measured
 *       "noise_us": [[0.2, 1.1, 0, ...], ...],              the same, of real machines: uncertainty of the times
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

/** Which maps there are, and which methods can be best in them. */
typedef struct tutti_report_choice {
  int root;           /**< of collectives with a root; -1: any */
  int implementation; /**< a tutti_implementation, whose methods can be best: maps without any are left out; -1: by the
                         measured methods */
  bool native;        /**< native methods can be best, too */
  bool rounds_apart;  /**< include methods whose ranks may get sums that differ in their last bits */
  const tutti_arrival *arrivals; /**< [arrival_count] maps of these patterns; 0: of any */
  int arrival_count;
  const tutti_noise *noises; /**< [noise_count] maps of these; 0: of any */
  int noise_count;
} tutti_report_choice;

/** Content of a report. Zero-initialize. */
typedef struct tutti_report_request {
  const char *title;                 /**< NULL: "Tutti report" */
  const char *database;              /**< the store as the commands on the page name it; NULL: results.db */
  const char *const *platforms;      /**< [platform_count] only these; the names must be in the store */
  const char *const *hashes;         /**< [platform_count] of these files only; NULL, or one that is NULL: of any */
  int platform_count;                /**< 0: all */
  const tutti_selection *only;       /**< rows that match this (tutti_store_contents_keep()); NULL: all */
  const tutti_report_choice *choice; /**< NULL: all maps */
  const char *engine;                /**< a flavor: rows that another engine simulated are left out; NULL: none are */
  const tutti_decision *decisions;   /**< [decision_count] asked beside the libraries and the models, by their names */
  int decision_count;
  const tutti_experiment *experiments; /**< [experiment_count] whose claims are set beside what was measured */
  int experiment_count;
} tutti_report_request;

/** A decision function at the points of a map. */
typedef struct tutti_report_layer {
  char *name;
  const char *kind; /**< "given", "recommended", "library", "native", "model", "best single method" */
  int *picks;       /**< [ranks_count][size_count] index into the shown methods of the map; -1: no answer */
  double *percents; /**< [ranks_count][size_count] penalty; NaN: the pick was not measured, or is missing */
  tutti_penalty penalty;
} tutti_report_layer;

/** The file of its platform that the rows of a map are of, if there are maps of several. */
typedef enum tutti_report_file {
  REPORT_FILE_ALONE,  /**< of the file as it is now, or of the only one */
  REPORT_FILE_OLDER,  /**< of the file as it was before; such maps come last */
  REPORT_FILE_UNKNOWN /**< no file of that name is found */
} tutti_report_file;

/** A decision map of the report. */
typedef struct tutti_report_map {
  int environment; /**< index into the contents */
  tutti_report_file file;
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
  bool *marked;        /**< [shown_count] best or picked somewhere, so that it has letters */
  bool *best;          /**< [shown_count] best somewhere: numbers of its letters are those of `tutti map` */
  int layer_count;
  tutti_report_layer *layers; /**< those that answer for at least one point */
  char *rules;                /**< the tree that is recommended, a line a node; NULL: none */
  bool has_file;              /**< it can be a file for the library */
  char *written;              /**< the loss of the written file there, NULL: none; without a file the reason */
} tutti_report_map;

/** The computed content of the page; the pictures of the report are made of the same. */
typedef struct tutti_report {
  const tutti_report_request *request;
  tutti_store *store;
  tutti_store_contents contents; /**< of the requested platforms */
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
