# The MPI flavors: one build of the MPI-dependent sources per MPI that is installed, side by side.
#
#   tutti_flavor_library(NAME SOURCES... LINK libraries...)   NAME-smpi, NAME-mpich, NAME-openmpi, NAME-abi (those that exist)
#   tutti_flavor_program(NAME SOURCES... LINK libraries...)   build/smpi/NAME, build/mpich/NAME, build/openmpi/NAME
#   tutti_flavor_tests(NAME ...)            the ctest cases NAME.FLAVOR.RANKS
#
# Compiler and linker options are asked from the MPI's own compiler wrapper, so that no path is assumed.
#
# The flavor abi is for every library with the standard ABI of MPI 5 (libmpi_abi.so.1): it has the libraries and the
# interposer, and no programs. So TUTTI_FLAVORS are those with programs, TUTTI_LIBRARY_FLAVORS all.

set(TUTTI_FLAVORS_WANTED smpi mpich openmpi abi CACHE STRING "Flavors to build, if their compilers are found; or none")
set(TUTTI_SMPICC "" CACHE FILEPATH "smpicc of SimGrid (empty: search)")
set(TUTTI_MPICC_MPICH "" CACHE FILEPATH "mpicc of MPICH (empty: search)")
set(TUTTI_MPICC_OPENMPI "" CACHE FILEPATH "mpicc of Open MPI (empty: search)")
set(TUTTI_MPICC_ABI "" CACHE FILEPATH "mpicc_abi of a library with the standard ABI (empty: search)")

# Split what a wrapper would run into includes, definitions and link options.
function(tutti_read_wrapper flavor wrapper show)
  execute_process(COMMAND ${wrapper} ${show} OUTPUT_VARIABLE line RESULT_VARIABLE result ERROR_VARIABLE ignored
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(WARNING "${wrapper} ${show} failed: the ${flavor} flavor is not built")
    return()
  endif()
  separate_arguments(words UNIX_COMMAND "${line}")
  set(includes)
  set(options)
  set(links)
  set(take_include OFF)
  foreach(word IN LISTS words)
    if(take_include)
      list(APPEND options "SHELL:-include ${word}")
      set(take_include OFF)
    elseif(word STREQUAL "-include")
      set(take_include ON)
    elseif(word MATCHES "^-I(.+)")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-D" OR word STREQUAL "-pthread")
      list(APPEND options ${word})
    elseif(word MATCHES "^-[Ll]" OR word MATCHES "^-Wl,")
      list(APPEND links ${word})
    endif()
  endforeach()
  list(REMOVE_ITEM includes /usr/include) # searched anyway; naming it breaks include_next
  add_library(tutti_wrapper_${flavor} INTERFACE)
  target_include_directories(tutti_wrapper_${flavor} SYSTEM INTERFACE ${includes})
  target_compile_options(tutti_wrapper_${flavor} INTERFACE ${options})
  target_link_options(tutti_wrapper_${flavor} INTERFACE ${links})
  if(flavor STREQUAL "mpich")
    # MPI_STATUSES_IGNORE is the address 1, which GCC takes for an array of no elements.
    target_compile_options(tutti_wrapper_${flavor} INTERFACE -Wno-stringop-overflow)
  endif()
  target_link_libraries(tutti_wrapper_${flavor} INTERFACE ${links})
  set(TUTTI_FLAVORS ${TUTTI_FLAVORS} ${flavor} PARENT_SCOPE)
  message(STATUS "Flavor ${flavor}: ${wrapper}")
endfunction()

# Add a flavor if it is wanted: CHOSEN is the wrapper that the user names, else WRAPPER is searched.
function(tutti_add_flavor flavor chosen wrapper package)
  if(NOT flavor IN_LIST TUTTI_FLAVORS_WANTED)
    return()
  endif()
  find_program(TUTTI_FOUND_${flavor} NAMES ${chosen} ${wrapper})
  if(TUTTI_FOUND_${flavor})
    tutti_read_wrapper(${flavor} ${TUTTI_FOUND_${flavor}} -show)
  else()
    message(STATUS "Flavor ${flavor}: not built, its compiler was not found (Debian: apt-get install ${package})")
  endif()
  set(TUTTI_FLAVORS ${TUTTI_FLAVORS} PARENT_SCOPE)
endfunction()

foreach(flavor IN LISTS TUTTI_FLAVORS_WANTED)
  if(NOT flavor MATCHES "^(smpi|mpich|openmpi|abi|none)$")
    message(FATAL_ERROR "TUTTI_FLAVORS_WANTED: unknown flavor '${flavor}': known are smpi, mpich, openmpi, abi, none")
  endif()
endforeach()
set(TUTTI_FLAVORS)
tutti_add_flavor(smpi "${TUTTI_SMPICC}" smpicc "libsimgrid-dev")
tutti_add_flavor(mpich "${TUTTI_MPICC_MPICH}" mpicc.mpich "mpich libmpich-dev")
tutti_add_flavor(openmpi "${TUTTI_MPICC_OPENMPI}" mpicc.openmpi "openmpi-bin libopenmpi-dev")
include(TuttiAbi)

# Links that lose throughput are in SimGrid's C++ interface alone. Without a compiler for it a platform that has them is
# refused in SMPI. (A language is enabled in the outermost directory that links it.)
if(smpi IN_LIST TUTTI_FLAVORS)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -std=c++17)
    get_target_property(CMAKE_REQUIRED_INCLUDES tutti_wrapper_smpi INTERFACE_INCLUDE_DIRECTORIES)
    check_cxx_source_compiles("
      #include <simgrid/s4u/Engine.hpp>
      #include <simgrid/s4u/Link.hpp>
      auto policy = simgrid::s4u::Link::SharingPolicy::NONLINEAR;
      int main() { return 0; }" TUTTI_SIMGRID_NONLINEAR)
    # Else the headers have a variable of Boost's in each object; but Boost 1.92 does not compile with it.
    set(CMAKE_REQUIRED_DEFINITIONS -DBOOST_OPTIONAL_USE_SINGLETON_DEFINITION_OF_NONE)
    check_cxx_source_compiles("
      #include <simgrid/s4u/Engine.hpp>
      int main() { return 0; }" TUTTI_BOOST_SINGLETON)
    unset(CMAKE_REQUIRED_DEFINITIONS)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
  if(NOT TUTTI_SIMGRID_NONLINEAR)
    message(STATUS "Flavor smpi: without contention, as there is no C++ compiler for SimGrid's headers (Debian: apt-get install g++)")
  endif()
endif()

# Link NAME, of a flavor where it has one.
function(tutti_flavor_link target flavor)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library}-${flavor})
      target_link_libraries(${target} ${library}-${flavor})
    else()
      target_link_libraries(${target} ${library})
    endif()
  endforeach()
