# Brings the pinned uPlot into the build tree by npm's lock file, when it is not there yet. Without a
# network the build goes on: the reports then have the static chart only, until cmake runs again.
# Sets UPLOT_DIR, empty when there is none.
option(VOLSCALE_UPLOT "embed uPlot into HTML reports (needs npm when first configured)" ON)
set(UPLOT_DIR "")
if(VOLSCALE_UPLOT)
  set(_web "${CMAKE_SOURCE_DIR}/reports/web")
  set(_dir "${CMAKE_BINARY_DIR}/web")
  set(_uplot "${_dir}/node_modules/uplot")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_web}/package-lock.json")
  file(MAKE_DIRECTORY "${_dir}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files
      "${_web}/package-lock.json" "${_dir}/package-lock.json" RESULT_VARIABLE _changed ERROR_QUIET)
  if(_changed OR NOT EXISTS "${_uplot}/dist/uPlot.iife.min.js")
    find_program(NPM npm)
    set(_result "npm is not installed")
    if(NPM)
      message(STATUS "Fetching uPlot by npm")
      configure_file("${_web}/package.json" "${_dir}/package.json" COPYONLY)
      configure_file("${_web}/package-lock.json" "${_dir}/package-lock.json" COPYONLY)
      execute_process(
        COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline
          --fetch-retries=1 --fetch-timeout=20000
        WORKING_DIRECTORY "${_dir}" TIMEOUT 120
        RESULT_VARIABLE _result OUTPUT_QUIET ERROR_QUIET)
    endif()
  endif()
  if(EXISTS "${_uplot}/dist/uPlot.iife.min.js")
    set(UPLOT_DIR "${_uplot}")
  else()
    message(WARNING "uPlot could not be fetched (npm ci: ${_result}); HTML reports keep the static "
      "chart. Install npm and let it reach its registry, or say -DVOLSCALE_UPLOT=off.")
  endif()
endif()
