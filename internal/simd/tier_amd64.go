package simd

import "golang.org/x/sys/cpu"

// native returns the tiers in assembly that this machine can run, best first.
func native() []*tier {
	var t []*tier
	x := &cpu.X86
	if x.HasAVX512F && x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512BW && x.HasBMI2 {
		t = append(t, &tier{
			name:  "avx512",
			layer: layerAVX512,
			outer: outerAVX512,

			forward:  forwardAVX512,
			backward: backwardAVX512,

			sweepForward: []sweep{2: sweepForward2AVX512, 3: sweepForward3AVX512, 4: sweepForward4AVX512,
				5: sweepForward5AVX512, 6: sweepForward6AVX512, 7: sweepForward7AVX512},
			sweepBackward: []sweep{2: sweepBackward2AVX512, 3: sweepBackward3AVX512, 4: sweepBackward4AVX512,
				5: sweepBackward5AVX512, 6: sweepBackward6AVX512, 7: sweepBackward7AVX512},
			gradient: []gradient{2: gradient2AVX512, 3: gradient3AVX512, 4: gradient4AVX512,
				5: gradient5AVX512, 6: gradient6AVX512, 7: gradient7AVX512},

			blockForward:  blockForwardAVX2,
			blockBackward: blockBackwardAVX2,
			blockGradient: blockGradientAVX2,

			bernstein:    bernsteinAVX512,
			scaledSquare: scaledSquareAVX512,
			rescale:      rescaleAVX512,
			scale:        scaleAVX512,

			exp:        expAVX512,
			adam:       adamAVX512,
			adamBlocks: adamBlocksAVX512,
			smooth:     smoothAVX512,

			pathForward:          pathForwardAVX512,
			pathBackward:         pathBackwardAVX512,
			pathGradientMean:     pathGradientMeanAVX512,
			pathGradientVariance: pathGradientVarianceAVX512,

			peak:  peakAVX512,
			lanes: 16,
		})
	}
	if x.HasAVX2 && x.HasFMA {
		t = append(t, &tier{
			name:  "avx2",
			lanes: 8,
			layer: layerAVX2,
			outer: outerAVX2,

			forward:  forwardAVX2,
			backward: backwardAVX2,

			blockForward:  blockForwardAVX2,
			blockBackward: blockBackwardAVX2,
			blockGradient: blockGradientAVX2,

			bernstein:    bernsteinAVX2,
			scaledSquare: scaledSquareAVX2,
			rescale:      rescaleAVX2,
			scale:        scaleAVX2,

			exp:        expAVX2,
			adam:       adamAVX2,
			adamBlocks: adamBlocksAVX2,
			smooth:     smoothAVX2,

			pathForward:          pathForwardAVX2,
			pathBackward:         pathBackwardAVX2,
			pathGradientMean:     pathGradientMeanAVX2,
			pathGradientVariance: pathGradientVarianceAVX2,

			peak: peakAVX2,
		})
	}
	return t
}

// The kernels of local layers, of four lanes, for both tiers.
var (
	blockForwardAVX2 = [MostLocal + 1][MostLocal + 1]blockKernel{
		1: {1: blockForward11AVX2, 2: blockForward12AVX2, 3: blockForward13AVX2, 4: blockForward14AVX2},
		2: {1: blockForward21AVX2, 2: blockForward22AVX2, 3: blockForward23AVX2, 4: blockForward24AVX2},
		3: {1: blockForward31AVX2, 2: blockForward32AVX2, 3: blockForward33AVX2, 4: blockForward34AVX2},
		4: {1: blockForward41AVX2, 2: blockForward42AVX2, 3: blockForward43AVX2, 4: blockForward44AVX2},
	}
	blockBackwardAVX2 = [MostLocal + 1][MostLocal + 1]blockKernel{
		1: {1: blockBackward11AVX2, 2: blockBackward12AVX2, 3: blockBackward13AVX2, 4: blockBackward14AVX2},
		2: {1: blockBackward21AVX2, 2: blockBackward22AVX2, 3: blockBackward23AVX2, 4: blockBackward24AVX2},
		3: {1: blockBackward31AVX2, 2: blockBackward32AVX2, 3: blockBackward33AVX2, 4: blockBackward34AVX2},
		4: {1: blockBackward41AVX2, 2: blockBackward42AVX2, 3: blockBackward43AVX2, 4: blockBackward44AVX2},
	}
)
