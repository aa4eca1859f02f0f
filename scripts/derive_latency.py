#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Derive the latency tables of include/warpwright/arch from observed distances and documented tables.

  derive_latency.py FACTS --print SM...            class-level minima with counts
  derive_latency.py FACTS --headers OUT SM...      write OUT/smNN/latency_tables.hpp
  derive_latency.py FACTS --thin SM                cells whose minimum rests on fewer than ten cases
  derive_latency.py LISTINGS --corpus              minima of a folder of listings, one half of the programs against the other

FACTS holds latency_observed_slots.csv.xz: per SM, producer, consumer and operand slot the smallest issue distance that
the compiler left between them, how often, and how often at that minimum.

Rules (docs/latency.md tells why):
  trusted    the smallest distance reached by at least ten cases of the group pair, or of an opcode pair
  check      the smallest trusted distance of the group pair; a thin smaller one lowers it further, never below the
             documented value less 2; with nothing observed, the documented value or the least of the writer
  emit       the trusted distance of the slowest opcode pair of the group pair (at most two cycles above the least), as
             far as the documented value confirms it; with none, the documented value, or the most careful of the writer; never below check
"""
import argparse
import collections
import csv
import io
import lzma
import os
import re
import sys

R_WRITERS = """none counted alu dual viadd vote cs2r cs2r_32 fma wide_low wide_high imad_hi half half_alu hfma2_mma fp64
hmma_small hmma_medium hmma_large hmma_sparse imma_small imma_medium imma_large bmma_small bmma_large dmma qmma hgmma alu_64""".split()
R_READERS = """none alu dual setp viadd fma wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half half_alu hfma2_mma fp64
mma_ab mma_c dmma xu tex mem_address mem_data control r2ur alu_64 conv_64""".split()
P_WRITERS = "none counted alu dual setp plop3 vote r2p fma wide imad_hi half fp64 elect r2ur".split()
P_READERS = "none guard alu dual setp plop3 fma wide half fp64 vote control late uniform".split()
U_WRITERS = "none counted ualu ualu_x uimad uimad_wide uldc umov voteu r2ur".split()
U_READERS = "none ualu ualu_x usel umov uldc vector xu memory descriptor tma branch bank".split()
UP_WRITERS = "none counted ualu usetp uplop3 voteu".split()
UP_READERS = "none guard ualu ualu_x vector branch uldc".split()
MMA = R_WRITERS[16:25] + ["qmma", "hgmma"]
SECONDS = "fixed fma wide_low dispatch64 half slow mma late".split()

XU = """MUFU F2I I2F F2F FRND POPC FLO BREV FCHK MATCH REDUX S2R B2R R2B LDC NANOSLEEP SYNCS DMNMX IMUL PIXLD""".split()
TEX = "TEX TLD TLD4 TXQ TXD TEXS TLDS SULD SUST SUATOM MOVM".split()
MEM = """LD ST ATOM LDG STG ATOMG RED REDG LDS STS LDSM STSM ATOMS LDL STL LDGSTS CCTL SHFL IPA ALD AST""".split()
CONTROL = "BAR WARPSYNC BRA BRX RET CALL EXIT BSSY BSYNC BREAK BMOV BPT KILL SYNC SSY RPCMOV".split()
DUAL = "SEL FSEL MOV MOV32I FMNMX IMNMX VIMNMX VMNMX VIMNMX3 FMNMX3 VIADDMNMX VHMNMX FSET FCMP ICMP PSET".split()
OLD_ALU = "XMAD SHL SHR ISCADD ISCADD32I BFE BFI RRO".split()


def class_of(name):
    """Class of a producer or consumer name of the facts (mnemonic with the modifiers that matter)."""
    n = name.replace("(v)", "")
    m = n.split(".")[0]
    if n.startswith("IMAD.WIDE"):
        return "wide"
    if n.startswith("IMAD.HI"):
        return "imad_hi"
    if n.startswith("HFMA2.MMA"):
        return "hfma2_mma"
    if m in ("HSET2", "HSETP2", "HMNMX2") or n in ("HADD2.F32",):
        return "half_alu"
    if m in ("HADD2", "HFMA2", "HMUL2", "HMUL2_32I", "HADD2_32I", "HFMA2_32I"):
        return "half"
    if m == "CS2R":
        return "cs2r_32" if n == "CS2R.32" else "cs2r"
    if m in ("DADD", "DMUL", "DFMA", "DSET"):
        return "fp64"
    if m == "DSETP":
        return "dsetp"
    if m == "DMMA":
        return "dmma"
    if m == "QMMA":
        return "qmma"
    if m == "HGMMA":
        return "hgmma"
    if m == "HMMA":
        shape = [p for p in n.split(".") if p.isdigit()][0]
        if ".SP" in n:  # half of the products are zero: as long as a dense one of half the depth
            return "hmma_medium" if shape == "1688" or (shape == "16816" and "TF32" not in n) else "hmma_large"
        if shape == "16816":
            return "hmma_large"
        if shape == "1688":
            return "hmma_large" if "TF32" in n else "hmma_medium"
        return "hmma_medium" if "TF32" in n else "hmma_small"  # 1684.TF32 is as deep as 1688.F16
    if m == "IMMA":
        shape = [p for p in n.split(".") if p.isdigit()][0]
        if ".SP" in n:
            return "imma_medium" if shape == ("16832" if "8" in n.split(shape)[1] else "16864") else "imma_large"
        return {"8816": "imma_small", "8832": "imma_small", "16816": "imma_medium"}.get(shape, "imma_large")
    if m == "BMMA":
        return "bmma_small" if "88128" in n else "bmma_large"
    if m in ("IMAD", "IDP", "FFMA", "FADD", "FMUL", "FMUL32I", "FADD32I", "FFMA32I", "FFMA2", "FADD2", "FMUL2", "FSWZADD"):
        return "fma"
    if m in ("ISETP", "FSETP", "PSETP"):
        return "setp"
    if m == "PLOP3":
        return "plop3"
    if m == "VOTE":
        return "vote"
    if m == "VIADD":
        return "viadd"
    if m in ("R2P", "P2R", "ELECT", "R2UR"):
        return m.lower()
    if m == "LEPC":
        return "cs2r"
    if m in DUAL:
        return "dual"
    if m in OLD_ALU:
        return "alu"
    if m == "IADD" and ".64" in n:
        return "alu_64"
    if m in ("F2I", "I2F", "F2F", "FRND") and "64" in n:
        return "conv_64"
    if m in XU:
        return "xu:" + m
    if m in TEX:
        return "tex:" + m
    if m in MEM:
        return "mem:" + m
    if m in CONTROL:
        return "control"
    if m == "S2UR":
        return "s2ur"
    if m == "CREDUX":
        return "r2ur"
    if m in ("ULDC",):
        return "uldc"
    if m in ("LDCU",):
        return "ldcu"
    if m.startswith("UTMA") or m in ("UBLKCP", "UBLKRED", "UBLKPF", "UCGABAR_ARV", "UCGABAR_WAIT"):
        return "tma"
    if m in ("UIADD3", "ULEA") and (".X" in n):
        return "ualu_x"
    if m == "UIADD3" and ".64" in n:
        return "ualu_x"
    if m == "UIMAD":
        return "uimad_wide" if ".WIDE" in n else "uimad"
    if m == "UISETP":
        return "usetp"
    if m in ("UMOV", "USEL", "VOTEU", "UPLOP3"):
        return m.lower()
    if m.startswith("U") or m in ("CS2UR",):
        return "ualu"
    if m.startswith("OP_"):
        return "unknown"
    return "alu"


def group(cls):
    return cls.split(":")[0]


def r_writer(cls, part):
    if cls == "wide":
        return "wide_high" if part == "dst1" else "wide_low"
    if cls in ("setp", "p2r", "elect"):
        return "alu"
    if cls == "dsetp":
        return "fp64"
    return group(cls) if group(cls) in R_WRITERS else None


def r_reader(cls, slot):
    g = group(cls)
    if g == "wide":
        if slot in ("C.hi",):
            return "wide_c_high"
        if slot in ("C", "C.lo"):
            return "wide_c_low"
        return "wide_ab"
    if g == "imad_hi":
        return "imad_hi_c" if slot.startswith("C") else "imad_hi"
    if g in MMA:
        return "mma_c" if slot.startswith("C") else "mma_ab"
    if g == "mem":
        return "mem_address" if slot.startswith("addr") or slot == "cidx" else "mem_data"
    if g in ("r2p", "p2r", "vote", "plop3", "cs2r", "elect"):
        return "alu"
    if g == "dsetp":
        return "fp64"
    if g in ("r2ur", "s2ur", "ualu"):
        return "r2ur"
    return g if g in R_READERS else None


def p_writer(cls):
    g = group(cls)
    if g in ("half_alu", "hfma2_mma"):
        return "half"
    if g == "dsetp":
        return "fp64"
    if g in ("viadd", "p2r", "alu_64"):
        return "alu"
    return g if g in P_WRITERS else None


def p_reader(cls, slot):
    g = group(cls)
    if slot == "guard":
        return "guard"
    if g in ("half_alu", "hfma2_mma"):
        return "half"
    if g in ("dsetp", "dmma") or g in MMA:
        return "fp64"
    if g in ("viadd", "p2r", "cs2r", "cs2r_32", "alu_64"):
        return "alu"
    if g == "imad_hi":
        return "fma"
    if g in ("xu", "conv_64", "mem", "tex"):
        return "late"
    if g == "r2p":
        return "control"
    return g if g in P_READERS else None


def u_writer(cls):
    g = group(cls)
    return {"usel": "ualu", "usetp": "ualu", "uplop3": "ualu"}.get(g, g if g in U_WRITERS else None)


def u_reader(cls, slot):
    g = group(cls)
    if slot == "desc":
        return "tma" if g == "tma" else "descriptor"
    if slot == "cidx" and g not in ("uldc", "ldcu"):
        return "bank"
    if g in ("uimad", "uimad_wide", "usetp", "uplop3"):
        return "ualu"
    if g in ("voteu", "s2ur", "r2ur"):
        return "umov"
    if g in ("uldc", "ldcu"):
        return "uldc"
    if g in ("mem", "tex"):
        return "memory"
    if cls == "xu:SYNCS":
        return "tma"
    if g == "control":
        return "branch"
    if g in U_READERS:
        return g
    return "vector"


def up_writer(cls):
    g = group(cls)
    return {"ualu_x": "ualu", "uimad": "ualu", "uimad_wide": "ualu"}.get(g, g if g in UP_WRITERS else None)


def up_reader(cls, slot):
    g = group(cls)
    if slot == "guard":
        return "guard"
    if g in ("usel", "usetp", "uplop3", "uimad", "uimad_wide", "umov", "voteu"):
        return "ualu"
    if g == "control":
        return "branch"
    if g in UP_READERS:
        return g
    return "vector"


class Cell:
    """Everything observed for one group pair: distance -> cases per opcode pair and slot."""

    def __init__(self):
        self.by_class = collections.defaultdict(collections.Counter)
        self.total = 0

    def add(self, key, distance, at_min, count):
        self.by_class[key][distance] += at_min
        self.total += count

    def least(self):
        return min(min(c) for c in self.by_class.values())

    def trusted_of(self, counter):
        seen = 0
        for d in sorted(counter):
            seen += counter[d]
            if seen >= 10:
                return d
        return None

    def trusted(self):
        merged = collections.Counter()
        for c in self.by_class.values():
            merged.update(c)
        whole = self.trusted_of(merged)
        if whole is None:
            return (None, None)
        # An opcode pair that never goes as low, with ten cases at its least: a slower member of the group.
        # More than two cycles above the group it is slack of the code around it.
        slower = [min(c) for c in self.by_class.values() if c[min(c)] >= 10 and whole < min(c) <= whole + 2]
        return (whole, max(slower + [whole]))


def load(facts, sms):
    """(sm, kind, file) -> (writer group, reader group) -> Cell; for WAW and WAR the pair is first and second."""
    out = collections.defaultdict(lambda: collections.defaultdict(Cell))
    with lzma.open(os.path.join(facts, "latency_observed_slots.csv.xz"), "rt", newline="") as f:
        for row in csv.DictReader(f):
            sm, kind, file = row["sm"], row["kind"], row["regfile"]
            sm = sm if sm in sms else POOL.get(sm, sm)
            if sm not in sms or kind.endswith("x"):
                continue
            pc, cc = class_of(row["producer"]), class_of(row["consumer"])
            if FAMILY[sm] == 50:  # I2I is counted there
                pc, cc = ("xu:I2I" if c == "alu" and n.startswith("I2I") else c
                          for c, n in ((pc, row["producer"]), (cc, row["consumer"])))
            if "unknown" in (pc, cc):
                continue
            pp, cs = row["producer_part"], row["consumer_slot"]
            if kind == "RAW":
                key = {"R": lambda: (r_writer(pc, pp), r_reader(cc, cs)), "P": lambda: (p_writer(pc), p_reader(cc, cs)),
                       "UR": lambda: (u_writer(pc), u_reader(cc, cs)), "UP": lambda: (up_writer(pc), up_reader(cc, cs)),
                       "CC": lambda: ("cc", "cc")}[file]()
            elif kind == "WAW":
                second = {"R": r_writer(cc, cs), "P": p_writer(cc), "UR": u_writer(cc), "UP": up_writer(cc), "CC": "cc"}[file]
                if row["consumer"].endswith("(v)") or second is None:
                    second = "late"
                first = {"R": r_writer(pc, pp), "P": p_writer(pc), "UR": u_writer(pc), "UP": up_writer(pc), "CC": "cc"}[file]
                key = (first, second)
            else:
                continue
            if None in key:
                continue
            pair = (row["producer"], row["consumer"], cs if kind == "RAW" else "")
            out[(sm, kind, file)][key].add(pair, int(row["min_distance"]), int(row["count_at_min"]), int(row["count"]))
    return out


# --- documented tables (facts: hardware 2.3 to 2.7); columns are writers ----------------------------------------------
COLS = "cs2r alu fma wide_low wide_high fp64 half".split()
NAK75 = {
    "alu": [6, 4, 5, 3, 5, 9, 8], "fma": [6, 5, 4, 2, 4, 9, 8], "wide_ab": [6, 5, 4, 4, 6, 9, 8],
    "wide_c_low": [6, 5, 4, 2, 2, 9, 8], "wide_c_high": [4, 3, 2, 2, 2, 7, 6], "fp64": [6, 6, 6, 6, 6, 8, 8],
    "half": [6, 6, 6, 6, 6, 9, 6], "mma": [6, 6, 6, 6, 6, 9, 8], "xu": [6, 6, 6, 6, 6, 9, 8], "mem": [6, 6, 6, 6, 6, 9, 8],
    "hfma2_mma": [6, 6, 6, 6, 6, 9, 8],
}
NAK80 = {
    "alu": [6, 4, 5, 3, 5, 10, 5], "fma": [6, 5, 4, 2, 4, 10, 5], "wide_ab": [6, 5, 4, 4, 6, 10, 5],
    "wide_c_low": [6, 5, 4, 2, 4, 10, 5], "wide_c_high": [4, 3, 2, 2, 2, 8, 3], "half": [6, 5, 5, 3, 5, 10, 5],
    "hfma2_mma": [6, 6, 6, 6, 6, 6, 6], "fp64": [6, 6, 6, 6, 6, 6, 6], "mma": [7, 7, 7, 7, 7, 11, 7],
    "xu": [4, 4, 4, 4, 4, 6, 4], "mem": [5, 5, 5, 5, 5, 7, 5],
}
NAK100 = dict(NAK80)
NAK100["hfma2_mma"] = [6, 6, 6, 6, 6, 10, 6]
NAK100["fp64"] = [6, 6, 6, 6, 6, 8, 6]

P75 = {"alu": [4, 5, 9, 8], "fma": [5, 4, 9, 8], "wide": [5, 4, 9, 8], "fp64": [12, 12, 8, 14], "half": [12, 12, 15, 6],
       "guard": [12, 12, 15, 14]}
P80 = {"alu": [4, 5, 6, 5], "fma": [5, 4, 6, 5], "wide": [5, 4, 6, 5], "fp64": [13, 13, 6, 13], "half": [13, 13, 14, 5],
       "guard": [13, 13, 14, 13]}
U75 = {"ualu": [4, 2, 13], "vector": [6, 2, 13], "memory": [9, 2, 13], "branch": [10, 3, 13], "bank": [12, 5, 15],
       "uldc": [12, 5, 15], "umov": [7, 2, 13]}
UP75 = {"ualu": [4, 1], "vector": [6, 1], "guard": [11, 5], "branch": [9, 2], "uldc": [11, 5]}

FAMILY = {"50": 50, "60": 50, "70": 75, "75": 75, "80": 80, "86": 80, "89": 80, "90": 90, "90a": 90, "100": 100, "103": 100,
          "120": 120}

# SMs whose schedules agree are pooled: more cases per cell, and no false difference by chance.
POOL = {"52": "50", "60": "50", "61": "50", "62": "50", "72": "70", "86": "80", "87": "80", "88": "80", "89": "80",
        "90a": "90", "110": "103", "121": "120"}

# Result latency of matrix operations (facts: observed "MMA"). 0 = counted.
LENGTH = {
    80: dict(hmma_small=16, hmma_medium=16, hmma_large=24, hmma_sparse=16, imma_small=13, imma_medium=16, imma_large=24,
             bmma_small=13, bmma_large=24, qmma=24, hgmma=24, dmma=0),
    100: {**{k: 19 for k in MMA}, "dmma": 0},
    120: {**{k: 28 for k in MMA}, "dmma": 0, "imma_small": 26, "imma_medium": 26, "imma_large": 26},
}
LENGTH[90] = LENGTH[80]

# Thin cells seen tighter in library kernels (facts: observed, last paragraph): (writer, reader) -> check.
TIGHTER = {("alu", "control"): 4, ("dual", "control"): 4, ("fma", "control"): 4, ("alu", "r2ur"): 4, ("dual", "r2ur"): 4,
           ("wide_low", "imad_hi_c"): 4, ("wide_high", "imad_hi_c"): 4,
           # sm_100 and sm_120 listings: UIADD3 -> ULEA.HI.X 5, USHF -> UIADD3.X 4, UIADD3 -> USEL 4 and 6.
           ("ualu", "ualu_x"): 4, ("ualu", "usel"): 4, ("uimad", "ualu_x"): 4, ("uimad", "usel"): 4,
           ("uimad_wide", "ualu_x"): 4, ("uimad_wide", "usel"): 4, ("ualu_x", "ualu_x"): 4, ("ualu_x", "usel"): 4,
           # Public CUDA sources compiled for sm_75 to sm_90: CS2R -> FADD 6, ULDC -> USEL 2.
           # On sm_75 ULDC -> UIADD3.X 2, with a carry that is not awaited: other cases wait for theirs.
           ("cs2r", "fma"): 6, ("uldc", "usel"): 2, ("uldc", "ualu_x"): 2}

# The same on one SM alone: accumulator of a later matrix instruction, public CUDA sources and library kernels.
# R2UR -> LDCU 13: a library of collectives, compiled for sm_100 and sm_120 (14 in kernels written by hand). Low half of IMAD.WIDE -> R2UR 3 on sm_100 (library kernels,
# where other results take R2UR 4): the same on the other SMs where R2UR has a fixed latency and the low half is early.
TIGHTER_ON = {("100", "imma_medium", "mma_c"): 20, ("120", "imma_medium", "mma_c"): 27,
              **{(sm, "wide_low", "r2ur"): 3 for sm in ("90", "100", "103", "120")},
              ("100", "r2ur", "uldc"): 13, ("103", "r2ur", "uldc"): 13, ("120", "r2ur", "uldc"): 13,
              # Generated programs of 64-bit products (2026-11-26): IMAD.WIDE -> factor of IMAD.WIDE.U32 4 (73 cases next to each other, none
              # below); IADD.64 -> IMAD.WIDE 4 where it is factor and addend at once (7 such neighbours), else 6 (82 of 82).
              ("120", "wide_low", "wide_ab"): 4, **{("120", "alu_64", r): 4 for r in ("wide_ab", "wide_c_low", "wide_c_high")}}

# Results of matrix operations as factors (2026-11-26, chains of every one behind every other; only `check`, `emit` stays).
TIGHTER_ON.update({**{("100", w, "mma_ab"): 20 for w in ("hmma_medium", "hmma_large", "imma_medium", "imma_large")},
                   **{("103", w, "mma_ab"): 20 for w in ("hmma_medium", "hmma_large")},
                   **{("120", w, "mma_ab"): 29 for w in ("hmma_medium", "hmma_large", "qmma")},
                   **{("120", w, "mma_ab"): 27 for w in ("imma_medium", "imma_large")}})

# Cells with no trusted distance whose `check` the compiler reaches exactly, at least ten times and never undercuts, in 2.1 million
# instructions of public CUDA sources (sm_75 to sm_90): their source is "observed".
REACHED = {("alu", "control"), ("dual", "control"), ("fma", "control"), ("hfma2_mma", "control"), ("imma_medium", "mma_c"),
           ("setp", "control"), ("fp64", "fp64"), ("r2p", "guard"), ("r2p", "vote"), ("setp", "uniform"), ("r2ur", "plop3"),
           ("r2ur", "memory"), ("r2ur", "descriptor"), ("uimad", "vector"), ("uimad_wide", "vector"), ("uimad", "usel"),
           ("ualu_x", "ualu")}

# The same on one SM, in code by CUDA 12.8 to 13.5 (2026-11-26: 1.1 million instructions of sm_90, 3.7 million of sm_103 and sm_110): -> emit. Of
# uniform predicates the branch takes them after 9, as on sm_100: 4,271 of 7,353 cases.
REACHED_ON = {("90", "p", "alu", "wide"): 5, ("90", "p", "setp", "late"): 13, ("90", "p", "setp", "alu"): 4,
              ("90", "r", "imad_hi", "wide_c_low"): 4, ("90", "r", "hfma2_mma", "wide_c_high"): 10, ("90", "r", "alu", "r2ur"): 5,
              ("90", "r", "wide_low", "dual"): 3, ("90", "r", "wide_low", "setp"): 3, ("90", "up", "ualu", "vector"): 6,
              ("90", "up", "usetp", "vector"): 6, ("90", "ur", "uldc", "xu"): 2, ("90", "ur", "uldc", "descriptor"): 2,
              ("90", "ur", "umov", "branch"): 3, ("90", "ur", "voteu", "ualu"): 2, ("90", "ur", "voteu", "xu"): 2,
              # Generated programs (2026-11-27): the low half of IMAD.WIDE as a factor of another, 28 of 155 at 6, none sooner; 6 on every other SM.
              ("100", "r", "wide_low", "wide_ab"): 6,
              ("103", "p", "wide", "fma"): 4, ("103", "p", "alu", "plop3"): 4, ("103", "p", "alu", "wide"): 5,
              ("103", "p", "setp", "late"): 13, ("103", "p", "setp", "alu"): 4, ("103", "p", "plop3", "plop3"): 4,
              ("103", "r", "wide_high", "viadd"): 4, ("103", "r", "imad_hi", "wide_c_low"): 4, ("103", "r", "half", "control"): 5,
              ("103", "r", "half", "wide_c_low"): 5, ("103", "r", "viadd", "fp64"): 6, ("103", "r", "viadd", "viadd"): 4,
              ("103", "r", "viadd", "imad_hi"): 4, ("103", "r", "wide_low", "dual"): 3, ("103", "up", "ualu", "ualu"): 4,
              ("103", "up", "ualu", "branch"): 9, ("103", "up", "usetp", "vector"): 6, ("103", "up", "usetp", "branch"): 9,
              ("103", "ur", "ualu", "xu"): 9, ("103", "ur", "uimad", "memory"): 9, ("103", "ur", "umov", "branch"): 3,
              ("103", "ur", "umov", "vector"): 2, ("103", "ur", "voteu", "xu"): 2, ("103", "ur", "r2ur", "ualu"): 13,
              ("103", "ur", "r2ur", "xu"): 13}


def reader_row(r):
    return {"alu": "alu", "dual": "alu", "setp": "alu", "viadd": "alu", "control": "xu", "r2ur": "xu", "imad_hi": "wide_ab",
            "imad_hi_c": "wide_c_low", "half_alu": "half", "mma_ab": "mma", "mma_c": "mma", "dmma": "mma",
            "mem_address": "mem", "mem_data": "mem", "tex": "xu", "alu_64": "alu", "conv_64": "xu"}.get(r, r)


def writer_col(w, family):
    if w in ("alu", "dual", "vote", "cs2r_32", "alu_64"):
        return "alu"
    if w == "viadd":
        return "fma" if family in (90, 100) else "alu"
    if w == "imad_hi":
        return "wide_high"
    if w == "half_alu":
        return "half"
    if w == "hfma2_mma":
        return "fp64"
    return w


def nak_r(family, w, r):
    """(check, emit) documented for RAW through a general register, or None."""
    if w in MMA or w == "dmma":
        if family == 75 or family == 50 or w == "dmma":
            return None
        length = LENGTH[family][w]
        if w == "hmma_sparse" and family in (80, 90):
            return (length - 2, 29)  # never seen; 16816 is hmma_medium, a deeper one may take 24
        if family in (80, 90):
            if r in ("xu", "tex"):
                return (length - 2, length - 2)
            if r in ("control", "r2ur"):
                return (length - 2, length)
            if r in ("mem_address", "mem_data"):
                return (length - 1, length - 1)
            if r == "mma_c":
                return (length, length + 1)
            if r in ("mma_ab", "dmma"):
                return (length, length + 5)
            return (length, length)
        if r in ("mma_ab", "mma_c", "dmma"):
            return (length, length + (5 if r != "mma_c" else 1))
        return (length, length)
    if family == 50:
        if r in ("mem_address", "mem_data", "xu", "tex", "control", "r2ur"):
            return (2, 6)
        if r in ("fp64",):
            return (4, 6)
        return (6, 6)
    table = {75: NAK75, 80: NAK80, 90: NAK100, 100: NAK100, 120: NAK100}[family]
    if r in ("control", "r2ur") and family != 75 and writer_col(w, family) not in ("fp64",):
        return (4, 6 if family == 120 else 5)  # a jump register or a move to uniform: 4 and 5 were seen, both thin
    row = reader_row(r)
    if r == "viadd" and family in (90, 100):
        row = "fma"
    col = writer_col(w, family)
    if row not in table or col not in COLS:
        return None
    v = table[row][COLS.index(col)]
    emit = v + (1 if family == 120 else 0)
    check = v
    if family == 120 and (w in ("dual", "viadd") or r in ("dual", "viadd", "setp")) and row == "alu":
        emit = max(emit, 5)
    return (check, emit)


def nak_p(family, w, r):
    if family == 50:
        return (13, 13)
    table = P75 if family == 75 else P80
    row = {"alu": "alu", "dual": "alu", "setp": "alu", "plop3": "alu", "fma": "fma", "wide": "wide", "half": "half",
           "fp64": "fp64"}.get(r, "guard")
    if (w, r) == ("elect", "plop3"):
        return (4, 13)  # compiled GEMM kernels for sm_90a and sm_100a, six cases
    if w in ("elect", "r2ur"):
        return (8, 13)
    i = {"fma": 1, "wide": 1, "imad_hi": 1, "fp64": 2, "half": 3}.get(w, 0)
    v = table[row][i]
    return (v, v + (1 if family == 120 and v < 12 else 0))


def nak_u(family, w, r):
    if family == 50:
        return None
    row = {"ualu": "ualu", "ualu_x": "ualu", "usel": "ualu", "umov": "umov", "uldc": "uldc", "vector": "vector",
           "xu": "memory", "memory": "memory", "descriptor": "memory", "tma": "memory", "branch": "branch", "bank": "bank"}[r]
    i = {"uldc": 1, "umov": 1, "voteu": 1, "r2ur": 2}.get(w, 0)
    v = U75[row][i]
    emit = v
    if r == "ualu_x" and i == 0:
        emit = 10
    if i == 0 and r == "usel":
        emit = 8
    if i == 1 and r in ("ualu_x", "usel", "umov"):
        emit = max(emit, 9)
    check = v
    if i == 0 and r == "umov":
        check = 4
    if i == 2 and r == "descriptor":
        emit = 15
    return (check, emit)


def nak_up(family, w, r):
    if family == 50:
        return None
    row = "ualu" if r == "ualu_x" else r
    i = 1 if w == "voteu" else 0
    v = UP75[row][i]
    return (v, max(v, {"ualu": 4, "ualu_x": 4, "vector": 6, "guard": 11, "branch": 11, "uldc": 11}[r]))


def decide(cell, doc, row_trusted, floor=1, tighter=None):
    """One cell of a table: (check, emit, source letter)."""
    whole = most = least = None
    if cell is not None:
        whole, most = cell.trusted()
        least = cell.least()
        # A trusted value above the documented one is slack unless the edge is sharp: ten cases at it, two below.
        if whole is not None and doc is not None and whole > doc[1]:
            merged = collections.Counter()
            for c in cell.by_class.values():
                merged.update(c)
            below = sum(n for d, n in merged.items() if d < whole)
            if merged[whole] < 10 or below > 2 or whole > doc[1] + 6:
                whole = None
    if whole is not None:
        check, emit, source = whole, (max(whole, min(most, doc[1])) if doc else whole), "obs"
        if least < check:
            limit = (doc[0] - 2) if doc else check - 2
            check = max(least, limit, floor) if max(least, limit) < check else check
        if doc and doc[0] < check and cell.total < 30:
            check = doc[0]
    elif doc is not None:
        check, emit, source = doc[0], doc[1], "doc"
        if least is not None and doc[0] - 3 <= least < check:
            check = least
        if least is not None and emit < least <= doc[1] + (6 if cell.total >= 12 else 3):
            emit = least  # never below what the compiler does, however thin; farther above it is slack
    else:
        check = min(row_trusted) if row_trusted else 1
        emit = max(row_trusted) if row_trusted else 13
        source = "assume"
    if tighter is not None:
        check = min(check, tighter)
    check = max(check, floor)
    return check, max(check, emit), source


def table(cells, writers, readers, doc_of, skip=(), sm=None, file=None):
    out = {}
    for w in writers:
        trusted = []
        for r in readers:
            c = cells.get((w, r))
            if c is not None and c.trusted()[0] is not None:
                trusted.append(c.trusted()[0])
        for r in readers:
            if w in ("none", "counted") or r == "none":
                out[(w, r)] = (1, 1, "doc")
                continue
            check, emit, source = decide(cells.get((w, r)), doc_of(w, r), trusted, tighter=TIGHTER_ON.get((sm, w, r), TIGHTER.get((w, r))))
            reached = REACHED_ON.get((sm, file, w, r))
            if reached is not None:
                emit, source = max(check, reached), "obs"
            out[(w, r)] = (check, emit, "obs" if source in ("assume", "doc") and (w, r) in REACHED else source)
    return out


def counted_writer(sm, w):
    f = FAMILY[sm]
    if w == "fp64":
        return sm not in ("90", "90a", "100")
    if w == "hgmma":
        return True  # ordered by the warp-group scoreboard, not by distance
    if w in MMA:
        return f in (50, 75) or (sm == "103" and w.startswith("imma"))
    return w == "dmma" and f != 120


def r_waw(sm, cells, raw):
    f = FAMILY[sm]
    out = {}
    for w in R_WRITERS:
        for s in SECONDS:
            if w in ("none", "counted") or counted_writer(sm, w):
                out[(w, s)] = (1, 1, "doc")
                continue
            seconds = {"fixed": ("alu", "dual", "viadd", "vote", "cs2r_32", "wide_high", "alu_64"), "fma": ("fma", "imad_hi"),
                       "wide_low": ("wide_low",), "dispatch64": ("cs2r",), "half": ("half", "half_alu"),
                       "slow": ("hfma2_mma", "fp64"), "mma": tuple(MMA), "late": ("late",)}[s]
            seen = Cell()
            for g in seconds:
                c = cells.get((w, g))
                if c is not None:
                    for k, v in c.by_class.items():
                        seen.by_class[k].update(v)
                    seen.total += c.total
            whole = seen.trusted()[0] if seen.by_class else None
            least = seen.least() if seen.by_class else None
            if w in MMA or w == "dmma":
                length = LENGTH[f].get(w) or 28
                doc = {"late": (6, length - 1)}.get(s, (9 if f in (80, 90) else 14, length))
                check = min([v for v in (least, doc[0]) if v is not None])
                if s == "mma":
                    check = 1
                if whole is not None and whole > doc[1] + 3:
                    whole = None  # slack
                out[(w, s)] = (check, max(doc[1], whole or 0, check), "obs" if whole else "doc")
            elif w in ("hfma2_mma", "fp64"):
                doc = {"fixed": 6, "fma": 6, "wide_low": 8, "dispatch64": 4, "half": 6, "slow": 3, "mma": 2, "late": 10}[s]
                out[(w, s)] = (1, doc, "doc")
            elif f == 50:
                # Generations with one fixed latency: a later fixed write lands later. Late readers start two cycles in.
                out[(w, s)] = (1, 2 if s == "late" else 1, "doc") if s != "late" else (0 or 1, 6, "doc")
            else:
                doc = {"fixed": 2 if w == "cs2r" else 1, "fma": 2, "wide_low": 3, "dispatch64": 1, "half": 2 if f == 75 else 1,
                       "slow": 2, "mma": 4 if f == 75 else 2, "late": 6}[s]
                if w in ("half", "half_alu") and f == 75 and s in ("fixed", "fma", "dispatch64"):
                    doc = 4
                if w in ("half", "half_alu") and f == 75 and s == "wide_low":
                    doc = 6
                if w == "cs2r" and s == "fma":
                    doc = 6
                if w == "cs2r" and s in ("wide_low", "half"):
                    doc = 6
                check = 1
                if s == "late":
                    check = min([v for v in (least, 5) if v is not None])
                out[(w, s)] = (max(1, check), doc, "obs" if whole == doc else "doc")
    return out


def p_waw(sm, cells):
    f = FAMILY[sm]
    out = {}
    for w in P_WRITERS:
        for s in SECONDS:
            if w in ("none", "counted") or (w == "fp64" and counted_writer(sm, "fp64")):
                out[(w, s)] = (1, 1, "doc")
            elif f == 50:
                out[(w, s)] = (1, 13 if s == "late" else 1, "doc")
            elif w == "fp64":
                out[(w, s)] = (1, {"fixed": 5 if f == 75 else 2, "half": 10, "late": 13}.get(s, 2), "doc")
            elif w == "half":
                out[(w, s)] = (1, {"fixed": 4 if f == 75 else 2, "slow": 7, "late": 12}.get(s, 2), "doc")
            else:
                doc = {"half": 9, "slow": 7, "late": 12}.get(s, 1) if f != 75 else {"half": 6, "slow": 4, "late": 12}.get(s, 1)
                check = {"late": 2, "slow": 1}.get(s, 1)
                out[(w, s)] = (check, doc, "doc")
    return out


def u_waw(sm, cells):
    out = {}
    for w in U_WRITERS:
        for s in SECONDS:
            if w in ("none", "counted"):
                out[(w, s)] = (1, 1, "doc")
            elif w in ("uldc", "umov", "voteu"):
                out[(w, s)] = (1, 4 if s == "late" else 1, "doc")
            elif w == "r2ur":
                out[(w, s)] = (1, 11, "doc")
            elif s == "slow":
                out[(w, s)] = (2, 7, "doc")
            elif s == "late":
                out[(w, s)] = (1, 11, "doc")
            else:
                out[(w, s)] = (1, 1, "doc")
    return out


def tables_of(sm, seen):
    f = FAMILY[sm]
    t = {}
    empty = {}

    def doc_r(w, r):
        return (1, 1) if counted_writer(sm, w) else nak_r(f, w, r)

    t["r_raw"] = table(seen.get((sm, "RAW", "R"), empty), R_WRITERS, R_READERS, doc_r, sm=sm, file="r")
    for (w, r) in list(t["r_raw"]):
        if counted_writer(sm, w):
            t["r_raw"][(w, r)] = (1, 1, "doc")
    t["p_raw"] = table(seen.get((sm, "RAW", "P"), empty), P_WRITERS, P_READERS, lambda w, r: nak_p(f, w, r), sm=sm, file="p")
    t["u_raw"] = table(seen.get((sm, "RAW", "UR"), empty), U_WRITERS, U_READERS, lambda w, r: nak_u(f, w, r) or (1, 1), sm=sm, file="ur")
    t["up_raw"] = table(seen.get((sm, "RAW", "UP"), empty), UP_WRITERS, UP_READERS, lambda w, r: nak_up(f, w, r) or (1, 1), sm=sm, file="up")
    t["r_waw"] = r_waw(sm, seen.get((sm, "WAW", "R"), empty), t["r_raw"])
    t["p_waw"] = p_waw(sm, seen.get((sm, "WAW", "P"), empty))
    t["u_waw"] = u_waw(sm, seen.get((sm, "WAW", "UR"), empty))
    # A value that was documented for another SM, or extended from another reader, is assumed here.
    for m in t.values():
        for key, (check, emit, source) in m.items():
            borrowed = sm in ("70", "90", "103") or (key[0] in MMA and f == 80)
            if source == "doc" and borrowed and key[0] not in ("none", "counted") and emit > 1:
                m[key] = (check, emit, "assume")
    return t


SHAPES = {"r_raw": (R_WRITERS, R_READERS, "r_writer", "r_reader", "General registers, read after write."),
          "p_raw": (P_WRITERS, P_READERS, "p_writer", "p_reader", "Predicates, read after write."),
          "u_raw": (U_WRITERS, U_READERS, "u_writer", "u_reader", "Uniform registers, read after write."),
          "up_raw": (UP_WRITERS, UP_READERS, "up_writer", "up_reader", "Uniform predicates, read after write."),
          "r_waw": (R_WRITERS, SECONDS, "r_writer", "second_writer", "General registers, write after write."),
          "p_waw": (P_WRITERS, SECONDS, "p_writer", "second_writer", "Predicates, write after write."),
          "u_waw": (U_WRITERS, SECONDS, "u_writer", "second_writer", "Uniform registers, write after write.")}


SOURCE_LETTER = {"doc": "d", "obs": "o", "assume": "a"}


def header(sm, t, seen):
    n = collections.Counter(v[2] for m in t.values() for v in m.values())
    cases = sum(c.total for (s, _, _), cells in seen.items() if s == sm for c in cells.values())
    out = io.StringIO()
    out.write(f"""// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_{sm} by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from {cases} observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: {n['obs']} observed, {n['doc']} documented, {n['assume']} assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {{

