// SPDX-License-Identifier: BSL-1.0
//
// Hand-checked roles and widths, and decoding in constant expressions.

#include <cstdint>
#include <string>
#include <string_view>

#include "../support/catch.hpp"
#include "render.hpp"

namespace {

using namespace ww;

struct expectation {
  const char* text;
  const char* operands;
  sched_class iclass;
};

const expectation table[] = {
    // plain arithmetic: slots, negation, constants
    {"FFMA R20, -|R8|, |R8|, R11", "R20@dst <- R8@a R8@b R11@c", sched_class::fma},
    {"FADD R4, R0, 1", "R4@dst <- R0@a", sched_class::fma},
    {"FMUL R4, R0.reuse, c[0x0][0x160]", "R4@dst <- R0@a", sched_class::fma},
    {"MOV R1, c[0x0][0x28]", "R1@dst <- ", sched_class::alu_dual},
    {"MOV R2, R3", "R2@dst <- R3@b", sched_class::alu_dual},
    {"MOV R2, R3, 0xf", "R2@dst <- R3@b", sched_class::alu_dual},
    {"MOV R2, R3, 0x1", "R2@dst? <- R3@b", sched_class::alu_dual},  // one thread of four
    {"IABS R2, R3", "R2@dst <- R3@b", sched_class::alu},
    {"IMAD R0, R0, UR4, R3", "R0@dst <- R0@a UR4@b R3@c", sched_class::imad},
    {"IMAD.MOV.U32 R2, RZ, RZ, R5", "R2@dst <- R5@c", sched_class::imad},
    {"LOP3.LUT R8, R8, R3, RZ, 0xc0, !PT", "R8@dst <- R8@a R3@b", sched_class::alu},
    {"LOP3.LUT P1, RZ, R7.reuse, 0x2, RZ, 0xc0, !PT", "P1@pdst <- R7@a", sched_class::alu},
    {"SHF.L.U64.HI R9, R2, 0x2, R3", "R9@dst <- R2@a R3@c", sched_class::alu},
    {"PRMT R8, R9, 0x654, R18", "R8@dst <- R9@a R18@c", sched_class::alu},
    {"SEL R10, RZ, 0x3, !P1", "R10@dst <- !P1@psrc", sched_class::alu_dual},
    {"FSEL R31, R13, -QNAN , P2", "R31@dst <- R13@a P2@psrc", sched_class::alu_dual},
    {"VIADDMNMX R13, R10, -UR7, R13, !PT", "R13@dst <- R10@a UR7@b R13@c", sched_class::alu},
    {"VIMNMX R5, PT, PT, R2, R7, PT", "R5@dst <- R2@a R7@b", sched_class::alu_dual},
    {"HADD2 R21, -RZ.H0_H0, c[0x2] [0x0].F32", "R21@dst <- ", sched_class::half},
    {"HADD2.F32 R7, -RZ, R6.H1_H1", "R7@dst <- R6@b", sched_class::half_f32},
    {"HFMA2.MMA R5, -RZ, RZ, 0, 2.38e-07", "R5@dst <- ", sched_class::hfma2_mma},
    {"FFMA2 R4, R8, R10, R12", "R4:2@dst <- R8:2@a R10:2@b R12:2@c", sched_class::fma},
    // one register for both halves
    {"FFMA2 R4, R4.F32x2.HI_LO, R3.reuse.F32, R0.reuse.F32", "R4:2@dst <- R4:2@a R3@b R0@c", sched_class::fma},
    {"FFMA2 R6, R6.F32x2.HI_LO, UR17.F32, R8.F32x2.HI_LO", "R6:2@dst <- R6:2@a UR17@b R8:2@c", sched_class::fma},
    {"FMUL2 R20, R75.reuse.F32, R20.F32x2.HI_LO", "R20:2@dst <- R75@a R20:2@b", sched_class::fma},
    {"FADD2 R4, R4.F32x2.HI_LO, RZ.F32", "R4:2@dst <- R4:2@a", sched_class::fma},
    {"F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R11, R6, R7", "R11@dst <- R6@b R7@c", sched_class::alu},
    {"F2FP.RELU.BF16.F32.MERGE_C.RZ R5, R6, R7", "R5@dst <- R6@b R7@c", sched_class::alu},
    {"F2FP.SATFINITE.E3M2.F32.MERGE_C.RS R2, R4, R0, R5", "R2@dst <- R4@a R0@b R5@c", sched_class::alu},
    {"NANOSLEEP.SYNCS !P1, R8", " <- !P1@psrc R8@b", sched_class::nanosleep},
    {"F2FP.BF16.E2M1.UNPACK_B R5, R16.reuse.B1, R99.reuse.B0", "R5@dst <- R16@b R99@c", sched_class::alu},
    {"F2FP.F16.E4M3.UNPACK_B R12, R20.H1", "R12@dst <- R20@b", sched_class::alu},
    {"F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R68, R147.reuse, R68, RZ", "R68@dst <- R147@a R68@b", sched_class::alu},
    // wide results and addends
    {"IMAD.WIDE R2, R0, 0x4, R4", "R2:2@dst <- R0@a R4:2@c", sched_class::imad_wide},
    {"IMAD.WIDE.U32 R12, P1, R11, R15, R12", "R12:2@dst P1@pdst <- R11@a R15@b R12:2@c", sched_class::imad_wide},
    {"IMAD.HI.U32 R12, P1, R11, R15, R12", "R12@dst P1@pdst <- R11@a R15@b R12:2@c", sched_class::imad_hi},
    {"UIMAD.WIDE.U32 UR4, UR9, 0x1000, UR4", "UR4:2@dst <- UR9@a UR4:2@c", sched_class::uimad_wide},
    {"DFMA R8, R8, 2, -R16", "R8:2@dst <- R8:2@a R16:2@c", sched_class::fp64},
    {"DSETP.GT.AND P0, PT, R2, R4, PT", "P0@pdst <- R2:2@a R4:2@b", sched_class::dsetp},
    {"MUFU.RCP64H R19, R25", "R19@dst <- R25@b", sched_class::mufu},
    {"F2F.F64.F32 R4, R7", "R4:2@dst <- R7@b", sched_class::conv_64},
    {"F2F.F32.F64 R7, R4", "R7@dst <- R4:2@b", sched_class::conv_64},
    {"I2F.F64.U64 R18, R4", "R18:2@dst <- R4:2@b", sched_class::conv_64},
    {"I2F.U64.RP R3, UR4", "R3@dst <- UR4:2@b", sched_class::conv_64},
    {"F2I.U64.TRUNC R10, R12", "R10:2@dst <- R12@b", sched_class::conv_64},
    {"F2I.U32.F64.TRUNC R3, R4", "R3@dst <- R4:2@b", sched_class::conv_64},
    {"CS2R R10, SRZ", "R10:2@dst <- ", sched_class::cs2r},
    {"CS2R.32 R10, SR_CLOCKLO", "R10@dst <- SR@b", sched_class::cs2r_32},
    {"IADD R4, R6, R8", "R4@dst <- R6@a R8@b", sched_class::viadd},
    {"IADD.64 R4, R6, UR8", "R4:2@dst <- R6:2@a UR8:2@b", sched_class::alu_64},
    {"SEL.64 R4, R6, UR8, P0", "R4:2@dst <- R6:2@a UR8:2@b P0@psrc", sched_class::alu_64},
    {"SEL R4, R6, UR8, P0", "R4@dst <- R6@a UR8@b P0@psrc", sched_class::alu_dual},
    {"ISETP.GE.U64.AND P0, PT, R2, UR4, PT", "P0@pdst <- R2:2@a UR4:2@b", sched_class::setp_64},
    // carries and predicates by position
    {"IADD3 R4, P1, R6, R7, RZ", "R4@dst P1@pdst <- R6@a R7@b", sched_class::alu},
    {"IADD3 R4, P1, P2, R6, R7, R8", "R4@dst P1@pdst P2@pdst1 <- R6@a R7@b R8@c", sched_class::alu},
    {"IADD3.X R5, R2, c[0x0][0x16c], RZ, P1, !PT", "R5@dst <- R2@a P1@psrc", sched_class::alu},
    {"IADD3.X R5, PT, PT, R2, R3, RZ, P1, P0", "R5@dst <- R2@a R3@b P1@psrc P0@psrc1", sched_class::alu},
    {"LEA.HI.X R5, R2, R7, R5, 0x2, P1", "R5@dst <- R2@a R7@b R5@c P1@psrc", sched_class::alu},
    {"UIADD3.X UR4, UR4, UR5, URZ, UP0, !UPT", "UR4@dst <- UR4@a UR5@b UP0@psrc", sched_class::ualu_x},
    {"ISETP.GE.U32.AND.EX P1, PT, R3, R4, PT, P0", "P1@pdst <- R3@a R4@b P0@psrc1", sched_class::setp},
    {"PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x8", "P0@pdst <- P1@psrc P2@psrc1", sched_class::plop3},
    {"VOTE.ANY R2, PT, !P0", "R2@dst <- !P0@psrc", sched_class::vote},
    {"VOTE.ALL P0, P1", "P0@pdst <- P1@psrc", sched_class::vote},
    {"ELECT P2, URZ, PT", "P2@pdst <- ", sched_class::elect},
    {"USETMAXREG.TRY_ALLOC.CTAPOOL UP1, 0xe8", "UP1@pdst <- ", sched_class::s2ur},
    {"USETMAXREG.DEALLOC.CTAPOOL 0x28", " <- ", sched_class::nanosleep},
    {"USETSHMSZ 0x3980", " <- ", sched_class::syncs},
    {"@!UP0 USETSHMSZ 0x3980", " <- !UP0@guard", sched_class::syncs},
    {"USETSHMSZ.FLUSH", " <- ", sched_class::syncs},
    {"MATCH.ALL P1, R5, R6", "P1@pdst R5@dst <- R6@b", sched_class::match},
    {"R2UR P1, UR4, R2", "P1@pdst UR4@dst <- R2@a", sched_class::r2ur},
    {"B2R.RESULT RZ, P0", "P0@pdst <- ", sched_class::b2r},
    {"SHFL.UP P0, R14, R11, R14, R15", "P0@pdst R14@dst <- R11@a R14@b R15@c", sched_class::shfl},
    {"P2R R24, PR, RZ, 0x2", "R24@dst <- P1@psrc", sched_class::p2r},
    {"R2P PR, R4, 0x11", "P0@pdst P4@pdst <- R4@a", sched_class::r2p},
    {"@P1 R2UR P0, UR13, R30", "P0@pdst? UR13@dst? <- R30@a P1@guard", sched_class::r2ur},
    {"@!P0 MOV R2, R3", "R2@dst? <- R3@b !P0@guard", sched_class::alu_dual},
    // memory
    {"LDG.E.128.CONSTANT R24, desc[UR4][R2.64+0x10]", "R24:4@dst <- R2:2@addr UR4:2@desc", sched_class::ldg},
    {"LDG.E.U8.CONSTANT.SYS R10, [R2.64+UR4]", "R10@dst <- R2:2@addr UR4:2@uaddr", sched_class::ldg},
    {"LDG.E.CONSTANT.SYS R5, [R5.U32+UR4]", "R5@dst <- R5@addr UR4:2@uaddr", sched_class::ldg},
    // how many of eight bytes stands in one register (st.bulk by ptxas 13.0, with the disassembler's register tables)
    {"UMEMSETS.64 [UR4], URZ, UR5", " <- UR4@uaddr UR5@data1", sched_class::sts},
    // packed small floats (ptxas 13.0 for multimem.ld_reduce, with the disassembler's register tables)
    {"LDGMC.E.HPADD.E4M3x16.RN.STRONG.SYS R4, [R4.64+URZ]", "R4:4@dst <- R4:2@addr", sched_class::ldg},
    {"LDGMC.E.MIN.E5M2x16.RN.STRONG.SYS R4, [R4.64+URZ]", "R4:4@dst <- R4:2@addr", sched_class::ldg},
    {"LDGMC.E.MAX.E4M3x8.RN.STRONG.SYS R4, [R4.64+URZ]", "R4:2@dst <- R4:2@addr", sched_class::ldg},
    {"LDGMC.E.MIN.F16x8.RN.STRONG.SYS R4, [R4.64+URZ]", "R4:4@dst <- R4:2@addr", sched_class::ldg},
    {"LDGMC.E.ADD.F32.RN.STRONG.SYS R5, [R4.64+URZ]", "R5@dst <- R4:2@addr", sched_class::ldg},
    {"STG.E.64 desc[UR4][R2.64], R10", " <- R2:2@addr UR4:2@desc R10:2@data", sched_class::stg},
    {"LDS.128 R4, [R0.X8+UR8+0x10]", "R4:4@dst <- R0@addr UR8@uaddr", sched_class::lds},
    {"STS.64 [R0.X8+0x2000], R18", " <- R0@addr R18:2@data", sched_class::sts},
    {"QSPC.E.L P0, RZ, [R10]", "P0@pdst <- R10:2@addr", sched_class::lds},
    {"LDL.LU.64 R2, [R1+0x8]", "R2:2@dst <- R1@addr", sched_class::ldl},
    {"LDC.64 R12, c[0x2][R10]", "R12:2@dst <- R10@addr", sched_class::ldc},
    // relocatable objects: symbols that only the linker knows
    {"STS [R2.X4+`(st)], R3", " <- R2@addr R3@data", sched_class::sts},
    {"LDS.U R6, [R2.X4+`((dyn + 0x10))+0x4]", "R6@dst <- R2@addr", sched_class::lds},
    {"LDC R3, c[`((cc + 0xc))]", "R3@dst <- ", sched_class::ldc},
    {"MOV R3, c[`((cc + 0xc))]", "R3@dst <- ", sched_class::alu_dual},
    {"LDC R10, c[R12+`((sw.const_opt.0.12 + -0x8000))]", "R10@dst <- R12@addr", sched_class::ldc},
    {"ULDC.64 UR4, c[UR6+`(table)]", "UR4:2@dst <- UR6@uaddr", sched_class::uldc},
    {"UMOV UR4, `(st)", "UR4@dst <- ", sched_class::umov},
    {"CALL.ABS.NOINC R8 `(__UFT_OFFSET)", " <- R8:2@br", sched_class::call},
    {"LDCU.128 UR8, c[0x0][0x380]", "UR8:4@dst <- ", sched_class::ldcu},
    {"ULDC.64 UR8, c[0x3][UR4+0x20]", "UR8:2@dst <- UR4@uaddr", sched_class::uldc},
    {"LDSM.16.MT88.4 R48, [R84+0x20]", "R48:4@dst <- R84@addr", sched_class::ldsm},
    {"LDSM.16.M88.2 R48, [R84]", "R48:2@dst <- R84@addr", sched_class::ldsm},
    {"ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R10], R6, R8", "R4:2@dst <- R10:2@addr R6:2@data R8:2@data1", sched_class::atomg},
    {"ATOMS.CAST.SPIN.64 P0, [R4], R8, R10", "P0@pdst <- R4@addr R8:2@data R10:2@data1", sched_class::atoms},
    {"RED.E.ADD.F64.RN.STRONG.GPU [R20], R18", " <- R20:2@addr R18:2@data", sched_class::red},
    {"LDGSTS.E.LTC256B.64.ZFILL [UR4], desc[UR5][R2.64], P0", " <- UR4@uaddr R2:2@addr UR5@desc P0@psrc",
     sched_class::ldgsts},
    {"LDGSTS.E.BYPASS.128 [R23+0x1400], desc[UR14][R16.64+0x40], P2", " <- R23@addr R16:2@addr UR14:2@desc P2@psrc",
     sched_class::ldgsts},
    {"TEX.SCR.LL R0, R12, R14, R2, 0x0, 0x58, 2D, 0xb", "R0@dst1 R12:2@dst <- R14:2@a R2@b", sched_class::tex},
    {"TEX.LL RZ, R16, R20, R24, UR10, 0x0, ARRAY_2D, 0x1", "R16@dst <- R20:3@a R24@b UR10:2@desc", sched_class::tex},
    {"TXD RZ, R4, R24, R8, UR4, 2D, 0x6", "R4:2@dst <- R24:2@a R8:4@b UR4:2@desc", sched_class::tex},
    {"SUST.D.BA.2D.STRONG.SM.IGN [R2], R0, UR4", " <- R2:2@addr R0@data UR4@desc", sched_class::sust},
    {"SUST.D.BA.2D.128.STRONG.SM.TRAP [R26], R28, R22", " <- R26:2@addr R28:4@data R22@data1", sched_class::sust},
    {"CREDUX.MIN.S32 UR22, R68.reuse", "UR22@dst <- R68@a", sched_class::r2ur},
    {"SURED.D.BA.1D.ADD.STRONG.SYS.TRAP [R14], R4, UR4", " <- R14@addr R4@data UR4@desc", sched_class::sust},
    {"SURED.D.1D.MAX.SD64.TRAP [R7], R2, 0x0, 0x260", " <- R7@addr R2:2@data", sched_class::sust},
    // tensor cores
    {"HMMA.16816.F32 R64, R16, R66, R68", "R64:4@dst <- R16:4@a R66:2@b R68:4@c", sched_class::hmma_large},
    {"HMMA.16816.F16 R10, R8, R2, RZ", "R10:2@dst <- R8:4@a R2:2@b", sched_class::hmma_large},
    {"HMMA.1688.F32 R4, R8, R2, R4", "R4:4@dst <- R8:2@a R2@b R4:4@c", sched_class::hmma_medium},
    {"HMMA.1688.F32.TF32 R4, R8, R2, R4", "R4:4@dst <- R8:4@a R2:2@b R4:4@c", sched_class::hmma_large},
    {"HMMA.16816.F32 R4, R136.reuse, R134, R4, UP4", "R4:4@dst <- R136:4@a R134:2@b R4:4@c UP4@psrc",
     sched_class::hmma_large},
    {"HMMA.SP.16816.F32 R16, R8, R12, R16, !UP2, R2, 0x0", "R16:4@dst <- R8:2@a R12:2@b R16:4@c !UP2@psrc R2@data",
     sched_class::hmma_medium},
    {"HMMA.SP.16816.F32 R4, R8, R2, R4, R16, 0x0", "R4:4@dst <- R8:2@a R2:2@b R4:4@c R16@data", sched_class::hmma_medium},
    {"HMMA.SP.16832.F32 R4, R8, R12, R4, R16, 0x0", "R4:4@dst <- R8:4@a R12:4@b R4:4@c R16@data", sched_class::hmma_large},
    {"HMMA.SP.1688.F32.TF32 R4, R8.reuse, R10.reuse, R4, R0.reuse, 0x0", "R4:4@dst <- R8:2@a R10:2@b R4:4@c R0@data",
     sched_class::hmma_medium},
    {"HMMA.SP.16816.F16 R8, R4.reuse, R6.reuse, R8, R0.reuse, 0x0", "R8:2@dst <- R4:2@a R6:2@b R8:2@c R0@data",
     sched_class::hmma_medium},
    {"IMMA.SP.16832.S8.S8 R4, R8.reuse.ROW, R10.reuse.COL, R4, R0, 0x0", "R4:4@dst <- R8:2@a R10:2@b R4:4@c R0@data",
     sched_class::imma_medium},
    {"IMMA.SP.16864.S8.S8 R12, R4.reuse.ROW, R8.COL, R12, R2, 0x0", "R12:4@dst <- R4:4@a R8:4@b R12:4@c R2@data",
     sched_class::imma_large},
    {"IMMA.SP.168128.S4.S4 R12, R4.reuse.ROW, R8.COL, R12, R2, 0x0", "R12:4@dst <- R4:4@a R8:4@b R12:4@c R2@data",
     sched_class::imma_large},
    {"IMMA.8816.S8.S8 R14, R6.ROW, R9.COL, R14", "R14:2@dst <- R6@a R9@b R14:2@c", sched_class::imma_small},
    {"IMMA.16864.S4.S4 R12, R8.reuse.ROW, R2.COL, RZ", "R12:4@dst <- R8:4@a R2:2@b", sched_class::imma_large},
    {"BMMA.168256.XOR.POPC R12, R8.ROW, R2.COL, R12", "R12:4@dst <- R8:4@a R2:2@b R12:4@c", sched_class::bmma_large},
    {"BMMA.168128.AND.POPC R4, R28.ROW, R30.COL, R4", "R4:4@dst <- R28:2@a R30@b R4:4@c", sched_class::imma_medium},
    {"QMMA.16816.F32.E4M3.E5M2 R32, R12.ROW, R14.COL, R8", "R32:4@dst <- R12:2@a R14@b R8:4@c", sched_class::hmma_medium},
    {"DMMA.8x8x4 R4, R26, R20, R4", "R4:4@dst <- R26:2@a R20:2@b R4:4@c", sched_class::dmma},
    {"QMMA.SF.16832.F32.E4M3.E2M1.E8 R8, R8, R2, R12, R0, R7, UR6",
     "R8:4@dst <- R8:4@a R2:2@b R12:4@c R0@data R7@data UR6@data", sched_class::qmma},
    {"QMMA.SF.SP.16864.F32.E4M3.E2M1.E8 R8, R8, R12, R16, R2, R0, URZ, 0x0",
     "R8:4@dst <- R8:4@a R12:4@b R16:4@c R2:2@data R0@data", sched_class::qmma},
    {"OMMA.SF.SP.168128.F32.E2M1.E2M1.UE4M3.4X R8, R8, R12, R16, R2, R0, URZ, 0x0",
     "R8:4@dst <- R8:4@a R12:4@b R16:4@c R2:2@data R0@data", sched_class::qmma},
    {"QMMA.16832.F32.E4M3.E5M2 R4, R8, R2, R4", "R4:4@dst <- R8:4@a R2:2@b R4:4@c", sched_class::qmma},
    {"HGMMA.64x128x16.F32 R24, gdesc[UR8], R24, gsb0", "R24:64@dst SR@implicit? <- UR8:4@desc R24:64@c", sched_class::hgmma},
    {"HGMMA.64x64x16.F32 R24, R4, gdesc[UR8], R24", "R24:32@dst <- R4:4@a UR8:4@desc R24:32@c", sched_class::hgmma},
    {"HGMMA.64x64x16.F32.BF16 R24, R4, gdesc[UR8].tnspB, R24", "R24:32@dst <- R4:4@a UR8:4@desc R24:32@c",
     sched_class::hgmma},
    {"HGMMA.SP.64x8x32.F32 R28, gdesc[UR8], R28, R33, 0x0", "R28:4@dst <- UR8:4@desc R28:4@c R33@data", sched_class::hgmma},
    {"DMMA.16x8x16 R8, R16, R32, R8", "R8:8@dst <- R16:16@a R32:8@b R8:8@c", sched_class::dmma},
    {"MOVM.U4TO8.M832 R12, R14", "R12:2@dst <- R14@b", sched_class::movm},
    {"UTCHMMA gdesc[UR16], gdesc[UR18], tmem[UR10], tmem[UR4], idesc[UR5], UP0",
     " <- UR16:2@desc UR18:2@desc UR10@uaddr UR4@uaddr UR5@desc UP0@psrc", sched_class::tma},
    {"UTCIMMA gdesc[UR8], gdesc[UR10], tmem[UR6], tmem[UR4], idesc[UR5], UR12, UP0",
     " <- UR8:2@desc UR10:2@desc UR6@uaddr UR4@uaddr UR5@desc UR12:4@desc UP0@psrc", sched_class::tma},
    {"UTCHMMA.2CTA tmem[UR7], gdesc[UR16], tmem[UR6], tmem[UR4], idesc[UR5], UR8, UP0",
     " <- UR7@uaddr UR16:2@desc UR6@uaddr UR4@uaddr UR5@desc UR8:8@desc UP0@psrc", sched_class::tma},
    {"UTCQMMA.WS gdesc[UR8], gdesc[UR10], tmem[UR6], tmem[UR4], idesc[UR5], UR12, UP0",
     " <- UR8:2@desc UR10:2@desc UR6@uaddr UR4@uaddr UR5@desc UR12:2@desc UP0@psrc", sched_class::tma},
    {"UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR4, UR6", "UP0@pdst UR4@dst <- UR6@data1", sched_class::s2ur},
    {"UTCATOMSWS.AND URZ, UR4", " <- UR4@data1", sched_class::tma},
    {"LDTM.16dp128bit.x2 R4, tmem[UR10]", "R4:4@dst <- UR10@uaddr", sched_class::ldtm},
    {"LDTM.STAT.x8.MIN.F32 R21, R12, tmem[UR4]", "R21@dst1 R12:8@dst <- UR4@uaddr", sched_class::ldtm},
    {"LDTM.16dp32bit_t0_t15.x2 R4, tmem[UR4]", "R4:2@dst? <- UR4@uaddr", sched_class::ldtm},
    {"LDTM.16dp32bit_t16_t31.x2 R4, tmem[UR4+0x20]", "R4:2@dst? <- UR4@uaddr", sched_class::ldtm},
    {"UTCSHIFT.DOWN tmem[UR7]", " <- UR7@uaddr", sched_class::tensor_shift},
    {"STTM.x4 tmem[UR10], R12", " <- UR10@uaddr R12:4@data", sched_class::sttm},
    {"LDG.E.ENL2.256 R12, R8, desc[UR14][R2.64]", "R12:4@dst1 R8:4@dst <- R2:2@addr UR14:2@desc", sched_class::ldg},
    {"STG.E.ENL2.256 desc[UR14][R2.64], R16, R8", " <- R2:2@addr UR14:2@desc R16:4@data R8:4@data1", sched_class::stg},
    // bulk copies and barrier objects
    {"UTMAPF.L2.2D [UR10], [UR4]", " <- UR10:2@uaddr UR4:2@uaddr", sched_class::tma},
    {"UBLKCP.S.S [UR8], [UR14], UR13", " <- UR8:2@uaddr UR14@uaddr UR13@data", sched_class::tma},
    {"UTMALDG.4D.IM2COL [UR8], [UR4], UR6", " <- UR8:6@uaddr UR4:2@uaddr UR6@data", sched_class::tma},
    {"SULD.D.BA.2D_ARRAY.128.STRONG.SM.TRAP R8, [R16], UR9, 0x0", "R8:4@dst <- R16:3@addr UR9@desc", sched_class::suld},
    // a handle in a register: the first of b, with derivatives the first of a
    {"TEX.SCR.B.LL R14, R12, R12, R14, 2D", "R14:2@dst1 R12:2@dst <- R12:2@a R14:2@b", sched_class::tex},
    {"TEX.B.LL R40, R4, R4, R40, ARRAY_2D", "R40:2@dst1 R4:2@dst <- R4:3@a R40:2@b", sched_class::tex},
    {"TEX.B.LL RZ, R5, R8, R4, CUBE, 0x1", "R5@dst <- R8:3@a R4:2@b", sched_class::tex},
    {"TLD.SCR.B.LZ R14, R12, R12, R13, 1D", "R14:2@dst1 R12:2@dst <- R12@a R13@b", sched_class::tld},
    {"TLD4.SCR.B.B R14, R12, R14, R12, 2D", "R14:2@dst1 R12:2@dst <- R14:2@a R12@b", sched_class::tex},
    {"TLD4.B R24, R22, R14, UR4, 0x0, 2D", "R24:2@dst1 R22:2@dst <- R14:2@a UR4:2@desc", sched_class::tex},
    {"TXD.B R8, R4, R4, R8, 2D", "R8:2@dst1 R4:2@dst <- R4:3@a R8:4@b", sched_class::tex},
    {"TXD.B.AOFFI R6, R4, R4, R8, ARRAY_2D", "R6:2@dst1 R4:2@dst <- R4:4@a R8:4@b", sched_class::tex},
    {"TXD R8, R6, R6, R8, UR4, 0x0, 2D", "R8:2@dst1 R6:2@dst <- R6:2@a R8:4@b UR4:2@desc", sched_class::tex},
    {"TXD.AOFFI R8, R4, R4, R8, UR4, 0x0, 2D", "R8:2@dst1 R4:2@dst <- R4:3@a R8:4@b UR4:2@desc", sched_class::tex},
    {"TXD.AOFFI R8, R4, R4, R8, 0x0, 0x58, ARRAY_2D", "R8:2@dst1 R4:2@dst <- R4:3@a R8:4@b", sched_class::tex},
    {"TXQ RZ, R7, R7, TEX_HEADER_DIMENSION, UR4, 0x0, 0x1", "R7@dst <- R7@a UR4:2@desc", sched_class::txq},
    {"TXQ.B RZ, R72, R26, TEX_HEADER_DIMENSION, 0x1", "R72@dst <- R26:2@a", sched_class::txq},
    {"UTMALDG.2D.GATHER4.MULTICAST [UR8], [UR6], UR4, desc[UR16]", " <- UR8:7@uaddr UR6:2@uaddr UR4@data UR16:2@desc",
     sched_class::tma},
    {"UTMASTG.2D.SCATTER4 [UR8], [UR4]", " <- UR8:6@uaddr UR4:2@uaddr", sched_class::tma},
    {"UTMAPF.L2.2D.GATHER4 [UR8], [UR4]", " <- UR8:5@uaddr UR4:2@uaddr", sched_class::tma},
    {"UTMALDG.2D [UR12], [UR6]", " <- UR12:4@uaddr UR6:2@uaddr", sched_class::tma},
    {"UTMASTG.3D [UR12], [UR6]", " <- UR12:4@uaddr UR6:2@uaddr", sched_class::tma},
    {"UBLKCP.G.S [UR4], [UR7], UR6", " <- UR4:2@uaddr UR7@uaddr UR6@data", sched_class::tma},
    {"UGETNEXTWORKID.BROADCAST [UR4], [UR9]", " <- UR4@uaddr UR9@uaddr", sched_class::errbar},
    {"UREDGR.E.ADD.NA.STRONG.GPU [UR12], UR6", " <- UR12:2@uaddr UR6@data", sched_class::tma},
    {"USTGR.E.NA.U16.STRONG.GPU [UR12], UR6", " <- UR12:2@uaddr UR6@data", sched_class::tma},
    {"USTGR.E.NA.64.MMIO.SYS [UR12+0x8], UR6", " <- UR12:2@uaddr UR6:2@data", sched_class::tma},
    {"UTMAL2CCTL.PF.3D.W128 [UR12], [UR16], UR10, desc[UR8]", " <- UR12:3@uaddr UR16:2@uaddr UR10@data UR8:2@desc",
     sched_class::tma},
    {"UTMAL2CCTL.PF.5D [UR8], [UR4]", " <- UR8:5@uaddr UR4:2@uaddr", sched_class::tma},
    {"UBLKL2CCTL.PF [UR8], UR4, desc[UR6]", " <- UR8:2@uaddr UR4@data UR6:2@desc", sched_class::tma},
    {"UREDGR.E.ADD.NA.64.STRONG.GPU [UR12+0x8], UR6", " <- UR12:2@uaddr UR6:2@data", sched_class::tma},
    {"HSET2.BF16_V2.EQ.AND R31, R31, R28.reuse, PT", "R31@dst <- R31@a R28@b", sched_class::half_alu},
    {"TEX.SCR.F16.RN.LL R7, R6, R10, R8, 0x0, 0x260, ARRAY_2D", "R7@dst1 R6@dst <- R10:2@a R8:2@b", sched_class::tex},
    {"VISET.BM.LT.S32 R5, R6, R7", "R5@dst <- R6@a R7@b", sched_class::half_alu},
    {"SYNCS.EXCH.64 URZ, [UR8+0x8], UR4", " <- UR8@desc UR4:2@data", sched_class::syncs},
    {"USYNCS.EXCH.64 URZ, [UR8+0x8], UR4", " <- UR8@desc UR4:2@data", sched_class::syncs},
    {"USYNCS.PHASECHK.TRANS64.TRYWAIT UP0, [UR4+0x8], UR5", "UP0@pdst <- UR4@uaddr UR5@data1", sched_class::syncs},
    {"USYNCS.ARRIVE.TRANS64.ACT0 UR6, [UR4], UR5", "UR6:2@dst <- UR4@uaddr", sched_class::syncs},
    {"USYNCS.ARRIVE.TRANS64.ART0 UR6, [UR4], UR5", "UR6:2@dst <- UR4@uaddr UR5@data1", sched_class::syncs},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R12+URZ+0x8], R5", "P0@pdst <- R12@addr R5@data", sched_class::syncs},
    // control
    {"BRX R4 -0x160   (*\"BRANCH_TARGETS .L_x_19,.L_x_20\"*)", " <- R4:2@br", sched_class::branch_indirect},
    {"RET.REL.NODEC R20 `(kernel)", " <- R20:2@br", sched_class::ret},
    {"CALL.REL.NOINC `(F)", " <- ", sched_class::call},
    {"CALL.ABS.NOINC R14", " <- R14:2@br", sched_class::call},
    {"BRA.DIV ~URZ, `(.L_x_3)", " <- ", sched_class::branch},
    {"BSSY B0, `(.L_x_0)", "B0@dst <- ", sched_class::bssy},
    {"BSYNC B0", " <- B0@a", sched_class::bsync},
    {"@P0 BREAK B0", "B0@dst? <- B0@a P0@guard", sched_class::brk},
    {"BMOV.32.CLEAR R23, B8", "R23@dst B8@dst1 <- B8@b", sched_class::bmov_from_b},
    {"BMOV.32 B6, R19", "B6@dst <- R19@b", sched_class::bmov_to_b},
    {"LEPC R20", "R20:2@dst <- ", sched_class::lepc},
    {"DEPBAR.LE SB0, 0x1, {5,4}", " <- SB0@a SB5@b SB4@b", sched_class::depbar},
    {"WARPSYNC.COLLECTIVE R17, `(.L_x_7)", " <- R17@br", sched_class::collective},
};

