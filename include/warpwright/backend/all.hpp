// SPDX-License-Identifier: BSL-1.0
//
// The backends of the reference text as strategies, and the choice between them per SM.
//
//   backend_b       forward and backward pass with floating-point weights        (PLS-16)
//   backend_c       evaluate and commit over a queue of three keys, post mode    (PLS-17)
//   backend_c_pre   the same before allocation
//   backend_bc      B numbers, C orders: what text_backend gives from sm_80 on   (PLS-15)
// Backend A is the unified engine (schedule/unified/), strategy::unified.
#pragma once

#include "../meta/type_list.hpp"
#include "backend_b.hpp"
#include "backend_bc.hpp"
#include "backend_c.hpp"
#include "text_backend.hpp"

namespace ww::strategy {

using backends = meta::type_list<unified, backend_b, backend_c, backend_c_pre, backend_bc>;

}  // namespace ww::strategy