endfunction()

function(tutti_flavor_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  foreach(flavor IN LISTS TUTTI_LIBRARY_FLAVORS)
    set(target ${name}-${flavor})
    add_library(${target} STATIC ${arg_UNPARSED_ARGUMENTS})
    if(TARGET ${name}) # what of the room knows no MPI
      target_link_libraries(${target} ${name})
    endif()
    tutti_flavor_link(${target} ${flavor} ${arg_LINK} tutti_wrapper_${flavor} tutti_options)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:tutti_small_stack,INTERFACE_COMPILE_OPTIONS>)
    target_compile_definitions(${target} PRIVATE TUTTI_FLAVOR="${flavor}" SMPI_NO_OVERRIDE_MALLOC)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  endforeach()
endfunction()

# Under SMPI a program is a shared object that smpirun loads. FLAVORS: of these alone, as far as they are built.
function(tutti_flavor_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;FLAVORS")
  foreach(flavor IN LISTS TUTTI_FLAVORS)
    if(arg_FLAVORS AND NOT flavor IN_LIST arg_FLAVORS)
      continue()
    endif()
    set(target ${name}-${flavor})
    if(flavor STREQUAL "smpi")
      add_library(${target} MODULE ${arg_UNPARSED_ARGUMENTS})
      set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY
                                                                    ${PROJECT_BINARY_DIR}/${flavor})
    else()
      add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
      set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${flavor})
    endif()
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
    if(TARGET ${name}) # what of the room knows no MPI
      target_link_libraries(${target} ${name})
    endif()
    tutti_flavor_link(${target} ${flavor} ${arg_LINK} tutti_wrapper_${flavor} tutti_options tutti_small_stack m)
    target_compile_definitions(${target} PRIVATE TUTTI_FLAVOR="${flavor}" SMPI_NO_OVERRIDE_MALLOC)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  endforeach()
endfunction()

# The case NAME of a flavor: tutti_flavor_test(NAME FLAVOR COMMAND words...). Ranks that wait sleep (tests/mpi/idle.c), so that
# more of them than cores run beside other tests. STARTS: many short runs, which mostly wait for mpiexec: early, one by one.
function(tutti_flavor_test name flavor)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STARTS" "" "COMMAND")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  if(arg_STARTS AND NOT flavor STREQUAL "smpi")
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK mpi COST 900)
  endif()
endfunction()

# The cases NAME.FLAVOR.RANKS, at the numbers of ranks given for each flavor:
# tutti_flavor_tests(NAME SMPI ranks... MPICH ranks... OPENMPI ranks... COMMAND words...), where @flavor@ and @ranks@ in
# the words stand for those of the case.
function(tutti_flavor_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SMPI;MPICH;OPENMPI;COMMAND")
  foreach(flavor IN LISTS TUTTI_FLAVORS)
    string(TOUPPER ${flavor} key)
    foreach(ranks IN LISTS arg_${key})
      string(CONFIGURE "${arg_COMMAND}" command @ONLY)
      tutti_flavor_test(${name}.${flavor}.${ranks} ${flavor} COMMAND ${command})
    endforeach()
  endforeach()
endfunction()