std::uint32_t flags_of(const std::string& text) { return ww_test::decode_text(text).ins.flags; }
bool has(const std::string& text, iflag f) { return (flags_of(text) & static_cast<std::uint32_t>(f)) != 0; }

// The registers that one instruction defines and reads, counted in a constant expression.
struct counts {
  unsigned defs = 0, uses = 0;
  sched_class iclass{};
  friend constexpr bool operator==(const counts&, const counts&) = default;
};

constexpr counts count_registers(std::string_view text) {
  isa::asm_instruction form;
  if (!isa::parse_instruction(text, form).ok) return {};
  isa::detail::decode_context c(form, isa::row_of(isa::find_opcode(form.mnemonic)), {});
  isa::detail::decode_operands(c);
  counts n;
  for (std::size_t i = 0; i < c.def_count; ++i) n.defs += c.defs[i].is_register() ? c.defs[i].width() : 0;
  for (std::size_t i = 0; i < c.use_count; ++i) n.uses += c.uses[i].is_register() ? c.uses[i].width() : 0;
  n.iclass = c.ins.iclass;
  return n;
}
static_assert(count_registers("FFMA R0, R1, R2, R0") == counts{1, 3, sched_class::fma});
static_assert(count_registers("IMAD.WIDE R2, R0, R1, R4") == counts{2, 4, sched_class::imad_wide});
static_assert(count_registers("@!P0 LDG.E.64 R2, desc[UR4][R6.64+0x10]") == counts{2, 5, sched_class::ldg});
static_assert(count_registers("HMMA.16816.F32 R64, R16, R66, R68") == counts{4, 10, sched_class::hmma_large});
static_assert(count_registers("IADD3.X R5, R2, R3, RZ, P1, !PT") == counts{1, 3, sched_class::alu});

}  // namespace

