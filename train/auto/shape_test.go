package auto

import (
	"fmt"
	"testing"

	"beziergp/train"
)

// Shapes are read as they are written, those of all candidates among them, and what is left
// out is the effort's.
func TestShapesAreReadAsWritten(t *testing.T) {
	for name, e := range efforts {
		for _, c := range []choices{e.few.ofLaw(), e.choices(tallRows, 0).ofLaw(), e.tall} {
			p := plan{choices: c, scaling: train.ByRanks}
			for _, c := range p.candidates() {
				for _, scaling := range []train.Scaling{train.ByRanks, train.Linear} {
					c.Scaling = scaling
					all, err := e.shapes([]string{c.String()}, train.ByRanks, nil)
					if err != nil || len(all) != 1 || fmt.Sprint(all[0].Components) != fmt.Sprint(c.Components) || all[0].Scaling != scaling || all[0].Smoothness != c.Smoothness {
						t.Errorf("%s: %s is read as %+v, %v; it is %+v", name, c.structure, all, err, c.structure)
					}
				}
			}
		}
	}
	for text, want := range map[string]string{
		"coarse@1": "coarse@1", "coarse6x30@1": "coarse@1", "coarse5@1": "coarse5x30@1", "coarsex7@1": "coarse6x7@1", "smooth@0": "smoothx60@0",
		"coarse+fine12@5e-4": "coarse+fine12x20@0.0005", "linear:fine9x3@2": "linear:fine9x3@2", "additive@3": "additive@3", "additive8@3": "additive8@3", "additive2@3": "additive@3", "linear:additive8@3": "linear:additive8@3",
		"main8@3+coarse+fine12@5e-4": "main8@3+coarse+fine12x20@0.0005", "linear:main@0.5+smoothx7@1": "linear:main31@0.5+smoothx7@1", "main+coarse@1": "main31@10+coarse@1", "main31@3": "main31@3", "linear:main8@3": "linear:main8@3", "main": "main31@10",
		"coarse+ties12@1": "coarse+ties12x20@1", "ties21x7@0": "ties21x7@0", "full@1": "full6x100@1", "full8x300@0.1": "full8x300@0.1", "coarse+full@1": "coarse+full6x100@1",
		"ranks:additive@3": "ranks:additive@3", "linear:additive@3": "additive@3", "ranks:coarse@1": "coarse@1", " coarse@1": "coarse@1",
	} {
		all, err := efforts[Default].shapes([]string{text, text}, train.ByRanks, nil)
		if err != nil || len(all) != 1 || all[0].String() != want {
			t.Errorf("%s is read as %v, %v; want %s", text, all, err, want)
		}
	}
}
