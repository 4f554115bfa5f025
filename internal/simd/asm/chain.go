package main

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
)

// chainText walks the links of a chain and calls the kernels for a layer. It is
// text, because avo has no calls. Registers do not outlive a call; the arguments
// of the kernels lie at the stack's end.
const chainText = `
// forwardTIER computes
//
//	for each of count links:
//		layer(states[dst*ld:], phi[phi*ld:], w[w:], states[src*ld:], cols, 1, rows, cols, n, ld)
//
// func forwardTIER(links *link, count int, states, phi, w *float32, n, ld int)
TEXT ·forwardTIER(SB), NOSPLIT, $96-56
	MOVQ links+0(FP), SI
	MOVQ count+8(FP), CX

link:
	MOVQ    SI, 80(SP)
	MOVQ    CX, 88(SP)
	MOVQ    ld+48(FP), R8
	MOVQ    n+40(FP), R9
	MOVQ    states+16(FP), R10
	MOVQ    R8, 72(SP)
	MOVQ    R9, 64(SP)
	SHLQ    $2, R8
	MOVLQSX link_dst(SI), AX
	MOVLQSX link_src(SI), BX
	MOVLQSX link_phi(SI), DX
	IMULQ   R8, AX
	IMULQ   R8, BX
	IMULQ   R8, DX
	ADDQ    R10, AX
	ADDQ    R10, BX
	ADDQ    phi+24(FP), DX
	MOVQ    AX, 0(SP)
	MOVQ    DX, 8(SP)
	MOVQ    BX, 24(SP)
	MOVQ    link_w(SI), AX
	MOVQ    w+32(FP), DX
	LEAQ    (DX)(AX*4), AX
	MOVLQSX link_rows(SI), BX
	MOVLQSX link_cols(SI), DX
	MOVQ    AX, 16(SP)
	MOVQ    DX, 32(SP)
	MOVQ    $1, 40(SP)
	MOVQ    BX, 48(SP)
	MOVQ    DX, 56(SP)
	CALL    ·layerTIER(SB)
	MOVQ    80(SP), SI
	MOVQ    88(SP), CX
	ADDQ    $link__size, SI
	DECQ    CX
	JNE     link
	RET

// backwardTIER computes, from the last link backwards,
//
//	for each of count links:
//		outer(dw[w:], states[src*ld:], u, rows, cols, n, ld)
//		if before >= 0:
//			layer(spare, phi[before*ld:], w[w:], u, 1, cols, cols, rows, n, ld)
//		u, spare = spare, u
//
// func backwardTIER(last *link, count int, dw, u, spare, states, phi, w *float32, n, ld int)
TEXT ·backwardTIER(SB), NOSPLIT, $112-80
	MOVQ last+0(FP), SI
	MOVQ count+8(FP), CX
	MOVQ u+24(FP), R10
	MOVQ spare+32(FP), R11

link:
	MOVQ    SI, 80(SP)
	MOVQ    CX, 88(SP)
	MOVQ    R10, 96(SP)
	MOVQ    R11, 104(SP)
	MOVQ    ld+72(FP), R8
	MOVQ    n+64(FP), R9
	MOVQ    R10, 16(SP)
	MOVQ    R8, 48(SP)
	MOVQ    R9, 40(SP)
	SHLQ    $2, R8
	MOVQ    link_w(SI), AX
	MOVQ    dw+16(FP), DX
	LEAQ    (DX)(AX*4), AX
	MOVLQSX link_src(SI), BX
	IMULQ   R8, BX
	ADDQ    states+40(FP), BX
	MOVLQSX link_rows(SI), DX
	MOVLQSX link_cols(SI), R8
	MOVQ    AX, 0(SP)
	MOVQ    BX, 8(SP)
	MOVQ    DX, 24(SP)
	MOVQ    R8, 32(SP)
	CALL    ·outerTIER(SB)
	MOVQ    80(SP), SI
	MOVQ    96(SP), R11
	MOVQ    104(SP), R10
	MOVLQSX link_before(SI), AX
	TESTQ   AX, AX
	JLT     next
	MOVQ    ld+72(FP), R8
	MOVQ    n+64(FP), R9
	MOVQ    R10, 0(SP)
	MOVQ    R11, 24(SP)
	MOVQ    R8, 72(SP)
	MOVQ    R9, 64(SP)
	SHLQ    $2, R8
	IMULQ   R8, AX
	ADDQ    phi+48(FP), AX
	MOVQ    link_w(SI), BX
	MOVQ    w+56(FP), DX
	LEAQ    (DX)(BX*4), BX
	MOVLQSX link_rows(SI), DX
	MOVLQSX link_cols(SI), R8
	MOVQ    AX, 8(SP)
	MOVQ    BX, 16(SP)
	MOVQ    $1, 32(SP)
	MOVQ    R8, 40(SP)
	MOVQ    R8, 48(SP)
	MOVQ    DX, 56(SP)
	CALL    ·layerTIER(SB)
	MOVQ    80(SP), SI
	MOVQ    96(SP), R11
	MOVQ    104(SP), R10

next:
	MOVQ 88(SP), CX
	SUBQ $link__size, SI
	DECQ CX
	JNE  link
	RET
`

const chainStubs = `
// forwardTIER carries a tile through count layers, the links of a chain in turn.
//
//go:noescape
func forwardTIER(links *link, count int, states, phi, w *float32, n, ld int)

// backwardTIER carries a cotangent back through count layers, the links of a chain
// from the last.
//
//go:noescape
func backwardTIER(last *link, count int, dw, u, spare, states, phi, w *float32, n, ld int)
`

// generateChain writes one file of assembly and its declarations for the tiers.
func generateChain(dir, name string, tiers ...string) error {
	text := neonHeader + "#include \"go_asm.h\"\n#include \"textflag.h\"\n"
	stubs := neonHeader + "package simd\n"
	for _, t := range tiers {
		text += strings.ReplaceAll(chainText, "TIER", t)
		stubs += strings.ReplaceAll(chainStubs, "TIER", t)
	}
	base := filepath.Join(dir, name)
	if err := os.WriteFile(base+".s", []byte(text), 0o644); err != nil {
		return err
	}
	formatted, err := format.Source([]byte(stubs))
	if err != nil {
		return err
	}
	return os.WriteFile(base+".go", formatted, 0o644)
}