TEST_CASE("isa roles: hand-checked table of results, sources, widths, slots and classes") {
  unsigned n = 0;
  for (const expectation& e : table) {
    INFO(e.text);
    const ww_test::decoded d = ww_test::decode_text(e.text);
    REQUIRE(d.parsed);
    CHECK(ww_test::render(d) == e.operands);
    CHECK(d.ins.iclass == e.iclass);
    ++n;
  }
  CHECK(n >= 60);
}

TEST_CASE("isa hidden operands: sm_80 global accesses read the descriptor pair of their encoding") {
  isa::dialect d;
  d.hidden_descriptor = true;
  const std::uint64_t load[2] = {0x0000000402007981, 0x000ea2000c1e1900};   // LDG.E R0, [R2.64] with UR4
  const std::uint64_t store[2] = {0x0000000902007986, 0x000fe2000c101906};  // STG.E [R2.64], R9 with UR6
  CHECK(ww_test::render(ww_test::decode_text("LDG.E R0, [R2.64]", d, load)) == "R0@dst <- R2:2@addr UR4:2@desc~");
  CHECK(ww_test::render(ww_test::decode_text("STG.E [R2.64], R9", d, store)) == " <- R2:2@addr UR6:2@desc~ R9@data");
  CHECK(ww_test::render(ww_test::decode_text("LDG.E R0, [R2.64]", {}, load)) == "R0@dst <- R2:2@addr");
  CHECK(ww_test::render(ww_test::decode_text("LDG.E R0, [R2.64]")) == "R0@dst <- R2:2@addr");
  // without words any pair may be meant
  CHECK(ww_test::render(ww_test::decode_text("LDG.E R0, [R2.64]", d)) == "R0@dst <- R2:2@addr UR0:63@desc~");
  CHECK(ww_test::render(ww_test::decode_text("LDG.E R0, desc[UR4][R2.64]", d)) == "R0@dst <- R2:2@addr UR4:2@desc");
  // no .64, no descriptor
  CHECK(ww_test::render(ww_test::decode_text("ATOMG.E.CAS.STRONG.GPU PT, R3, [R4], R6, R7", d, store)) ==
        "R3@dst <- R4:2@addr R6@data R7@data1");
}

