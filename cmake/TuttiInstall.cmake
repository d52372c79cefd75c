# What is installed, and the packages made of it.
#
#   bin/tutti                                   the command
#   libexec/tutti/FLAVOR/tutti-bench, ...      the measuring programs: component FLAVOR, package tutti-FLAVOR
#   libexec/tutti/tutti-rank-maps               that which needs no MPI
#   LIB/tutti/FLAVOR/libtutti_mpi.so           in front of an MPI library: likewise
#   LIB/libtutti*.a, include/tutti, pkgconfig   for programs: component devel, package libtutti-dev
#   share/tutti/{platforms,experiments,plots,python}, man pages, completion of shells

set(runtime COMPONENT tutti)
set(devel COMPONENT devel)

install(TARGETS tutti ${runtime})
install(TARGETS tutti-date ${runtime} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti)
install(DIRECTORY platforms plots experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/tutti ${runtime})
install(FILES python/tutti.py DESTINATION ${CMAKE_INSTALL_DATADIR}/tutti/python ${runtime})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${runtime})
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} ${runtime})
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtutti-dev ${devel})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${runtime} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png"
        PATTERN "man" EXCLUDE)
install(FILES scripts/completion/tutti.bash RENAME tutti ${runtime}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES scripts/completion/_tutti DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions ${runtime})
install(FILES scripts/completion/tutti.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${runtime})

install(DIRECTORY include/tutti DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${devel})
set(plain base schedule catalogue analysis groups maps sort models results decision libraries platforms engine store
          experiments)
list(TRANSFORM plain PREPEND tutti_ OUTPUT_VARIABLE archives)
install(TARGETS ${archives} ${devel} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# From the pkg-config files to the prefix: wherever that is moved, they find it.
file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_UP ${PC_UP})

# A pkg-config file NAME.pc with its libraries and what it requires.
function(tutti_pkg_config name description requires libs)
  set(PC_NAME ${name})
  set(PC_DESCRIPTION ${description})
  set(PC_REQUIRES ${requires})
  set(PC_LIBS ${libs})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tutti.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT devel)
endfunction()

tutti_pkg_config(tutti "Schedules, algorithms, performance models, decision functions and tuning files" ""
                 "-ltutti_libraries -ltutti_decision -ltutti_results -ltutti_models -ltutti_analysis -ltutti_groups -ltutti_catalogue -ltutti_schedule -ltutti_base -lm")
tutti_pkg_config(tutti-maps "Group maps" "tutti" "-ltutti_maps -ltutti_base -lroaring -lbdd -lbz2")
tutti_pkg_config(tutti-store "Store, experiments, platforms, baselines" "tutti libxml-2.0 yaml-0.1 sqlite3 nettle libarchive"
                 "-ltutti_experiments -ltutti_store -ltutti_engine -ltutti_platforms")

install(TARGETS tutti-rank-maps ${runtime} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti)
install(TARGETS tutti-bench-fast tutti-group-fast tutti-range-fast ${runtime} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti/fast)
set(programs tutti-bench tutti-group tutti-sort tutti-range tutti-params tutti-pingpong tutti-replay tutti-jobs)
if(TUTTI_SIMGRID_NONLINEAR)
  set(also_smpi " -lstdc++")
endif()
foreach(flavor IN LISTS TUTTI_LIBRARY_FLAVORS)
  foreach(program IN LISTS programs)
    if(NOT TARGET ${program}-${flavor})
      continue()
    endif()
    install(TARGETS ${program}-${flavor} COMPONENT ${flavor}
            RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti/${flavor}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti/${flavor} # what smpirun loads is called a program
            PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
  install(TARGETS tutti_interpose-${flavor} COMPONENT ${flavor} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti/${flavor})
  install(TARGETS tutti_mpi-${flavor} tutti_groups-${flavor} tutti_communicators-${flavor} tutti_sort-${flavor} ${devel}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  tutti_pkg_config(tutti-${flavor} "Collectives, groups, communicators and sorting on ${flavor}" "tutti-maps"
                   "-ltutti_sort-${flavor} -ltutti_sort -ltutti_communicators-${flavor} -ltutti_groups-${flavor} -ltutti_mpi-${flavor}${also_${flavor}}")
endforeach()

# Debian packages: `cpack -G DEB` in the build directory.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tutti)
set(CPACK_PACKAGE_VENDOR "Tutti")
set(TUTTI_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>" CACHE STRING "Who makes the packages: NAME <ADDRESS>")
if(TUTTI_MAINTAINER STREQUAL " <>")
  set(CPACK_PACKAGE_CONTACT "The developers of Tutti <tutti@tutti.invalid>") # well-formed, and no address of anybody
else()
  set(CPACK_PACKAGE_CONTACT "${TUTTI_MAINTAINER}")
endif()
set(TUTTI_HOMEPAGE "https://tutti.invalid/" CACHE STRING "Homepage in the packages")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${TUTTI_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Measures collective operations of MPI on simulated and real machines,
learns which algorithm is best for which communicator and message, and
writes tuning files that Open MPI and MPICH load.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL tutti ${TUTTI_LIBRARY_FLAVORS} devel)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TUTTI_PACKAGE_NAME tutti)
set(CPACK_DEBIAN_TUTTI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TUTTI_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, libjemalloc2, tutti-smpi")
set(CPACK_DEBIAN_TUTTI_PACKAGE_SUGGESTS "tutti-mpich, tutti-openmpi")
# The command needs no MPI: what measures with one is a package for each, which needs the libraries of that one.
foreach(flavor IN LISTS TUTTI_LIBRARY_FLAVORS)
  string(TOUPPER ${flavor} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME tutti-${flavor})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "tutti (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "Measuring programs and interposer of Tutti for ${flavor}.")
endforeach()
set(CPACK_DEBIAN_SMPI_PACKAGE_RECOMMENDS "simgrid-bin | libsimgrid-dev")
set(CPACK_DEBIAN_MPICH_PACKAGE_RECOMMENDS mpich)
set(CPACK_DEBIAN_OPENMPI_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_COMPONENT_ABI_DESCRIPTION "Interposer of Tutti for every MPI library with the standard ABI.")
set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libtutti-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS
    "tutti (= ${PROJECT_VERSION}), libroaring-dev, libbdd-dev, libbz2-dev, libxml2-dev, libyaml-dev, libsqlite3-dev, nettle-dev, libarchive-dev")
set(CPACK_COMPONENT_TUTTI_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_COMPONENT_DEVEL_DESCRIPTION "Headers, static libraries and pkg-config files of Tutti.")
include(CPack)
