/* Words of arrival patterns, for those that read files, too. */
#ifndef TUTTI_HARNESS_ARRIVAL_PRIVATE_H
#define TUTTI_HARNESS_ARRIVAL_PRIVATE_H

#include "results/pattern_words.h"
#include "tutti/arrival.h"

/* Read a pattern whole, or of a trace its kind alone. */
tutti_status tutti_arrival_parse_kind(const char *text, tutti_arrival *arrival, struct pattern_word *word,
                                      tutti_error *error);

/* Behind the kind of a trace: the path of its file, and its name and sum, if that is there. */
tutti_status tutti_arrival_split_trace(struct pattern_word *word, char *path, size_t capacity, tutti_arrival *arrival,
                                       bool *summed, tutti_error *error);

#endif