TEST_CASE("isa hidden operands: a uniform register that is printed takes the field of the descriptor") {
  isa::dialect d;
  d.hidden_descriptor = true;
  const auto read = [&](const char* text, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t words[2] = {low, high};
    return ww_test::render(ww_test::decode_text(text, d, words));
  };
  CHECK(read("LDGSTS.E.LTC128B.64 [R66+UR16], [R72.64]", 0x48420dae, 0x7e2000b920b50) ==
        " <- R66@addr UR16@uaddr R72:2@addr");
  CHECK(read("LDGSTS.E.LTC128B.64 [R66+0x300], [R22.64+UR18]", 0x30000016427fae, 0x7e2000b920b52) ==
        " <- R66@addr R22:2@addr UR18:2@uaddr");
  CHECK(read("LDGSTS.E.LTC128B.64 [R66], [R4.64]", 0x4427fae, 0x3e4000b920b7f) == " <- R66@addr R4:2@addr");
  CHECK(read("LDGSTS.E.LTC128B.64 [R66], [R4.64]", 0x4427fae, 0x3e4000b920b50) == " <- R66@addr R4:2@addr");
  CHECK(read("LDGSTS.E.128 [R15], [R36.64]", 0x240f7fae, 0x3e2000b921c46) == " <- R15@addr R36:2@addr UR6:2@desc~");
  CHECK(read("LDG.E.64 R48, [R60.64+UR8]", 0x83c307981, 0xea2000c1e0b00) == "R48:2@dst <- R60:2@addr UR8:2@uaddr");
  // without words
  CHECK(ww_test::render(ww_test::decode_text("LDGSTS.E.64 [R66+UR16], [R72.64]", d)) ==
        " <- R66@addr UR16@uaddr R72:2@addr");
  CHECK(ww_test::render(ww_test::decode_text("STG.E [R2.64+UR4], R9", d)) == " <- R2:2@addr UR4:2@uaddr R9@data");
}

