/**
 * @file code_table.h
 * Classifiers over communicator and message sizes as C without branches. No MPI.
 *
 * Nested tests, as section 5.3.3 of Pjesivac-Grbovic 2007 generates them, are mispredicted half of the time when
 * questions differ from call to call: a level costs some 4 ns (of a quadtree of three levels: 14 ns, its table 4.4 ns,
 * at 2.5 GHz). The thresholds of an axis are few, for all regions of a quadtree share them: where a question lies among
 * them is found by halving, with comparisons that are added instead of branched upon, and a table of all boxes between
 * thresholds has the answer. bench/decide.c has figures.
 */
#ifndef TUTTI_CODE_TABLE_H
#define TUTTI_CODE_TABLE_H

#include "tutti/classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most boxes of a table. */
#define TUTTI_MOST_BOXES (1 << 20)

/**
 * Write C99 that needs no header, tables and one function,
 *
 *     int FUNCTION(int ranks, unsigned long long bytes)
 *
 * which returns the label for a question as the classifier has it; with a further `int ranks_per_node` at the end if
 * the classifier has that attribute. The tables are FUNCTION_ranks, FUNCTION_bytes,
 * FUNCTION_ranks_per_node and FUNCTION_labels, all static.
 * @param classifier   continuous attributes "ranks", "bytes", "ranks_per_node" only, as far as tests look at them
 * @param function     a C identifier
 * @param table_bytes  may be NULL: receives the size of the tables
 * @return TUTTI_ERR_UNSUPPORTED if another attribute is tested (the message names it) or there are more than
 *         TUTTI_MOST_BOXES boxes; TUTTI_ERR_MEMORY; TUTTI_ERR_IO
 */
tutti_status tutti_code_table_write(const tutti_classifier *classifier, const char *function, FILE *stream,
                                    size_t *table_bytes, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
