# cmake -DOUT=assets.c -DWEB=reports/web -DUPLOT=DIR|"" -P EmbedAssets.cmake
# The page's style and script, and uPlot where there is one, as bytes in a C file. NAME_len is 0 for
# what is not there.

function(embed name file)
  set(_bytes "0")
  set(_length 0)
  if(EXISTS "${file}")
    file(READ "${file}" _hex HEX)
    string(LENGTH "${_hex}" _length)
    math(EXPR _length "${_length} / 2")
    string(REGEX REPLACE "(..)" "0x\\1," _bytes "${_hex}")
  endif()
  file(APPEND "${OUT}.new" "const unsigned char vs_asset_${name}[] = { ${_bytes} };\n"
    "const size_t vs_asset_${name}_len = ${_length};\n")
endfunction()

file(WRITE "${OUT}.new" "/* Made by EmbedAssets.cmake. */\n#include \"reports/assets.h\"\n\n")
embed(style "${WEB}/report.css")
embed(script "${WEB}/report.js")
embed(uplot_js "${UPLOT}/dist/uPlot.iife.min.js")
embed(uplot_css "${UPLOT}/dist/uPlot.min.css")
embed(uplot_licence "${UPLOT}/LICENSE")
file(RENAME "${OUT}.new" "${OUT}")