TEST_CASE("isa memory: what throws a cache away is a fence, what manages lines of L2 or fetches ahead is not") {
  CHECK(has("CCTL.IVALL", iflag::fence));
  CHECK(has("CCTL.IV [R2]", iflag::fence));
  for (const char* text : {"CCTL.E.DML2 [R2]", "CCTL.E.PML2 [R2]", "CCTL.E.RML2 [R2]"}) {
    INFO(text);
    CHECK_FALSE(has(text, iflag::fence));
    CHECK(has(text, iflag::side_effect));
    CHECK(ww_test::decode_text(text).ins.dir == mem_dir::order);  // a line that is discarded keeps its place among accesses
  }
  CHECK_FALSE(has("CCTL.E.PF2 [R2]", iflag::fence));
  CHECK_FALSE(has("CCTLL.PF1 [R16]", iflag::fence));
  CHECK(has("CCTLL.PF1 [R16]", iflag::side_effect));
  CHECK(has("CCTLL.IV [R16]", iflag::fence));
}

TEST_CASE("isa memory: spaces, directions, sizes and offsets") {
  struct row {
    const char* text;
    mem_space space;
    mem_dir dir;
    unsigned bytes;
    int offset;
  };
  const row rows[] = {
      {"LDG.E.U16 R0, [R2.64+-0x8]", mem_space::global, mem_dir::load, 2, -8},
      {"LD.E.64 R0, [R2+0x10]", mem_space::generic, mem_dir::load, 8, 16},
      {"STL [R1+0x64], R27", mem_space::local, mem_dir::store, 4, 0x64},
      {"STS.128 [R3+0x2400], R64", mem_space::shared, mem_dir::store, 16, 0x2400},
      {"UMEMSETS.64 [UR4+0x20], URZ, UR5", mem_space::shared, mem_dir::store, 0, 0x20},
      {"UREDGR.E.ADD.NA.STRONG.GPU [UR10+0x10], UR12", mem_space::generic, mem_dir::order, 0, 0x10},
      {"USTGR.E.NA.64.MMIO.SYS [UR4+0x10], UR6", mem_space::generic, mem_dir::order, 0, 0x10},
      {"LDC.64 R2, c[0x0][0x210]", mem_space::constant, mem_dir::load, 8, 0x210},
      {"ATOMS.ADD R0, [R2], R3", mem_space::shared, mem_dir::atomic, 4, 0},
      {"RED.E.MAX.64.STRONG.GPU [R10.64+0x8], R16", mem_space::generic, mem_dir::atomic, 8, 8},
      {"LDSM.16.M88.4 R16, [R3+0x20]", mem_space::shared, mem_dir::load, 16, 0x20},
      {"LDGSTS.E.BYPASS.128 [R19+0x3c00], [R6.64+0x80]", mem_space::generic, mem_dir::store, 16, 0x3c00},
      {"STL.128 [0xfffeb0], R12", mem_space::local, mem_dir::store, 16, -0x150},  // signed, but printed without a sign
      {"LDS R0, [0x800000]", mem_space::shared, mem_dir::load, 4, -0x800000},
      {"LDG.E R6, [0x7fffff]", mem_space::global, mem_dir::load, 4, 0x7fffff},
      {"LDG.E R6, [0x1000000]", mem_space::global, mem_dir::load, 4, 0x1000000},
      {"LDS R0, [R2+0x800000]", mem_space::shared, mem_dir::load, 4, 0x800000},
      {"LDS R0, [UR2+0x800000]", mem_space::shared, mem_dir::load, 4, 0x800000},
      {"LD.E R6, [0xfffeb0]", mem_space::generic, mem_dir::load, 4, 0xfffeb0},
      {"ST.E [0xfffeb000], R6", mem_space::generic, mem_dir::store, 4, -0x15000},
      {"MEMBAR.SC.GPU", mem_space::generic, mem_dir::order, 0, 0},
      {"FFMA R0, R1, R2, R3", mem_space::none, mem_dir::none, 0, 0},
  };
  for (const row& r : rows) {
    INFO(r.text);
    const ww_test::decoded d = ww_test::decode_text(r.text);
    REQUIRE(d.parsed);
    CHECK(d.ins.space == r.space);
    CHECK(d.ins.dir == r.dir);
    CHECK(d.ins.mem_bytes == r.bytes);
    CHECK(d.ins.mem_offset == r.offset);
  }
}

