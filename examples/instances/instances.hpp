// SPDX-License-Identifier: BSL-1.0
//
// What the library warpwright_instances holds: a unit that includes this does not compile it again.
#pragma once

#include <warpwright/arch/all.hpp>
#include <warpwright/pipeline/instances.hpp>
#include <warpwright/verify/instances.hpp>

WW_EXTERN_SM(ww::sm50)
WW_EXTERN_SM(ww::sm60)
WW_EXTERN_SM(ww::sm70)
WW_EXTERN_SM(ww::sm75)
WW_EXTERN_SM(ww::sm80)
WW_EXTERN_SM(ww::sm86)
WW_EXTERN_SM(ww::sm89)
WW_EXTERN_SM(ww::sm90)
WW_EXTERN_SM(ww::sm90a)
WW_EXTERN_SM(ww::sm100)
WW_EXTERN_SM(ww::sm103)
WW_EXTERN_SM(ww::sm110)
WW_EXTERN_SM(ww::sm120)
WW_EXTERN_SCHEDULER(ww::sm50)
WW_EXTERN_SCHEDULER(ww::sm60)
WW_EXTERN_SCHEDULER(ww::sm70)
WW_EXTERN_SCHEDULER(ww::sm75)
WW_EXTERN_SCHEDULER(ww::sm80)
WW_EXTERN_SCHEDULER(ww::sm86)
WW_EXTERN_SCHEDULER(ww::sm89)
WW_EXTERN_SCHEDULER(ww::sm90)
WW_EXTERN_SCHEDULER(ww::sm90a)
WW_EXTERN_SCHEDULER(ww::sm100)
WW_EXTERN_SCHEDULER(ww::sm103)
WW_EXTERN_SCHEDULER(ww::sm110)
WW_EXTERN_SCHEDULER(ww::sm120)
WW_EXTERN_CHECK(ww::sm50)
WW_EXTERN_CHECK(ww::sm60)
WW_EXTERN_CHECK(ww::sm70)
WW_EXTERN_CHECK(ww::sm75)
WW_EXTERN_CHECK(ww::sm80)
WW_EXTERN_CHECK(ww::sm86)
WW_EXTERN_CHECK(ww::sm89)
WW_EXTERN_CHECK(ww::sm90)
WW_EXTERN_CHECK(ww::sm90a)
WW_EXTERN_CHECK(ww::sm100)
WW_EXTERN_CHECK(ww::sm103)
WW_EXTERN_CHECK(ww::sm110)
WW_EXTERN_CHECK(ww::sm120)
