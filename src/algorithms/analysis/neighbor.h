/* The contract of neighborhood collectives (tutti/neighbor.h). */
#ifndef TUTTI_ANALYSIS_NEIGHBOR_H
#define TUTTI_ANALYSIS_NEIGHBOR_H

#include "tutti/analysis.h"

extern const tutti_contract tutti_neighbor_contract;

#endif