struct sm{sm}_tables {{
  using cells = latency_cells<sm{sm}_tables>;

""")
    for name, (rows, cols, rt, ct, title) in SHAPES.items():
        out.write(f"  // {title}\n  static constexpr char {name}[] =\n")
        cells = [[f"{SOURCE_LETTER[s]}{c:02d}{e:02d}" for c, e, s in (t[name][(w, r)] for r in cols)] for w in rows]
        plain = all(c == "d0101" for row in cells for c in row)
        width = [5 if plain else max(5, len(col)) for col in cols]
        label = max(len(w) for w in rows)
        if not plain:
            out.write("      //" + " " * (label + 6) + " ".join(n.ljust(wd) for n, wd in zip(cols, width)).rstrip() + "\n")
        for number, (w, row) in enumerate(zip(rows, cells), 1):
            body = " ".join(c.ljust(wd) for c, wd in zip(row, width)).rstrip()
            end = ";" if number == len(rows) else ""
            out.write(f'      /* {w.ljust(label)} */ "{body}|"{end}\n')
        out.write("\n")
    s = out.getvalue().rstrip("\n")
    return s + f"\n}};\n\n}}  // namespace ww::detail\n// clang-format on\n"


# --- a corpus of listings: the same minima by a second, independent reading -------------------------------------------
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s*/\* 0x([0-9a-f]{16}) \*/")
NO_RESULT = set("""BAR BRA BRX EXIT BSSY BSYNC BREAK MEMBAR ERRBAR DEPBAR LDGDEPBAR CCTL NOP WARPSYNC RET CALL KILL NANOSLEEP
YIELD BPT FENCE R2B ST STG STS STL RED REDG SUST STSM LDGSTS CGAERRBAR""".split())
MATRIX_WIDTHS = {"16816": (4, 4, 2, 4), "1688": (4, 2, 1, 4), "1684": (4, 2, 1, 4), "16832": (4, 4, 2, 4),
                 "16864": (4, 4, 2, 4), "8816": (2, 1, 1, 2)}


def split_operands(text):
    out, depth, start = [], 0, 0
    for i, ch in enumerate(text):
        depth += ch in "[(" 
        depth -= ch in "])"
        if ch == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    out.append(text[start:].strip())
    return [o for o in out if o]


def registers(text, kind):
    return [int(n) for n in re.findall(r"(?<![A-Z0-9_])" + kind + r"(\d+)\b", text)]


def width_of(parts):
    return 4 if "128" in parts else 2 if "64" in parts else 1


def read_instruction(body):
    """(guard text, name, [(register, part, slot)] written, the same read, predicates written, predicates read), or None."""
    guard = ""
    if body.startswith("@"):
        guard, body = body.split(None, 1)
    name, _, rest = body.partition(" ")
    parts = name.split(".")
    m = parts[0]
    ops = split_operands(rest)
    defs, uses, pdefs, puses = [], [], [], []
    if m in ("HGMMA", "WARPGROUP", "R2P", "P2R", "CALL", "RET") or m.startswith("UTMA") or m.startswith("QMMA"):
        return None
    wide = "WIDE" in parts
    double = m in ("DADD", "DMUL", "DFMA", "DSETP", "DMMA")
    shape = next((MATRIX_WIDTHS[x] for x in parts if x in MATRIX_WIDTHS), None) if m in ("HMMA", "IMMA", "BMMA") else None
    if m in ("HMMA", "IMMA", "BMMA") and shape is None:
        return None
    i = 0
    if m not in NO_RESULT:
        while i < len(ops) and re.fullmatch(r"!?U?P(\d|T)", ops[i]):
            pdefs += registers(ops[i], "P") if not ops[i].startswith("U") else []
            i += 1
            if m in ("ISETP", "FSETP", "DSETP", "PLOP3", "HSETP2") and i >= 2:
                break
        if i < len(ops) and re.match(r"R(\d+|Z)", ops[i]) and m not in ("ISETP", "FSETP", "DSETP", "PLOP3", "HSETP2"):
            w = 2 if wide or double or (m == "CS2R" and "32" not in parts) else 1
            if m.startswith("LD") or m.startswith("ATOM") or m in ("TEX", "TLD", "F2F", "F2I", "I2F", "SULD"):
                w = max(width_of(parts), 4 if m in ("TEX", "TLD") else 1, 2 if m == "I2F" and "F64" in parts else 1)
                if m == "LDSM":
                    w = int(parts[-1]) if parts[-1].isdigit() else 1
                if m in ("F2F", "I2F") and "F64" not in parts[1:2]:
                    w = 1
                if m == "F2I":
                    w = 2 if "S64" in parts or "U64" in parts else 1
            if shape:
                w = 2 if m == "HMMA" and parts[2] == "F16" else shape[0]
            for n in registers(ops[i], "R"):
                defs += [(n + k, k, "dst") for k in range(w)]
            i += 1
            while i < len(ops) and re.fullmatch(r"U?P(\d|T)", ops[i]) and m in ("IADD3", "LEA", "IMAD", "VIADD"):
                pdefs += registers(ops[i], "P") if not ops[i].startswith("U") else []
                i += 1
    letters = "ABCDE"
    for k, o in enumerate(ops[i:]):
        slot = letters[min(k, 4)]
        if "[" in o and not o.startswith("c["):
            for n in registers(o, "R"):
                two = ".64" in o or (m in ("LDG", "STG", "RED", "ATOMG", "REDG", "LD", "ST", "ATOM") and "SYS" in parts)
                uses += [(n + j, j, "addr") for j in range(2 if two else 1)]
            continue
        if re.fullmatch(r"!?P(\d|T)", o):
            puses += [(n, "p") for n in registers(o, "P")]
            continue
        if m in NO_RESULT or m.startswith("ATOM"):
            slot = "data"
        w = 2 if double or ".64" in o else 1
        if slot == "data":
            w = max(w, width_of(parts))
        if wide and slot == "C":
            w = 2
        if shape and k < 3:
            w = shape[1 + k] if k < 2 else (2 if m == "HMMA" and parts[2] == "F16" else shape[3])
        for n in registers(o, "R"):
            for j in range(w):
                s = slot + (".hi" if j else ".lo") if wide and slot == "C" else slot
                uses.append((n + j, j, s))
    if guard:
        puses += [(n, "guard") for n in registers(guard, "P")]
    return guard, name, defs, uses, pdefs, puses


def mine(path, sm, cells):
    """Adds the read-after-write distances inside straight-line regions of one listing to cells[(file, writer, reader)]."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as f:
        lines = f.read().split("\n")
    now, last, plast, count = 0, {}, {}, 0
    family_counted = {w for w in R_WRITERS if counted_writer(sm, w)} | {"counted"}
    for at, line in enumerate(lines):
        found = INSTRUCTION.match(line)
        if not found:
            if line and not line[0].isspace() and line.endswith(":"):
                now, last, plast = 0, {}, {}
            continue
        second = SECOND.match(lines[at + 1]) if at + 1 < len(lines) else None
        if not second:
            continue
        count += 1
        code = (int(second.group(1), 16) >> 41) & 31
        ins = read_instruction(found.group(2))
        if ins is None:
            now, last, plast = 0, {}, {}
            continue
        guard, name, defs, uses, pdefs, puses = ins
        cls = class_of(name)
        opposite = guard.replace("@", "@!") if "!" not in guard else guard.replace("!", "")
        for n, _, slot in uses:
            reader = r_reader(cls, slot)
            for cycle, writer, g in last.get(n, ()):
                if reader and (not guard or g != opposite):
                    cells[("R", writer, reader)][now - cycle] += 1
        for n, slot in puses:
            reader = p_reader(cls, slot)
            for cycle, writer, g in plast.get(n, ()):
                if reader and (not guard or g != opposite):
                    cells[("P", writer, reader)][now - cycle] += 1
        for n, part, _ in defs:
            writer = r_writer(cls, "dst1" if part else "dst0")
            entry = [] if writer is None or writer in family_counted else [(now, writer, guard)]
            last[n] = (last.get(n, []) if guard else []) + entry
        for n in pdefs:
            writer = p_writer(cls)
            counted = writer is None or (writer == "fp64" and "fp64" in family_counted)
            plast[n] = (plast.get(n, []) if guard else []) + ([] if counted else [(now, writer, guard)])
        now += 64 if code == 0 else code & 15
        if name.split(".")[0] in ("BRA", "EXIT", "RET", "BRX", "CALL", "BSYNC", "WARPSYNC"):
            now, last, plast = 0, {}, {}
    return count


def corpus(folder):
    """Mines every listing, splits the programs into halves by name and compares."""
    halves = [collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)]
    instructions = 0
    for file in sorted(os.listdir(folder)):
        found = re.match(r"(.*)\.sm_?(\d+a?)\.sass", file)
        if not found or "-O0" in file or found.group(2) not in FAMILY:
            continue
        value = 2166136261
        for ch in found.group(1).encode():
            value = ((value ^ ch) * 16777619) & 0xFFFFFFFF
        sm = POOL.get(found.group(2), found.group(2))
        cells = collections.defaultdict(collections.Counter)
        instructions += mine(os.path.join(folder, file), found.group(2), cells)
        for key, c in cells.items():
            halves[(value >> 7) & 1][(sm,) + key].update(c)
    trusted = violated = 0
    for train, test in (halves, halves[::-1]):
        for key, c in sorted(train.items()):
            least = min(c)
            if c[least] < 10:
                continue
            trusted += 1
            other = [d for d in test.get(key, ()) if d < least]
            if other:
                violated += 1
                print(f"sm_{key[0]} {key[1]} {key[2]} -> {key[3]}: {least} ({c[least]} cases) in one half, "
                      f"{min(other)} ({test[key][min(other)]}) in the other")
    print(f"{instructions} instructions; {trusted} trusted cells of one half, {violated} undercut by the other")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("facts", help="folder with the observed distances, or of listings with --corpus")
    ap.add_argument("--corpus", action="store_true", help="mine a folder of listings in two halves instead")
    ap.add_argument("--print", nargs="+", dest="show", metavar="SM")
    ap.add_argument("--headers", nargs="+", metavar="OUT SM")
    ap.add_argument("--thin", metavar="SM")
    a = ap.parse_args()
    if a.corpus:
        corpus(a.facts)
        return 0
    sms = set((a.show or []) + (a.headers or [None])[1:] + ([a.thin] if a.thin else []))
    seen = load(a.facts, sms)
    for sm in a.show or []:
        for (s, kind, file), cells in sorted(seen.items()):
            if s != sm:
                continue
            print(f"== sm_{sm} {kind} {file}: writer reader least trusted(min) trusted(max) cases")
            for (w, r), c in sorted(cells.items()):
                whole, most = c.trusted()
                print(f"{w:12} {r:12} {c.least():4} {whole if whole is not None else '-':>4} "
                      f"{most if most is not None else '-':>4} {c.total:8}")
    if a.thin:
        for (s, kind, file), cells in sorted(seen.items()):
            for (w, r), c in sorted(cells.items()):
                whole, _ = c.trusted()
                if whole is None or c.least() < whole:
                    print(f"sm_{s} {kind} {file} {w} -> {r}: least {c.least()}, trusted {whole}, {c.total} cases")
    if a.headers:
        for sm in a.headers[1:]:
            folder = os.path.join(a.headers[0], f"sm{sm}")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "latency_tables.hpp"), "w", encoding="utf-8") as f:
                f.write(header(sm, tables_of(sm, seen), seen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
