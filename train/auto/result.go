package auto

import (
	"math"

	"beziergp/model"
	"beziergp/train"
)

// fitted has the results of the stages, in their order.
type fitted struct {
	data        *dataset    // in the scaling of the structures
	structures  []structure // of the members, in turn; the best first
	ensemble    *ensemble   // nil for nothing
	folds       int         // of all rows, those without a member included
	noise       noise
	epistemic   epistemic
	calibration calibration
	unknown     []unknown      // variances of inputs where they are not known
	law         lawCalibration // in the place of noise and calibration where the law is not a Gaussian
	conformal   float64
	ratio       *densityRatio // nil where it is one
	gain        float64       // averaging gain: σ² of the average over that of a member
	interrupted bool
	together    int // outputs that the process was learned for; 0 for one alone
}

// fitted returns the candidate alone as a result; it may be nil.
func (c *candidate) fitted() fitted {
	if c == nil {
		return fitted{}
	}
	return fitted{data: c.ensemble.data, structures: []structure{c.structure}, ensemble: c.ensemble}
}

// unfinished completes the result of a run that was interrupted: the members that are
// done, with a constant noise, the mean of their squared out-of-fold errors.
func (f fitted) unfinished(w worker) (fitted, error) {
	e := f.ensemble
	if !f.data.gaussian() {
		f.folds, f.interrupted, f.gain = max(f.folds, len(e.folds)), true, 1
		f.epistemic = epistemic{}
		f.law = calibrateLaw(e, f.epistemic, w)
		return f, nil
	}
	cut := fitted{
		data: f.data, structures: f.structures, ensemble: e, folds: f.folds,
		noise: constantNoise(e, e.rows()), epistemic: epistemic{outOfFold: make([]float64, f.data.Len())},
		calibration: uncalibrated, gain: 1, interrupted: true, together: f.together,
	}
	cut.calibration.Epistemic = 1
	o, err := forecast(e, cut.noise, cut.epistemic, cut.calibration)
	if err != nil {
		return cut, err
	}
	cut.conformal = o.conformal(model.Level)
	return cut, nil
}

// score returns that of the calibrated distributions out of fold.
func (f fitted) score(w worker) train.Score {
	rows := f.ensemble.rows()
	if !f.data.gaussian() {
		return train.Score{Rows: len(rows), RMSE: math.NaN(), NLPD: f.law.loss(evidence{f.ensemble, f.epistemic, someOf(f.ensemble.folds), w.pool})}
	}
	return train.Score{
		Rows: len(rows), RMSE: math.Sqrt(f.ensemble.meanDeviance(rows)),
		NLPD: f.calibration.loss(w.pool, f.ensemble, f.noise, f.epistemic, someOf(f.ensemble.folds)),
	}
}

func (f fitted) result(o Recipe, p plan, steps int) (*train.Result, error) {
	members := f.ensemble.members
	if !p.averages {
		members = members[:1]
	}
	if !f.data.gaussian() {
		return f.resultOfLaw(o, p, steps, members)
	}
	posterior, err := average(members, 1)
	if err != nil {
		return nil, err
	}
	varying, err := f.calibration.limited(f.noise, f.ensemble.errorRange())
	if err != nil {
		return nil, err
	}
	doubt, err := f.doubt()
	if err != nil {
		return nil, err
	}
	deviance := f.ensemble.meanDeviance(f.ensemble.rows())
	output := model.Output{
		Noise:         f.noise.constant * f.calibration.Noise * f.gain,
		LogNoise:      varying,
		Epistemic:     doubt,
		VarianceScale: f.calibration.Epistemic,
		Limits:        f.data.limits,
		Tails:         f.calibration.Tails,
		Conformal:     f.conformal,
		DensityRatio:  f.ratio.surface(),
	}
	return &train.Result{
		Recipe:     o.Name(),
		Options:    f.options(o),
		Posterior:  posterior,
		Inputs:     f.data.inputs[:f.data.Inputs-len(f.data.neighbours.tables())],
		Kept:       f.data.keptInputs(),
		Neighbours: f.data.neighbours.tables(),
		Output:     output,
		RMSE:       math.Sqrt(deviance),
		Objective:  deviance,
		Steps:      steps,
		Streamed:   streamed(members),
		OutOfFold:  f.outOfFold(p),
		Residuals:  f.ensemble.residuals(),
	}, nil
}

// resultOfLaw is result where the law is not a Gaussian.
func (f fitted) resultOfLaw(o Recipe, p plan, steps int, members []member) (*train.Result, error) {
	posterior, err := average(members, float32(f.law.Slope*f.gain))
	if err != nil {
		return nil, err
	}
	output := f.law.output(&f)
	if output.Epistemic, err = f.doubt(); err != nil {
		return nil, err
	}
	deviance := f.ensemble.meanDeviance(f.ensemble.rows())
	return &train.Result{
		Recipe: o.Name(), Options: f.options(o), Posterior: posterior,
		Inputs: f.data.inputs, Kept: f.data.keptInputs(), Output: output,
		RMSE: math.Sqrt(max(0, deviance)), Objective: deviance,
		Steps: steps, Streamed: streamed(members), OutOfFold: f.outOfFold(p),
	}, nil
}

// streamed returns the fewest rows of a stream that one of the members has learned from.
func streamed(members []member) int {
	least := members[0].streamed
	for _, m := range members {
		least = min(least, m.streamed)
	}
	return least
}

// options tells in the model what was chosen.
type options struct {
	Recipe
	Structures   []structure     `json:"shapes"`
	Members      int             `json:"members"`
	Noise        *structure      `json:"noise,omitempty"` // nil where it is constant
	Calibration  *calibration    `json:"scales,omitempty"`
	Law          *lawCalibration `json:"law,omitempty"`  // in its place where the law is not a Gaussian
	DensityRatio *ratioStructure `json:"tilt,omitempty"` // nil where it is one
	// Unknown are the variances of inputs where they are not known.
	Unknown []unknown `json:"unknown,omitempty"`
	// AveragingGain is σ² of the average of the members over that of one.
	AveragingGain float64 `json:"agreement"`
	// Together is the number of outputs that share the process, this one among them.
	Together int `json:"together,omitempty"`
	// Interrupted says that the run was, and that the model is the best until then.
	Interrupted bool `json:"interrupted,omitempty"`
}

func (f fitted) options(o Recipe) options {
	chosen := options{Recipe: o, Structures: f.structures, Members: len(f.ensemble.members), Noise: f.noise.structure, Unknown: f.unknown, AveragingGain: f.gain, Together: f.together, Interrupted: f.interrupted}
	if f.data.gaussian() {
		chosen.Calibration = &f.calibration
	} else {
		chosen.Law = &f.law
	}
	if f.ratio != nil {
		chosen.DensityRatio = &f.ratio.structure
	}
	return chosen
}
