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
	blockGradientAVX2 = [MostLocal + 1][MostLocal + 1]blockGradient{
		1: {1: blockGradient11AVX2, 2: blockGradient12AVX2, 3: blockGradient13AVX2, 4: blockGradient14AVX2},
		2: {1: blockGradient21AVX2, 2: blockGradient22AVX2, 3: blockGradient23AVX2, 4: blockGradient24AVX2},
		3: {1: blockGradient31AVX2, 2: blockGradient32AVX2, 3: blockGradient33AVX2, 4: blockGradient34AVX2},
		4: {1: blockGradient41AVX2, 2: blockGradient42AVX2, 3: blockGradient43AVX2, 4: blockGradient44AVX2},
	}
	gatherForwardAVX2 = [MostLocal + 1]gatherForward{
		1: gatherForward1AVX2, 2: gatherForward2AVX2, 3: gatherForward3AVX2, 4: gatherForward4AVX2,
	}
	gatherBackwardAVX2 = [MostLocal + 1]gatherBackward{
		1: gatherBackward1AVX2, 2: gatherBackward2AVX2, 3: gatherBackward3AVX2, 4: gatherBackward4AVX2,
	}
	spreadForwardAVX2 = [MostLocal + 1]spreadForward{
		1: spreadForward1AVX2, 2: spreadForward2AVX2, 3: spreadForward3AVX2, 4: spreadForward4AVX2,
	}
	spreadBackwardAVX2 = [MostLocal + 1]spreadBackward{
		1: spreadBackward1AVX2, 2: spreadBackward2AVX2, 3: spreadBackward3AVX2, 4: spreadBackward4AVX2,
	}
)
