package suite

import (
	"slices"

	"beziergp/bench/data"
)

// The suites of other targets than numbers with errors around them have an empty field, and
// nothing else, for a missing value: "None" and "NA" are levels of their tables.
var empty = []string{"--na", ""}

const splitsOfTasks = 3

// task is a table whose target has a law of its own.
func task(name, target string, rows int, options ...string) Set {
	return Set{Name: name, Source: data.Folder{Name: name, Target: target}, Rows: rows, Splits: splitsOfTasks, Options: slices.Concat(options, empty)}
}

// coded is a task of classes that are numbers.
func coded(name, target string, rows int) Set {
	return task(name, target, rows, "--column", target+"=category")
}

func ownMethods() []Method {
	fast, whole := autoFast(), auto()
	fast.Conformal, whole.Conformal = false, false // these have prediction sets, or quantiles
	return []Method{whole, fast, linear(), knn(), constant()}
}

func classes() Suite {
	return Suite{
		Name: "classes", About: "tables of two classes and of several: log loss, accuracy and calibration",
		Notes:   "Rows of electricity are in time order and those of diabetes130 come in groups, so that random splits are easier than use.",
		Methods: ownMethods(),
		Sets: []Set{
			task("adult", "income", 48842), task("bank", "y", 45211), task("telco", "Churn", 7043), task("magic04", "class", 19020),
			task("electricity", "class", 45312),
			// Its diagnoses are codes, most of which are digits alone.
			task("diabetes130", "readmitted", 101766, "--exclude", "patient_nbr", "--column", "diag_1=category", "--column", "diag_2=category", "--column", "diag_3=category"),
			coded("credit_delinquency", "SeriousDlqin2yrs", 150000), coded("covertype", "Cover_Type", 581012),
			task("letter", "class", 20000), coded("satimage", "class", 6435), coded("digits", "target", 1797), task("dry_bean", "Class", 13611),
			coded("madelon", "class", 2600), coded("colon", "class", 62), coded("isolet", "class", 1560),
		},
	}
}

func counts() Suite {
	varied := []string{"--likelihood", "negative-binomial"} // more than their mean, as all but rare ones do
	visits := func(name string, rows int, more ...string) Set {
		return task(name, "visits", rows, slices.Concat(varied, more)...)
	}
	return Suite{
		Name: "counts", About: "tables of counts: Poisson's deviance",
		Notes:   "Rows of bike_hour are in time order, so that random splits are easier than use. The exposure of fremtpl2freq is in years.",
		Methods: ownMethods(),
		Sets: []Set{
			task("bike_hour", "cnt", 17379, slices.Concat(varied, []string{"--exclude", "casual,registered"})...),
			visits("nmes1988", 4406, "--exclude", "nvisits,ovisits,novisits,emergency,hospital"),
			visits("doctor_visits", 5190),
			task("fremtpl2freq", "ClaimNb", 678013, "--likelihood", "poisson", "--exclude", "IDpol", "--exposure", "Exposure"),
		},
	}
}

func amounts() Suite {
	gamma := []string{"--likelihood", "gamma"}
	motorcycle := task("motorcycle", "skadkost", 62474, "--likelihood", "tweedie:power=1.5", "--exclude", "antskad", "--exposure", "duration")
	motorcycle.Source = data.Positive{Folder: data.Folder{Name: "motorcycle", Target: "skadkost"}, Column: "duration"}
	return Suite{
		Name: "amounts", About: "tables of amounts: the gamma deviance, or where many are 0 Tweedie's of power 1.5",
		Notes:   "Rows of motorcycle without exposure are left out. The power of its deviance is given to all methods that have one.",
		Methods: ownMethods(),
		Sets: []Set{
			task("insurance", "charges", 1338, gamma...), task("ames", "SalePrice", 2930, gamma...),
			task("california_housing", "median_house_value", 20640, gamma...), task("diamonds", "price", 53940, gamma...),
			task("fremtpl2sev", "ClaimAmount", 26444, "--likelihood", "gamma", "--exclude", "IDpol"),
			motorcycle,
		},
	}
}
