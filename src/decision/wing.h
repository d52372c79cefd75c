/* Headers of the decisions that other wings use beside the public ones. The test rooms.includes reads the list. */
#ifndef TUTTI_DECISION_WING_H
#define TUTTI_DECISION_WING_H

/* Choices at run time, for the interposer */
#include "decision/adaptation.h"

/* The libraries, their versions and tuning files */
#include "decision/libraries/libraries.def"
#include "decision/libraries/libraries.h"

/* The variables of the interposer */
#include "decision/libraries/tutti/variables.h"

/* The cells of a map */
#include "decision/maps/map.h"

/* Tests of paired times */
#include "decision/results/paired.h"
#include "decision/results/verdict.h"

/* Rows and files of measurements, profiles and traces */
#include "decision/results/parameter_records.h"
#include "decision/results/ran_file.h"
#include "decision/results/range_point.h"
#include "decision/results/rank_file.h"
#include "decision/results/row.h"
#include "decision/results/trace_format.h"

/* Gains of a program by its profile, and rules that win them */
#include "decision/tuning/tuning.h"

#endif
