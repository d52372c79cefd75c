# The flavor abi: mpicc_abi, as MPICH and Open MPI install it. Where only the header and the library are there (Debian),
# they are looked for where the compiler wrappers of these libraries point to, and build/abi/mpicc is a wrapper for them.
#
#   TUTTI_ABI_RUNS               mpich and openmpi, as far as their libmpi_abi is found
#   TUTTI_ABI_LIBRARY_<library>  that file

set(TUTTI_ABI_LIBRARY_mpich "" CACHE FILEPATH "libmpi_abi of MPICH, for tests (empty: search)")
set(TUTTI_ABI_LIBRARY_openmpi "" CACHE FILEPATH "libmpi_abi of Open MPI, for tests (empty: search)")

# In the caller's LIBRARY_includes and LIBRARY_folders what the wrapper of a library shows.
function(tutti_ask_wrapper library)
  find_program(TUTTI_ASKED_${library} NAMES ${ARGN})
  mark_as_advanced(TUTTI_ASKED_${library})
  set(line "")
  if(TUTTI_ASKED_${library})
    execute_process(COMMAND ${TUTTI_ASKED_${library}} -show OUTPUT_VARIABLE line ERROR_QUIET)
  endif()
  separate_arguments(words UNIX_COMMAND "${line}")
  foreach(option I L)
    set(found ${words})
    list(FILTER found INCLUDE REGEX "^-${option}.")
    list(TRANSFORM found REPLACE "^-${option}" "")
    set(${library}_${option} ${found} PARENT_SCOPE)
  endforeach()
endfunction()

# A header of the standard ABI and the options that it needs: Open MPI's is a folder of its own, MPICH's mpi.h asks for a
# macro.
function(tutti_find_abi_header)
  find_path(TUTTI_ABI_FOLDER mpi.h PATHS ${openmpi_I} PATH_SUFFIXES standard_abi NO_DEFAULT_PATH)
  find_path(TUTTI_ABI_MPICH_FOLDER mpi_abi.h PATHS ${mpich_I} NO_DEFAULT_PATH)
  mark_as_advanced(TUTTI_ABI_FOLDER TUTTI_ABI_MPICH_FOLDER)
  if(TUTTI_ABI_FOLDER MATCHES "standard_abi$")
    set(options "-I${TUTTI_ABI_FOLDER}" PARENT_SCOPE)
  elseif(TUTTI_ABI_MPICH_FOLDER)
    set(options "-I${TUTTI_ABI_MPICH_FOLDER} -DMPI_ABI" PARENT_SCOPE)
  endif()
endfunction()

# build/abi/mpicc, or nothing.
function(tutti_make_abi_wrapper result)
  set(options "")
  tutti_find_abi_header()
  find_library(TUTTI_ABI_LIBRARY libmpi_abi.so HINTS ${mpich_L} ${openmpi_L}) # no archive
  mark_as_advanced(TUTTI_ABI_LIBRARY)
  if(NOT options OR NOT TUTTI_ABI_LIBRARY)
    return()
  endif()
  get_filename_component(folder ${TUTTI_ABI_LIBRARY} DIRECTORY)
  set(wrapper ${PROJECT_BINARY_DIR}/abi/mpicc)
  file(WRITE ${wrapper} "#!/bin/sh
# A compiler for MPI programs with the standard ABI; -show prints what it runs.
[ \"$1\" != -show ] || exec echo ${CMAKE_C_COMPILER} ${options} -L${folder} -lmpi_abi
exec ${CMAKE_C_COMPILER} ${options} \"$@\" -L${folder} -lmpi_abi
")
  file(CHMOD ${wrapper} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(${result} ${wrapper} PARENT_SCOPE)
endfunction()

# Two libraries cannot both be libmpi_abi.so.1 of a system: Debian adds their names, others have folders of their own.
function(tutti_find_abi_libraries)
  foreach(library mpich openmpi)
    if(NOT TUTTI_ABI_LIBRARY_${library})
      set(name libmpi_abi_${library}.so)
      find_library(TUTTI_FOUND_ABI_${library} NAMES ${name}.1.0.0 ${name}.1 ${name})
      find_library(TUTTI_FOUND_ABI_${library} NAMES libmpi_abi.so PATHS ${${library}_L} NO_DEFAULT_PATH)
      mark_as_advanced(TUTTI_FOUND_ABI_${library})
      set(TUTTI_ABI_LIBRARY_${library} ${TUTTI_FOUND_ABI_${library}})
      set(TUTTI_ABI_LIBRARY_${library} ${TUTTI_FOUND_ABI_${library}} PARENT_SCOPE)
    endif()
    if(TUTTI_ABI_LIBRARY_${library})
      list(APPEND found ${library})
    endif()
  endforeach()
  set(TUTTI_ABI_RUNS ${found} PARENT_SCOPE)
endfunction()

function(tutti_add_abi)
  tutti_ask_wrapper(mpich ${TUTTI_MPICC_MPICH} mpicc.mpich)
  tutti_ask_wrapper(openmpi ${TUTTI_MPICC_OPENMPI} mpicc.openmpi)
  find_program(TUTTI_FOUND_abi NAMES ${TUTTI_MPICC_ABI} mpicc_abi)
  set(wrapper ${TUTTI_FOUND_abi})
  if(NOT TUTTI_FOUND_abi)
    tutti_make_abi_wrapper(wrapper)
  endif()
  if(NOT wrapper)
    message(STATUS "Flavor abi: not built, no library with the standard ABI of MPI 5 was found (mpicc_abi, libmpi_abi.so)")
    return()
  endif()
  tutti_find_abi_libraries()
  tutti_read_wrapper(abi ${wrapper} -show)
  set(TUTTI_LIBRARY_FLAVORS ${TUTTI_FLAVORS} PARENT_SCOPE)
  set(TUTTI_ABI_COMPILER ${wrapper} PARENT_SCOPE)
  foreach(library IN LISTS TUTTI_ABI_RUNS)
    set(TUTTI_ABI_LIBRARY_${library} ${TUTTI_ABI_LIBRARY_${library}} PARENT_SCOPE)
  endforeach()
  set(TUTTI_ABI_RUNS ${TUTTI_ABI_RUNS} PARENT_SCOPE)
endfunction()

set(TUTTI_LIBRARY_FLAVORS ${TUTTI_FLAVORS})
set(TUTTI_ABI_RUNS)
if("abi" IN_LIST TUTTI_FLAVORS_WANTED)
  tutti_add_abi()
endif()
