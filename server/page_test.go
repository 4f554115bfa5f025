//go:build unix

package server_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/server"
	"beziergp/server/guard"
)

// until waits in the page for an expression to be true.
func until(b *testkit.Browser, what, expression string) {
	b.Wants(what, "new Promise(done => { const end = Date.now() + 20000, look = () => { let met = false; try { met = "+expression+"; } catch {} "+
		"if (met || Date.now() > end) done(met); else setTimeout(look, 10); }; look(); })")
}

// set has a field changed as by a person.
func set(b *testkit.Browser, field, value string) {
	b.Value(fmt.Sprintf("(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); })()", field, value))
}

// key presses a key.
func key(b *testkit.Browser, name string, code int) {
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code}, nil)
	}
}

// late is what the browser itself tells of, when it likes, of an answer of 400 and of the token's
// field.
var late = regexp.MustCompile(`the server responded with a status of 400|Password field is not contained in a form`)

// silent holds that the browser tells of nothing else.
func silent(b *testkit.Browser, p *place) {
	b.Value("new Promise(done => setTimeout(done, 50))")
	b.Events = slices.DeleteFunc(b.Events, func(m testkit.Message) bool {
		text, _ := json.Marshal(m.Params)
		return m.Method == "Log.entryAdded" && late.Match(text)
	})
	b.Silent(p.url + "/")
}

// shown is what the page says of a row that the server is asked of beside.
func shown(t *testing.T, p *place, row string) string {
	t.Helper()
	code, _, text := p.ask("POST", "/predict/format4?out_of_box=clip", row, "Content-Type", "application/json")
	var answer []struct{ Mean, Std float64 }
	if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 200 {
		t.Fatal(code, text)
	}
	return fmt.Sprintf("document.getElementById('answer').textContent === short(%v) + ' ± ' + short(%v)", answer[0].Mean, answer[0].Std)
}

// The page shows what the server predicts of the row in its form, in a window and at a phone's
// width, by mouse and by keyboard, and of a file of rows.
func TestPageInABrowser(t *testing.T) {
	b := testkit.OpenBrowser(t)
	p := start(t, server.Options{})
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte("when,c,z,x\n2024-03-01,bee,1,0.25\n,dodo,,0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1200, 390} {
		b.Show(p.url+"/", width, true)
		until(b, "models", "document.getElementById('model').options.length === 2")
		set(b, "model", "format1")
		until(b, "another model", "model.name === 'format1'")
		set(b, "model", "format4")
		until(b, "a field a column", "model.name === 'format4' && document.querySelectorAll('.field').length === 4")
		b.Wants("fields have names", "[...document.querySelectorAll('.field')].every(f => f.querySelector('label').htmlFor === f.querySelector('input:not([type=range]), select').id)")
		at := func(column, value string) {
			set(b, b.Value(fmt.Sprintf("[...document.querySelectorAll('.field label')].find(l => l.textContent === %q).htmlFor", column)), value)
		}
		at("x", "0.25")
		at("z", "1")
		at("c", "=bee")
		at("when", "2024-03-01T00:00")
		until(b, "the row's prediction", shown(t, p, `{"x": 0.25, "z": 1, "c": "bee", "when": "2024-03-01"}`))
		at("z", "")
		until(b, "without a value", shown(t, p, `{"x": 0.25, "z": null, "c": "bee", "when": "2024-03-01"}`))
		until(b, "distribution", "document.querySelector('#density polyline').points.numberOfItems === 48")
		until(b, "effects", "document.querySelectorAll('#effects figure').length === 4 && document.querySelectorAll('#effects polyline').length === 3")
		b.Wants("nothing is wider than the window", fmt.Sprintf("document.documentElement.scrollWidth <= %d", width))

		// A slider by its keys, reached from the field before it.
		was := b.Value("document.querySelector('.field input[type=range]').value")
		b.Value("document.getElementById('model').focus()")
		key(b, "Tab", 9)
		b.Wants("Tab leads to the first field", "document.activeElement === document.querySelector('.field input')")
		for range 3 {
			key(b, "ArrowRight", 39)
		}
		until(b, "the slider moves", fmt.Sprintf("Number(document.querySelector('.field input[type=range]').value) > %s && document.querySelectorAll('.field input')[1].value !== '0.25'", was))
		at("x", "0.25")

		at("x", "a lot")
		until(b, "what is wrong", `document.getElementById('error').textContent.includes('"a lot" is not a number')`)
		b.Events = nil // the browser itself has asked for pictures of its fields
		at("x", "0.25")
		until(b, "it is mended", "document.getElementById('error').textContent === ''")

		var root, input struct {
			Root   struct{ NodeID int }
			NodeID int
		}
		b.Call("DOM.getDocument", nil, &root)
		b.Call("DOM.querySelector", map[string]any{"nodeId": root.Root.NodeID, "selector": "#file"}, &input)
		b.Call("DOM.setFileInputFiles", map[string]any{"nodeId": input.NodeID, "files": []string{file}}, nil)
		until(b, "rows of a file", "document.querySelectorAll('#results tbody tr').length === 2 && document.getElementById('said').textContent === '2 rows predicted' && !document.getElementById('save').hidden")
		code, _, want := p.ask("POST", "/predict/format4", "when,c,z,x\n2024-03-01,bee,1,0.25\n,dodo,,0.5\n", "Content-Type", "text/csv")
		quoted, _ := json.Marshal(want)
		b.Wants("the file to save", fmt.Sprintf("%d === 200 && saved === %s", code, quoted))
		silent(b, p)

		// The policy lets no other script run.
		b.Value("(() => { const s = document.createElement('script'); s.textContent = 'window.strange = true'; document.body.append(s); })()")
		b.Wants("strange scripts do not run", "window.strange === undefined")
	}
}

