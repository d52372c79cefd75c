/* tutti predict: its parts. */
#ifndef TUTTI_CLI_PREDICT_H
#define TUTTI_CLI_PREDICT_H

#include "cli/fit/fit.h"
#include "cli/options/predictors.h"

struct predict_options {
  struct selection_options selection;
  struct predictor_options predictor;
  tutti_collective collective;
  const char *models; /* NULL: all that are known */
  struct option_numbers ranks;
  struct option_numbers sizes; /* bytes of the message or of one rank's block */
  bool sized, ranked;          /* sizes, numbers of ranks were given */
  struct option_strings names; /* of methods, as given */
  struct predict_methods {
    TUTTI_VECTOR(tutti_method); /* asked for; none: all algorithms */
  } methods;
  struct predict_segments {
    TUTTI_VECTOR(uint64_t); /* to try; 0 is none */
    bool best;              /* try the best one, too */
    bool given;             /* on the command line: they are tried for methods that are asked for without any, too */
  } segments;
  tutti_format format;
  bool times;
  const char *plot, *store; /* files, or NULL */
  const char *title;        /* of the picture */
  const char *like;         /* a table with points; NULL: none */
  const char *machine;      /* whose rows of it; NULL: all */
  const char *evidence;     /* a table of measured points; NULL: none */
  const char *own;          /* what the library chooses by itself, a decision; NULL: not said */
  int confidence;           /* percent, to leave that choice */
  bool verbose;             /* name all rows that are passed over */
  struct placement_files placement;
  int scenarios;          /* jobs of the allocation to choose by, and as many to judge the choice; 0: the first job */
  bool per_algorithm;     /* correct simulated times for each algorithm */
  uint64_t most_messages; /* of a call that is simulated; 0: any number */
  tutti_places places;    /* its torus alone: models know neither nodes nor levels */
};

/* Methods, in the order of tutti_method_compare() and each once, and their times for one call. */
struct prediction {
  TUTTI_VECTOR(tutti_method);
  int ranks;
  uint64_t bytes;
  tutti_places places; /* of which methods are told */
  double *times;       /* [count][predictors] seconds; NaN: not predicted */
  int *best;           /* [predictors] index of the least time of those that can be best; -1: none is predicted */
  int faster_apart;    /* one that is faster than the best of a predictor, but rounds apart; -1: there is none */
  size_t left_out;     /* methods that no predictor knows */
  tutti_error reason;  /* of the first of them */
};

/* Predict the candidates of the options, the best segment sizes by each predictor among them. A method that no
   predictor knows is left out; false, and the first reason is in @p prediction, if that leaves none. Free in any case.
 */
bool predict_call(const struct predict_options *options, const struct predictors *predictors, int ranks, uint64_t bytes,
                  struct prediction *prediction);
void prediction_free(struct prediction *prediction);

/* Say on standard error how many times are left out, if any are, and why the first one is: of methods that were asked
   for, not of all algorithms. */
void predict_note_left_out(const struct predict_options *options, size_t left_out, const tutti_error *reason);

/* Add the methods that the options ask for, in their order, each once; with segments that are best by the predictors
   where `segments` says so. */
void predict_add_candidates(const struct predict_options *options, const struct predictors *predictors,
                            struct prediction *prediction);

/* One call, in the format that the options ask for. */
void predict_print(const struct predict_options *options, const struct predictors *predictors,
                   const struct prediction *prediction);

/* Several calls: a decision map for each predictor, printed, drawn and stored as those that were measured. */
void predict_maps(const struct predict_options *options, const struct predictors *predictors);

/* "hockney by formula", "loggp by printed formula"; @p text has 32 bytes. Returns @p text. */
const char *predictor_name(const tutti_predictor *predictor, char *text);

/* ---- simulated.c: of a platform that tutti fit has written ---- */

/* Whether the options ask for a simulation. */
bool simulated_is_asked(const struct predict_options *options, const tutti_platform *platform);

/* Predict and print. */
void predict_simulated(const struct predict_options *options, const tutti_platform *platform);

/* robust.c: one choice for all scenarios of the points, printed and stored. */
struct simulated_points;
void predict_robust(const struct predict_options *options, const tutti_platform *platform,
                    const struct simulated_points *points);

/* Put times into a store, as measured by a library of the flavor "model". */
void predict_store(const struct predict_options *options, tutti_store *store, const char *platform_hash,
                   const char *library, const tutti_measurement *measurements, size_t count);

/* Copy the columns of a table of times, the column `run` only if a row has @p runs. Returns how many. */
int predict_show_columns(const tutti_column *columns, size_t count, bool runs, tutti_column *shown);

struct simulation_request;

/* evidence.c: the same of the points of a table, by measured points of another one, too. */
void predict_by_evidence(const struct predict_options *options, const struct simulation_request *request);

#endif
