// For Python: the file layer of the programs, for the SQLite that its own module works with.
#include "db/checked_vfs.h"

extern "C" void register_layer() { qdedup::db::checked_vfs(); }