// Of classes the page shows their probabilities, and of an exposure a field.
func TestPageOfClasses(t *testing.T) {
	b := testkit.OpenBrowser(t)
	three, counts := fit(t, "three"), fit(t, "counts")
	p := start(t, server.Options{Paths: []string{counts.path, three.path}})
	b.Show(p.url+"/", 390, true)
	until(b, "models", "document.getElementById('model').options.length === 2 && model !== null")
	b.Events = nil // the browser itself has asked for pictures of its fields
	set(b, "model", "three")
	until(b, "a field a column", "model.name === 'three' && document.querySelectorAll('.field').length === 2")
	set(b, "f0", "0.25")
	set(b, "f1", "0.5")
	code, _, text := p.ask("POST", "/predict/three", `{"x": 0.25, "z": 0.5}`, "Content-Type", "application/json")
	var answer []map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 200 {
		t.Fatal(code, text)
	}
	class := answer[0]["class"].(string)
	quoted, _ := json.Marshal(class)
	until(b, "the likeliest class", fmt.Sprintf("document.getElementById('answer').textContent === %s && document.getElementById('interval').textContent === 'probability ' + short(%v)", quoted, answer[0]["p_"+class]))
	b.Wants("a bar a class", "document.querySelectorAll('#density rect').length === 3 && document.querySelectorAll('#density .dot').length === 1")
	until(b, "effects", "document.querySelectorAll('#effects polyline').length === 2")
	b.Wants("nothing is wider than the window", "document.documentElement.scrollWidth <= 390")
	b.Wants("cells of quoted names", `JSON.stringify([cut('class,"p_""one"", or",p_x'), cut(',0.5,,"a"')]) === JSON.stringify([["class", 'p_"one", or', "p_x"], ["", "0.5", "", "a"]])`)
	set(b, "model", "counts")
	until(b, "a field for the exposure", "model.name === 'counts' && document.getElementById('f2').value === '1' && document.querySelectorAll('.field input[type=range]').length === 2")
	code, _, text = p.ask("POST", "/predict/counts", `{"x": 0.25, "z": 0.5, "years": 2}`, "Content-Type", "application/json")
	if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 200 {
		t.Fatal(code, text)
	}
	for field, value := range map[string]string{"f0": "0.25", "f1": "0.5", "f2": "2"} {
		set(b, field, value)
	}
	until(b, "counts", fmt.Sprintf("document.getElementById('answer').textContent === short(%v) + ' ± ' + short(%v)", answer[0]["mean"], answer[0]["std"]))
	silent(b, p)
}

// With a token, the page asks for it, and sends it.
func TestPageAsksForAToken(t *testing.T) {
	b := testkit.OpenBrowser(t)
	tokens, err := guard.NewTokens("0123456789abcdef", "")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, server.Options{Tokens: tokens})
	b.Show(p.url+"/", 390, true)
	until(b, "a field for it", "!document.getElementById('access').hidden && document.getElementById('error').textContent.includes('token')")
	set(b, "token", "wrong, of course")
	until(b, "it is still asked for", "document.getElementById('error').textContent.includes('token')")
	set(b, "token", "0123456789abcdef")
	until(b, "models", "document.getElementById('model').options.length === 2 && document.getElementById('error').textContent === ''")
	b.Wants("it stands in no address", "!location.href.includes('0123')")
	for _, m := range b.Events {
		if text, _ := json.Marshal(m.Params); m.Method == "Network.requestWillBeSent" && strings.Contains(string(text), "?0123") {
			t.Errorf("the token is sent in %s", text)
		}
	}
}