TEST_CASE("isa flags: fences, guards, branches, clocks and reuse") {
  CHECK(has("BAR.SYNC 0x0", iflag::fence));
  CHECK(has("BAR.SYNC 0x0", iflag::sync));
  CHECK(has("@!PT LDS RZ, [RZ]", iflag::never));
  CHECK(has("@!PT LDS RZ, [RZ]", iflag::fence));
  CHECK(has("@!UPT UIADD3 URZ, URZ, URZ, URZ", iflag::never));
  CHECK(!has("@!PT LDS RZ, [RZ]", iflag::guarded));
  CHECK(has("@P0 EXIT", iflag::exit));
  CHECK(has("@P0 EXIT", iflag::ends_block));
  CHECK(has("@P0 EXIT", iflag::guarded));
  CHECK(!has("EXIT", iflag::conditional));
  CHECK(has("BRA P2, `(L)", iflag::conditional));
  CHECK(has("BRA.DIV UR4, `(L)", iflag::conditional));
  CHECK(!has("BRA `(L)", iflag::conditional));
  CHECK(has("BRX R4 -0x160", iflag::indirect));
  CHECK(has("CALL.ABS.NOINC R14", iflag::indirect));
  CHECK(!has("CALL.REL.NOINC `(F)", iflag::indirect));
  CHECK(has("RET.REL.NODEC R20 `(k)", iflag::ret));
  CHECK(has("S2R R0, SR_CLOCKLO", iflag::reads_clock));
  CHECK(has("S2R R0, SR_CLOCKLO", iflag::fence));
  CHECK(!has("S2R R0, SR_TID.X", iflag::fence));
  CHECK(!has("SHFL.BFLY PT, R5, R0, 0x1, 0x1f", iflag::fence));
  CHECK(has("LDG.E.STRONG.SYS R0, [R2.64]", iflag::volatile_mem));
  CHECK(has("LDG.E.CONSTANT R0, [R2.64]", iflag::readonly_mem));
  CHECK(!has("LDG.E R0, [R2.64]", iflag::readonly_mem));
  CHECK(has("FADD R0, R1, R2", iflag::reuse_legal));
  CHECK(!has("BRA `(L)", iflag::reuse_legal));
  CHECK(!has("MUFU.RCP R0, R1", iflag::reuse_legal));
  CHECK(has("PLOP3.LUT P5, PT, R0.reuse.SIGN, UR14.SIGN, R17.SIGN, 0x2, 0x0", iflag::reuse_legal));
  CHECK(!has("PLOP3.LUT P0, PT, P0, P1, PT, 0x80, 0x0", iflag::reuse_legal));
  CHECK(has("CREDUX.MIN.S32 UR22, R68", iflag::reuse_legal));
  CHECK(has("FADD R0, R1, c[0x0][0x160]", iflag::reads_constant));
  CHECK(has("FADD R0, R1, 1", iflag::reads_immediate));
  CHECK(has("LEPC R20", iflag::pc_relative));
  CHECK(has("BSSY B0, `(L)", iflag::convergence));
}

