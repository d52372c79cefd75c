# Programs and libraries in which an overrun ends the program instead of running what it wrote: position-independent
# executables, relocations that are read-only before main() (full RELRO), guarded stacks, and the checked forms of
# memcpy() and its like, which need optimization. The test e2e.install looks at what is installed.
#
# Sanitizers check more by themselves. Other levels of _FORTIFY_SOURCE in the flags of a package stay.

include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
add_compile_options(-fstack-protector-strong)
add_link_options(LINKER:-z,relro,-z,now)
if(NOT TUTTI_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
  add_compile_options("$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
