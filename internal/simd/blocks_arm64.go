package simd

var (
	blockForwardNEON = [MostLocal + 1][MostLocal + 1]blockForward{
		1: {1: blockForward11NEON, 2: blockForward12NEON, 3: blockForward13NEON, 4: blockForward14NEON},
		2: {1: blockForward21NEON, 2: blockForward22NEON, 3: blockForward23NEON, 4: blockForward24NEON},
		3: {1: blockForward31NEON, 2: blockForward32NEON, 3: blockForward33NEON, 4: blockForward34NEON},
		4: {1: blockForward41NEON, 2: blockForward42NEON, 3: blockForward43NEON, 4: blockForward44NEON},
	}
	blockBackwardNEON = [MostLocal + 1][MostLocal + 1]blockBackward{
		1: {1: blockBackward11NEON, 2: blockBackward12NEON, 3: blockBackward13NEON, 4: blockBackward14NEON},
		2: {1: blockBackward21NEON, 2: blockBackward22NEON, 3: blockBackward23NEON, 4: blockBackward24NEON},
		3: {1: blockBackward31NEON, 2: blockBackward32NEON, 3: blockBackward33NEON, 4: blockBackward34NEON},
		4: {1: blockBackward41NEON, 2: blockBackward42NEON, 3: blockBackward43NEON, 4: blockBackward44NEON},
	}
	blockGradientNEON = [MostLocal + 1][MostLocal + 1]blockGradient{
		1: {1: blockGradient11NEON, 2: blockGradient12NEON, 3: blockGradient13NEON, 4: blockGradient14NEON},
		2: {1: blockGradient21NEON, 2: blockGradient22NEON, 3: blockGradient23NEON, 4: blockGradient24NEON},
		3: {1: blockGradient31NEON, 2: blockGradient32NEON, 3: blockGradient33NEON, 4: blockGradient34NEON},
		4: {1: blockGradient41NEON, 2: blockGradient42NEON, 3: blockGradient43NEON, 4: blockGradient44NEON},
	}
)
