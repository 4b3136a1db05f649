# What `pip install` takes (pyproject.toml): one folder, whose libraries find each other, and the
# libtorch and Arrow of the torch and pyarrow packages beside it.
set(program_targets burnish burnish_core burnish_engine burnish_http burnish_parquet)
set_target_properties(${program_targets} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../torch/lib;$ORIGIN/../pyarrow")
install(TARGETS ${program_targets}
  RUNTIME DESTINATION burnish COMPONENT program
  LIBRARY DESTINATION burnish COMPONENT program)
