package simd

// The kernels of local layers have four lanes, for both tiers.
var (
	blockForwardAVX2 = [MostLocal + 1][MostLocal + 1]blockForward{
		1: {1: blockForward11AVX2, 2: blockForward12AVX2, 3: blockForward13AVX2, 4: blockForward14AVX2},
		2: {1: blockForward21AVX2, 2: blockForward22AVX2, 3: blockForward23AVX2, 4: blockForward24AVX2},
		3: {1: blockForward31AVX2, 2: blockForward32AVX2, 3: blockForward33AVX2, 4: blockForward34AVX2},
		4: {1: blockForward41AVX2, 2: blockForward42AVX2, 3: blockForward43AVX2, 4: blockForward44AVX2},
	}
	blockBackwardAVX2 = [MostLocal + 1][MostLocal + 1]blockBackward{
		1: {1: blockBackward11AVX2, 2: blockBackward12AVX2, 3: blockBackward13AVX2, 4: blockBackward14AVX2},
		2: {1: blockBackward21AVX2, 2: blockBackward22AVX2, 3: blockBackward23AVX2, 4: blockBackward24AVX2},
		3: {1: blockBackward31AVX2, 2: blockBackward32AVX2, 3: blockBackward33AVX2, 4: blockBackward34AVX2},
		4: {1: blockBackward41AVX2, 2: blockBackward42AVX2, 3: blockBackward43AVX2, 4: blockBackward44AVX2},
	}
	blockGradientAVX2 = [MostLocal + 1]blockGradient{
		1: blockGradient11AVX2, 2: blockGradient12AVX2, 3: blockGradient13AVX2, 4: blockGradient14AVX2,
	}
)
