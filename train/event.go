package train

import "time"

// Phase names a part of training in an [Event].
type Phase string

// The phases of the recipe paper, in their order.
const (
	PhaseWeights Phase = "weights" // optimises the variational parameters
	PhaseNoise   Phase = "noise"   // finds the variance of the noise, in auto as a function of the inputs
)

// The phases of the recipe auto, in their order; [PhaseNoise] is the third.
const (
	PhaseSelection    Phase = "selection" // tries candidates for the structure on rows held out
	PhaseMembers      Phase = "members"   // trains the members of the ensemble
	PhaseEpistemic    Phase = "epistemic variance"
	PhaseDensityRatio Phase = "density ratio"
)

// Event reports progress.
type Event struct {
	Phase Phase
	// Step and Steps are how many steps are done and how many there are in all; in
	// PhaseNoise of the recipe paper, rows. Those of auto are steps of its plan, from the
	// first phase to the last: a fit counts as many as were planned for it, though its
	// structure has so many weights, or the budget leaves so little time, that it takes
	// fewer, or it diverges; and what the rows turn out not to need counts as done. So
	// Steps stays what it is, Step never falls, and both are equal at the end and not before.
	Step, Steps int
	// Part is the number of the last candidate or member that was begun and Parts how many
	// the phase has; both are 0 in the recipe paper.
	Part, Parts int
	// Objective is that of the last mini-batch, scaled to all rows: σ² (−ELBO) less its
	// constant; ELBO is the bound itself, −Inf where inputs are so many that it overflows.
	// The recipe paper alone has them. RMSE is in deviations of the target: in the recipe
	// paper that of the last mini-batch, in auto the running one of the last 20 or so
	// of the fit that took the step. All are 0 in phases that do not train the mean.
	Objective, ELBO, RMSE float64
	Fit                   Fit           // that took the step; the zero value in the recipe paper
	Score                 Score         // so far
	Elapsed               time.Duration // since training began or resumed
	Remaining             time.Duration // estimated, of this phase or, in auto, of the run, before its first step already; 0 while unknown
	ResumedAt             int           // the step that a checkpoint held; 0 for a fresh run
	Unsealed              bool          // that checkpoint, of an older version, has no digest
}

// Fit is one of the fits that a run of the recipe auto consists of.
type Fit struct {
	Number      int    // of the candidate or member, from 1
	Shape       string // its structure as the Shapes of the recipe write it; empty where there is no choice of shapes
	Step, Steps int    // of its descent; more are taken than Steps where it diverges and begins again
	// HeldOut is the RMSE at the rows that the candidate or the member was trained without,
	// in deviations of the target; 0 until they are predicted, which an event of its own tells.
	HeldOut float64
}

// Score is of rows that the fits which predict them were trained without: those of the
// best candidate so far, and then of the members that are done. The recipe paper has none.
type Score struct {
	Rows int     // 0 as long as there is no score
	RMSE float64 // in deviations of the target
	// NLPD is minus the mean log-density, in nats, of the target in deviations from its
	// mean; add the logarithm of the deviation for that of the target. It is that of a
	// Gaussian whose variance is everywhere the mean squared error, ½ log(2πe · RMSE²), and
	// from the calibration on, that of the calibrated distributions without density ratio.
	NLPD float64
}
