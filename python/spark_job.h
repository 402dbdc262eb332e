#pragma once

#include <nanobind/nanobind.h>

namespace qdedup::python {

// What qdedup/spark.py runs on a cluster.
void define_spark_job(nanobind::module_& module);

}  // namespace qdedup::python
