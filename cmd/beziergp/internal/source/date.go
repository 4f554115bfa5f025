package source

import (
	"errors"
	"fmt"
	"math"
	"time"

	"beziergp/box"
)

// Date writes days since the beginning of 1970 as the date and time that they are.
func Date(days float64) string {
	const secondsOfDay = 24 * 60 * 60
	return time.Unix(int64(math.Round(days*secondsOfDay)), 0).UTC().Format(time.DateTime)
}

// FaultOf says what is wrong with a value, and what to do. The bounds of a time are dates here,
// as the value is in its file, where the model counts days.
func FaultOf(e box.RowError) (problem, remedy string) {
	problem, remedy = e.Fault()
	var outside *box.OutsideError
	if errors.As(e, &outside) && outside.Input.Part == box.Time && !math.IsNaN(outside.Value) {
		problem = fmt.Sprintf("lies outside the box, %s to %s", Date(outside.Input.Lo), Date(outside.Input.Hi))
	}
	return problem, remedy
}
