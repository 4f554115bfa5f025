package option

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/table/cell"
)

// missing is the words that stand for a missing value.
type missing struct{ dst **cell.Words }

// Missing is a list of words, separated by commas and quoted as in CSV, that stand for a
// missing value; an empty one is a list of none.
func Missing(dst **cell.Words) pflag.Value { return missing{dst} }

func (v missing) Set(text string) error {
	var list []string
	if text != "" {
		var err error
		if list, err = csv.NewReader(strings.NewReader(text)).Read(); err != nil {
			return err
		}
	}
	*v.dst = cell.NewWords(list)
	return nil
}

func (v missing) String() string {
	if v.dst == nil || *v.dst == nil {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write((*v.dst).List()) // to memory, which takes it
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func (v missing) Type() string { return "WORDS" }
