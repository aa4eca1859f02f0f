// SPDX-License-Identifier: BSL-1.0
//
// One SM, compiled once; WW_UNIT_ARCH names the architecture policy.
#include WW_UNIT_HEADER
#include <warpwright/pipeline/instances.hpp>
#include <warpwright/verify/instances.hpp>

WW_INSTANTIATE_SM(ww::WW_UNIT_ARCH)
WW_INSTANTIATE_SCHEDULER(ww::WW_UNIT_ARCH)
WW_INSTANTIATE_CHECK(ww::WW_UNIT_ARCH)
