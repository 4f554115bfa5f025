//go:build unix

package report_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"beziergp"
	"beziergp/report"
)

// The page opens without a network, in a window and at a phone's width, draws its charts, and tells
// of the row that is chosen by a click or by the keyboard.
func TestPageInABrowser(t *testing.T) {
	b := open(t)
	m := must[*beziergp.Model](t)(fitted())
	r := reported(t, m, rows(150, 8), 150, report.Options{})
	for _, width := range []int{1200, 390} {
		b.shows(rendered(t, r), width)
		b.Wants("charts", "document.querySelectorAll('.uplot canvas').length >= 8")
		b.Wants("no panel is wider than the window", fmt.Sprintf("document.documentElement.scrollWidth <= %d", width))
		b.Wants("first row", "document.querySelector('#row h3').textContent === 'Row "+fmt.Sprint(r.Rows[0].Row)+"'")
		b.Value("document.querySelector('[data-row=\"7\"]').click()")
		b.Wants("row chosen", "document.querySelector('#row h3').textContent === 'Row "+fmt.Sprint(r.Rows[7].Row)+"'")
		b.Wants("its parts", fmt.Sprintf("document.querySelectorAll('#row tbody tr').length === %d", len(r.Importance)+2))
		first := r.Rows[7].Parts[0]
		want, _ := json.Marshal(r.Importance[first.Column].Column + first.Cell)
		b.Wants("its largest part", "document.querySelectorAll('#row tbody tr')[1].querySelectorAll('bdi')[0].textContent + document.querySelectorAll('#row tbody tr')[1].querySelectorAll('bdi')[1].textContent === "+string(want))
		b.Value("(() => { const plot = document.querySelector('[data-chart=predicted] .plot'); plot.focus(); for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) plot.dispatchEvent(new KeyboardEvent('keydown', {key})); })()")
		b.Wants("row chosen by keys", "document.querySelector('[aria-pressed=true]').textContent === document.querySelector('#row h3').textContent.slice(4) && document.querySelector('#row h3').textContent !== 'Row "+fmt.Sprint(r.Rows[7].Row)+"'")
		b.Value("(() => { const find = document.querySelector('[data-filter=importance-table]'); find.value = 'FLAT'; find.dispatchEvent(new Event('input')); })()")
		b.Wants("columns found", "[...document.querySelectorAll('#importance-table tbody tr')].filter(r => r.offsetHeight > 0).length === 1")
		b.Value("document.querySelector('#rows-table thead button').click()")
		b.Wants("rows sorted", "Number(document.querySelector('#rows-table tbody button').textContent) === 150")
		b.Value("(() => { const s = document.getElementById('noise-column'); s.value = 2; s.dispatchEvent(new Event('change')); })()")
		b.Value("(() => { for (const d of document.querySelectorAll('details')) d.open = true; })()")
		b.Wants("tables under charts", "new Promise(done => setTimeout(() => done(document.querySelector('#effects details table').rows.length > 2), 50))")
		b.Value("(dispatchEvent(new Event('beforeprint')), dispatchEvent(new Event('afterprint')))")
		b.silent()
	}
}
