package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
)

// What the page is made of. The library draws; it is embedded whole, as published.
var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed charts.js
	chartsJS string
	//go:embed page.js
	pageJS string
	//go:embed uplot/uPlot.iife.min.js
	uplotJS string
	//go:embed uplot/uPlot.min.css
	uplotCSS string
	//go:embed uplot/LICENSE
	uplotLicence string
)

// Render writes the page. Equal reports make equal bytes. The page forbids its reader's browser to
// load anything and to run any script or style but its own two, by their digests.
func (r *Report) Render(w io.Writer) error {
	data, err := json.Marshal(r.data()) // which writes < and > as escapes
	if err != nil {
		return err
	}
	script := "/*\n" + uplotLicence + "*/\n" + uplotJS + "\n" + chartsJS + pageJS
	style := uplotCSS + "\n" + pageCSS
	var out bytes.Buffer
	err = page.Execute(&out, struct {
		*Report
		Policy              string
		Data, Script, Style template.HTML
	}{
		r, fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'", digest(script), digest(style)),
		template.HTML(`<script type="application/json" id="data">` + string(data) + `</script>`),
		template.HTML("<script>" + script + "</script>"), template.HTML("<style>" + style + "</style>"),
	})
	if err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// data is what the page's script draws.
type data struct {
	Target      string       `json:"target"`
	Scale       string       `json:"scale"`
	Base        number       `json:"base"`
	Columns     []string     `json:"columns"`
	Rows        []Row        `json:"rows"`
	Noise       []Noise      `json:"noise"`
	Effects     []Effect     `json:"effects"`
	Pairs       []pairData   `json:"pairs"`
	Calibration []calibrated `json:"calibration"`
}

type pairData struct {
	First  string  `json:"first"`
	Second string  `json:"second"`
	Effect *Effect `json:"effect"`
}

type calibrated struct {
	Of      string   `json:"of"`
	Rows    int      `json:"rows"`
	Levels  []number `json:"levels"`
	Covered []number `json:"covered"`
	PIT     []number `json:"pit"` // shares
}

func (r *Report) data() data {
	d := data{Target: r.Target, Scale: r.Scale, Base: number(r.Base), Columns: []string{}, Rows: r.Rows, Noise: r.Noise, Effects: r.Effects}
	for _, c := range r.Importance {
		d.Columns = append(d.Columns, c.Column)
	}
	for _, p := range r.Pairs {
		if p.Effect != nil {
			d.Pairs = append(d.Pairs, pairData{p.First, p.Second, p.Effect})
		}
	}
	for _, c := range r.Calibration {
		own := calibrated{Of: c.Of, Rows: c.Rows, Levels: numbers(c.Levels()), Covered: numbers(c.Shares())}
		for _, n := range c.PIT {
			own.PIT = append(own.PIT, number(float64(n)/float64(c.Rows)))
		}
		d.Calibration = append(d.Calibration, own)
	}
	return d
}

// short writes a number with four digits, a whole one with all, and a dash where there is none.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": func(v any) string {
		switch v := v.(type) {
		case number:
			return short(float64(v))
		case float64:
			return short(v)
		case *float64:
			if v != nil {
				return short(*v)
			}
		}
		return "–"
	},
	"percent": func(v, of float64) string {
		if !(v > 0 && of > 0) {
			return "0%"
		}
		return fmt.Sprintf("%.2f%%", 100*min(1, v/of))
	},
	"share": func(v float64) string { return fmt.Sprintf("%.2f %%", 100*v) },
	"less":  func(a, b number) number { return a - b },
}).Parse(pageHTML))