TEST_CASE("isa unknown: an opcode that is not in the table is a fence that touches what it names") {
  const ww_test::decoded d = ww_test::decode_text("FROBNICATE.X R2, R4, UR6");
  REQUIRE(d.parsed);
  CHECK(d.ins.op == opcode::unknown);
  CHECK(d.ins.has(iflag::unknown));
  CHECK(d.ins.has(iflag::fence));
  CHECK(d.ins.has(iflag::side_effect));
  CHECK(ww_test::render(d) == "R2@none? R4@none? UR6@none? <- R2@none R4@none UR6@none");
}

TEST_CASE("isa carry flag: sm_50 instructions write CC by suffix and read it in extended forms") {
  isa::dialect old;
  old.word64 = true;
  CHECK(ww_test::render(ww_test::decode_text("IADD R0.CC, R2, R3", old)) == "R0@dst CC@dst1 <- R2@a R3@b");
  CHECK(ww_test::render(ww_test::decode_text("IADD.X R1, R2, RZ", old)) == "R1@dst <- R2@a CC@implicit");
  CHECK(ww_test::render(ww_test::decode_text("IADD3.X R1, R2, R3, RZ, P0, !PT")) == "R1@dst <- R2@a R3@b P0@psrc");
}

TEST_CASE("isa textures: .B of sm_50 has its handle in a register, though a number stands in front of the shape") {
  isa::dialect old;
  old.word64 = true;
  const auto of = [&](const char* text) { return ww_test::render(ww_test::decode_text(text, old)); };
  CHECK(of("TEX.B.P R4, R4, R6, 0x0, 2D, 0xf") == "R4:4@dst <- R4:2@a R6@b");
  CHECK(of("TEX.B.LL.P R4, R4, R6, 0x0, 2D, 0x7") == "R4:3@dst <- R4:2@a R6:2@b");
  CHECK(of("TEX.B.LL.AOFFI.DC.P R4, R8, R4, 0x0, 2D, 0xf") == "R4:4@dst <- R8:2@a R4:4@b");
  CHECK(of("TLD.B.LZ.AOFFI.MS.P R8, R14, R8, 0x0, 2D, 0xf") == "R8:4@dst <- R14:2@a R8:3@b");
  CHECK(of("TLD4.A.B.AOFFI.P R8, R12, R8, 0x0, ARRAY_2D, 0xf") == "R8:4@dst <- R12:3@a R8:2@b");
  CHECK(of("TLD4.B.B.P R4, R8, R4, 0x0, 2D, 0xf") == "R4:4@dst <- R8:2@a R4@b");
  CHECK(of("TLD4.B.AOFFI.P R4, R8, R6, 0x52, ARRAY_2D, 0xf") == "R4:4@dst <- R8:3@a R6@b");  // blue
  CHECK(of("TLD4S.A.P R8, R4, R0, R6, 0x258") == "R8:2@dst1 R4:2@dst <- R0@a R6@b");         // no text names the shape: 2D
  CHECK(of("TLD4S.G.AOFFI.P R6, R14, R4, R8, 0x258") == "R6:2@dst1 R14:2@dst <- R4:2@a R8@b");
  CHECK(of("TLD4S.R.AOFFI.DC.P R8, R4, R10, R4, 0x258") == "R8:2@dst1 R4:2@dst <- R10:2@a R4:2@b");
  CHECK(of("TLDS.LZ.P R10, R2, R4, R6, 0x258, ARRAY_2D, RGBA") == "R10:2@dst1 R2:2@dst <- R4@a R6:2@b");  // the layer
  CHECK(of("TLDS.LZ.AOFFI.P R10, R2, R4, R6, 0x258, 2D, RGBA") == "R10:2@dst1 R2:2@dst <- R4:2@a R6@b");
  CHECK(of("TEXS.P R10, R2, R4, R6, 0x258, ARRAY_2D, RGBA") == "R10:2@dst1 R2:2@dst <- R4:2@a R6@b");
  CHECK(of("TXD.B.P R8, R12, R8, 0x0, 2D, 0xf") == "R8:4@dst <- R12:3@a R8:4@b");
  CHECK(of("TXQ.B.P R5, R4, TEX_HEADER_DIMENSION, 0x0, 0x4") == "R5@dst <- R4:2@a");
  CHECK(of("TEX.LL.P R4, R4, R6, 0x50, 2D, 0x7") == "R4:3@dst <- R4:2@a R6@b");
}

