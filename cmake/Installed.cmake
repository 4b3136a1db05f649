# Where pip builds (pyproject.toml), the folder of a package of the Python that it runs in, unless the
# variable says another.
function(burnish_installed variable package)
  if(SKBUILD AND NOT ${variable})
    execute_process(
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/deploy/python/installed_libraries.py ${package}
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} ${folder} PARENT_SCOPE)
  endif()
endfunction()
