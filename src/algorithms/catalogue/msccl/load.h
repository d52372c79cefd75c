/* Files of MSCCL as plug-ins. */
#ifndef TUTTI_CATALOGUE_MSCCL_LOAD_H
#define TUTTI_CATALOGUE_MSCCL_LOAD_H

#include "algorithms/catalogue/msccl/program.h"
#include "algorithms/catalogue/plugins.h"

/* Make a plug-in of the file, with one algorithm: COLLECTIVE/msccl-NAME, of the name of the file. It serves the number
   of ranks and the root that the file is for, and multiples of its chunks. TUTTI_ERR_ARGUMENT names file and line or
   thread block, TUTTI_ERR_IO, TUTTI_ERR_MEMORY: nothing to unload. */
tutti_status tutti_msccl_load(const char *path, const tutti_plugin **plugin, tutti_error *error);

/* The name of that algorithm: "msccl-" and the name of the file, in the letters of a method. TUTTI_ERR_ARGUMENT: it is
   too long. */
tutti_status tutti_msccl_name(const char *path, char name[TUTTI_ALGORITHM_NAME + 1], tutti_error *error);

/* What a file became, for an algorithm that was made of one; NULL: it was not. */
const struct msccl_algorithm *tutti_msccl_program(const tutti_algorithm *algorithm);

/* Free what that made, or NULL. */
void tutti_msccl_unload(const tutti_plugin *plugin);

#endif
