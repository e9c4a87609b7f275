# vs_embed(TARGET FILE SYMBOL): FILE (of the calling folder, or an absolute path) becomes
# `const unsigned char SYMBOL[]; const size_t SYMBOL_size;` in TARGET. This file is also the script
# that makes it: cmake -DINPUT= -DOUTPUT= -DSYMBOL= -P Embed.cmake.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" _hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" _hex "${_hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," _bytes "${_hex}")
  file(WRITE "${OUTPUT}"
    "#include <stddef.h>\n\n"
    "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}_size;\n\n"
    "const unsigned char ${SYMBOL}[] = {\n${_bytes}\n};\n"
    "const size_t ${SYMBOL}_size = sizeof(${SYMBOL});\n")
  return()
endif()

set(_VS_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(vs_embed target file symbol)
  get_filename_component(_in "${file}" ABSOLUTE)
  set(_out "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c")
  add_custom_command(OUTPUT "${_out}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${_in}" "-DOUTPUT=${_out}" "-DSYMBOL=${symbol}"
      -P "${_VS_EMBED_SCRIPT}"
    DEPENDS "${_in}" "${_VS_EMBED_SCRIPT}" VERBATIM)
  target_sources(${target} PRIVATE "${_out}")
endfunction()