TEST_CASE("isa products of sm_50: IMAD.HI adds 32 bits, and VMAD is counted where it multiplies 32 bits") {
  isa::dialect old;
  old.word64 = true;
  const auto of = [&](const char* text) { return ww_test::render(ww_test::decode_text(text, old)); };
  const auto class_of = [&](const char* text) { return ww_test::decode_text(text, old).ins.iclass; };
  CHECK(of("IMAD.HI.SAT R9, R0, R6, R7") == "R9@dst <- R0@a R6@b R7@c");
  CHECK(of("IMAD.HI.U32 R9, R0, R6, R7") == "R9@dst <- R0@a R6@b R7@c");
  CHECK(ww_test::render(ww_test::decode_text("IMAD.HI R9, R0, R6, R8")) == "R9@dst <- R0@a R6@b R8:2@c");
  for (const char* text : {"VMAD.SAT R9, R0, R6, R7", "VMAD.S32.U32.SHR_7 R9, R0, R6, R7", "VMAD R9, R0, R6, R7"}) {
    CHECK(class_of(text) == sched_class::imul);
  }
  CHECK(class_of("VMAD.U16.S8.SHR_15.SAT R9, R0.H1, R6.B3, R7") == sched_class::imad);
}

TEST_CASE("isa results: PSET and CSET of sm_50 write a register, and a store reads one predicate behind its data") {
  isa::dialect old;
  old.word64 = true;
  CHECK(ww_test::render(ww_test::decode_text("PSET.AND.AND R30, P0, PT, PT", old)) == "R30@dst <- P0@psrc");
  CHECK(ww_test::render(ww_test::decode_text("PSET.BF.OR.AND R5, P1, P2, !P3", old)) ==
        "R5@dst <- P1@psrc P2@psrc1 !P3@psrc2");
  CHECK(ww_test::render(ww_test::decode_text("PSETP.AND.AND P0, PT, P1, P2, PT", old)) == "P0@pdst <- P1@psrc P2@psrc1");
  CHECK(ww_test::render(ww_test::decode_text("ST.E.64 [R8], R10, P0", old)) == " <- R8:2@addr R10:2@data P0@psrc");
  CHECK(ww_test::render(ww_test::decode_text("UTMALDG.5D.IM2COL.2CTA [UR8], [UR54], UR61, desc[UR62]")) ==
        " <- UR8:7@uaddr UR54:2@uaddr UR61@data UR62:2@desc");
}

TEST_CASE("isa opcodes: every mnemonic is found and names itself") {
  for (std::uint16_t i = 1; i < opcode_count; ++i) {
    const auto op = static_cast<opcode>(i);
    CHECK(isa::find_opcode(isa::name(op)) == op);
  }
  CHECK(isa::find_opcode("") == opcode::unknown);
  CHECK(isa::find_opcode("IMAD3") == opcode::unknown);
  CHECK(isa::find_opcode("AMUCHTOOLONGMNEMONIC") == opcode::unknown);
  CHECK(isa::name(opcode::unknown).empty());
}
