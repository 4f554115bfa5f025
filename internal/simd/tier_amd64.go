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

			gatherForward:  gatherForwardAVX2,
			gatherBackward: gatherBackwardAVX2,
			spreadForward:  spreadForwardAVX2,
			spreadBackward: spreadBackwardAVX2,

			loadLines: loadLinesAVX512,
			moveLines: moveLinesAVX512,
			transpose: transposeAVX2,

			bernstein:    bernsteinAVX512,
			scaledSquare: scaledSquareAVX512,
			rescale:      rescaleAVX512,
			scale:        scaleAVX512,

			exp:        expAVX512,
			adam:       adamAVX512,
			adamBlocks: adamBlocksAVX512,
			smooth:     smoothAVX512,
			keepTimes:  keepTimesAVX512,
			addTimes:   addTimesAVX512,
			addRow:     addAVX512,
			pullRow:    pullAVX512,
			pullTo:     pullToAVX512,

			pathForward:          pathForwardAVX512,
			pathBackward:         pathBackwardAVX512,
			pathGradientMean:     pathGradientMeanAVX512,
			pathGradientVariance: pathGradientVarianceAVX512,

			panels:    panelsAVX512,
			panelRows: 8,
			panelCols: 24,

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

			gatherForward:  gatherForwardAVX2,
			gatherBackward: gatherBackwardAVX2,
			spreadForward:  spreadForwardAVX2,
			spreadBackward: spreadBackwardAVX2,

			loadLines: loadLinesAVX2,
			moveLines: moveLinesAVX2,
			transpose: transposeAVX2,

			bernstein:    bernsteinAVX2,
			scaledSquare: scaledSquareAVX2,
			rescale:      rescaleAVX2,
			scale:        scaleAVX2,

			exp:        expAVX2,
			adam:       adamAVX2,
			adamBlocks: adamBlocksAVX2,
			smooth:     smoothAVX2,
			keepTimes:  keepTimesAVX2,
			addTimes:   addTimesAVX2,
			addRow:     addAVX2,
			pullRow:    pullAVX2,
			pullTo:     pullToAVX2,

			pathForward:          pathForwardAVX2,
			pathBackward:         pathBackwardAVX2,
			pathGradientMean:     pathGradientMeanAVX2,
			pathGradientVariance: pathGradientVarianceAVX2,

			panels:    panelsAVX2,
			panelRows: 4,
			panelCols: 12,

			peak: peakAVX2,
		})
	}
	return t
}
