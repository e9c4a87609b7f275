# One INTERFACE target carries every flag; each target links it PRIVATE.
add_library(vs_flags INTERFACE)
target_compile_definitions(vs_flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
target_include_directories(vs_flags INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/src")
set(_warnings
  -Wall -Wextra -Wpedantic
  -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-equal
  -Wformat=2 -Wundef -Wcast-align -Wcast-qual -Wwrite-strings
  -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
  -Wredundant-decls -Wnull-dereference -Wimplicit-fallthrough -Wswitch-enum
  -Wvla -Walloca)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND _warnings -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wjump-misses-init)
else()
  # clang also asks it of the va_list functions, whose callers are the ones that are checked.
  list(APPEND _warnings -Wmissing-variable-declarations -Wno-format-nonliteral)
endif()
target_compile_options(vs_flags INTERFACE ${_warnings}
  -fno-common -fstack-protector-strong -fno-omit-frame-pointer)
if(CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_options(vs_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  target_link_options(vs_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
if(VOLSCALE_WERROR)
  target_compile_options(vs_flags INTERFACE -Werror)
endif()
if(VOLSCALE_SANITIZE)
  target_compile_options(vs_flags INTERFACE -fsanitize=${VOLSCALE_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(vs_flags INTERFACE -fsanitize=${VOLSCALE_SANITIZE})
endif()
if(VOLSCALE_FUZZ)
  target_compile_options(vs_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
