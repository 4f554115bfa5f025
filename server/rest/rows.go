package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"beziergp/internal/format"
	"beziergp/internal/printable"
	"beziergp/serve"
	"beziergp/server/infer"
	"beziergp/server/oip"
	"beziergp/server/repository"
	"beziergp/table/exact"
	"beziergp/tablefile"
	"beziergp/tablewriter"
)

// formats are the types of bodies with rows, and what reads them.
var formats = map[string]func(h *Handler, ctx context.Context, m *repository.Loaded, body []byte) ([][]float64, error){
	"application/json":                  (*Handler).jsonRows,
	"text/csv":                          (*Handler).csvRows,
	"application/vnd.apache.arrow.file": (*Handler).arrowRows,
}

// rows predicts rows as people have them, and answers in their format.
func (h *Handler) rows(a *answer, r *http.Request) error {
	if err := h.Check(); err != nil {
		return err
	}
	m, err := h.Repository.Model(r.PathValue("model"), "")
	if err != nil {
		return err
	}
	kind, details, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	rows := formats[kind]
	if rows == nil {
		return oip.Errorf(oip.Unsupported, "the Content-Type is %s; send application/json, text/csv or application/vnd.apache.arrow.file", printable.Quoted(kind))
	}
	if charset := details["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii") {
		return oip.Errorf(oip.Unsupported, "the charset of the Content-Type is %s; send UTF-8", printable.Quoted(charset))
	}
	parameters, err := query(r)
	if err != nil {
		return err
	}
	ask, err := h.Ask(m, parameters, nil)
	if err != nil {
		return err
	}
	body, done, err := h.read(r)
	defer done()
	if err != nil {
		return err
	}
	var columns [][]float64
	err = h.Read(r.Context(), func() (err error) {
		columns, err = rows(h, r.Context(), m, body)
		return err
	})
	if err != nil {
		return err
	}
	if len(columns[0]) == 0 {
		return oip.Errorf(oip.Invalid, "there are no rows; send one at least")
	}
	answer, err := h.Predict(r.Context(), m, columns, ask)
	if err != nil {
		return err
	}
	all := ask.Table(answer)
	if ask.Explain {
		e, err := h.Explain(r.Context(), m, columns, ask)
		if err != nil {
			return err
		}
		all = append(all, e.Table(len(columns[0]))...)
	}
	a.Header().Set("X-Model-Version", m.Version)
	if kind == "application/json" {
		a.send(r, kind, objects(all, len(columns[0])))
		return nil
	}
	text, err := file(all, map[string]tablewriter.Format{"text/csv": tablewriter.CSV}[kind])
	if err != nil {
		return err
	}
	a.send(r, kind, text)
	return nil
}

// query returns the parameters of a query, which are texts. It fails where one stands twice: none
// of them is passed over.
func query(r *http.Request) (oip.Parameters, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, oip.Errorf(oip.Invalid, "the query of the address cannot be read: %s; separate parameters by &, and write other characters as %%XX", printable.Words(err.Error()))
	}
	p := oip.Parameters{}
	for name, all := range values {
		if len(all) > 1 {
			return nil, oip.Errorf(oip.Invalid, "parameter %s stands %d times; give it once, several values separated by commas", printable.Quoted(name), len(all))
		}
		p[name] = all[0]
	}
	return p, nil
}

// jsonRows reads an array of objects, or one object. Rows are read one by one: an array of very
// many small things takes more memory than its text, many times over.
func (h *Handler) jsonRows(ctx context.Context, m *repository.Loaded, body []byte) ([][]float64, error) {
	if at := invalidUTF8(body); at >= 0 {
		return nil, oip.Errorf(oip.Invalid, "byte %d of the body is not UTF-8, as JSON is; send it as UTF-8", at+1)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	array := true
	if first := bytes.TrimLeft(body, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		array = false
	} else if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, oip.Errorf(oip.Invalid, `the body is no array of rows; send [{"column": value, …}, …]`)
	}
	columns := make([][]float64, len(m.Columns()))
	var object json.RawMessage
	for rows := 1; !array && rows == 1 || array && d.More(); rows++ {
		if err := d.Decode(&object); err != nil {
			return nil, wrongRow(rows, &serve.RowError{Err: err})
		}
		row, err := m.Schema.RowOfJSON(object)
		if err != nil {
			return nil, wrongRow(rows, err)
		}
		for k, v := range row {
			columns[k] = append(columns[k], v)
		}
		if err := h.fits(m, rows); err != nil {
			return nil, err
		}
		if rows%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if array {
		if _, err := d.Token(); err != nil {
			return nil, oip.Errorf(oip.Invalid, "the array of rows is not closed after row %d; end it with ]", len(columns[0]))
		}
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, oip.Errorf(oip.Invalid, "something follows the rows; send one array, or one object")
	}
	return columns, nil
}

func wrongRow(row int, err error) error {
	return &oip.Error{Code: oip.Invalid, Message: (&infer.RowError{Row: row, Err: err}).Error()}
}

// invalidUTF8 returns where a text is not UTF-8, -1 for nowhere.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for r, n := utf8.DecodeRune(text); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(text[at:]) {
		at += n
	}
	return at
}

// fits fails where there are more rows than a request may have.
func (h *Handler) fits(m *repository.Loaded, rows int) error {
	if rows*len(m.Columns()) > h.Elements() {
		return oip.Errorf(oip.TooLarge, "%d rows of %d columns are more than %d values; send fewer rows at a time", rows, len(m.Columns()), h.Elements())
	}
	return nil
}

func (h *Handler) csvRows(ctx context.Context, m *repository.Loaded, body []byte) ([][]float64, error) {
	switch is := formatOf(body); is {
	case format.Gzip, format.Zstd: // it would be unpacked without a limit
		return nil, oip.Errorf(oip.Unsupported, "the body is packed; say so by Content-Encoding: gzip, or send it as it is")
	case format.Arrow, format.Parquet:
		return nil, oip.Errorf(oip.Invalid, "the body is %s and no CSV", is)
	}
	return h.tableRows(ctx, m, body)
}

func (h *Handler) arrowRows(ctx context.Context, m *repository.Loaded, body []byte) ([][]float64, error) {
	if formatOf(body) != format.Arrow {
		return nil, oip.Errorf(oip.Invalid, "the body is no Arrow file")
	}
	return h.tableRows(ctx, m, body)
}

func formatOf(body []byte) format.Format { return format.Of(body[:min(len(body), format.Head)]) }

// tableRows reads a file by a model's columns, and of too many rows one too many.
func (h *Handler) tableRows(ctx context.Context, m *repository.Loaded, body []byte) ([][]float64, error) {
	r, err := tablefile.NewReaderAt(bytes.NewReader(body), int64(len(body)), "the body",
		tablefile.Options{Schema: m.Columns(), Missing: m.Missing(), Context: ctx, Rows: h.Elements()/len(m.Columns()) + 1})
	if err != nil {
		return nil, bad(err)
	}
	defer r.Close()
	var names []string
	for _, f := range m.Columns() {
		names = append(names, f.Name)
	}
	if err := r.Select(names...); err != nil {
		return nil, bad(err)
	}
	t, err := r.ReadAll(ctx)
	if err != nil {
		return nil, bad(err)
	}
	if err := h.fits(m, t.Rows()); err != nil {
		return nil, err
	}
	columns := make([][]float64, len(names))
	for k, name := range names {
		columns[k], _ = t.Column(name)
	}
	return columns, nil
}

// bad is what a client is told of a table that cannot be read. The file is the client's body,
// whatever it is called here, and a client has no flags of the program.
func bad(err error) error {
	var place *tablefile.Error
	if errors.As(err, &place) {
		place.File, place.Flag = "the body", ""
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return oip.Errorf(oip.Unavailable, "the request was given up")
	}
	return &oip.Error{Code: oip.Invalid, Message: err.Error()}
}

// objects returns predictions as an array of JSON objects.
func objects(all []infer.Column, rows int) []byte {
	keys := make([][]byte, len(all))
	for k, c := range all {
		name, _ := json.Marshal(c.Name) // a text always is
		keys[k] = append(name, ':')
	}
	b := []byte{'['}
	for i := range rows {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(b, '{')
		for k, c := range all {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(b, keys[k]...)
			switch {
			case c.Truths != nil && c.Truths[i]:
				b = append(b, "true"...)
			case c.Truths != nil:
				b = append(b, "false"...)
			case c.Texts != nil && c.Texts[i] == "":
				b = append(b, "null"...)
			case c.Texts != nil:
				text, _ := json.Marshal(c.Texts[i]) // a text always is
				b = append(b, text...)
			default:
				b = oip.AppendNumber(b, c.Numbers[i])
			}
		}
		b = append(b, '}')
	}
	return append(b, "]\n"...)
}

// file returns predictions as a file of a format, Arrow where there is none.
func file(all []infer.Column, f tablewriter.Format) ([]byte, error) {
	if f == "" {
		f = tablewriter.Arrow
	}
	var names []string
	var columns []*exact.Column
	for _, c := range all {
		names = append(names, c.Name)
		if c.Truths != nil {
			columns = append(columns, exact.Truths(c.Truths))
			continue
		}
		if c.Texts != nil {
			columns = append(columns, exact.Texts(c.Texts))
			continue
		}
		for i, v := range c.Numbers { // which no format writes
			if math.IsInf(v, 0) {
				c.Numbers[i] = math.NaN()
			}
		}
		columns = append(columns, exact.Numbers(c.Numbers))
	}
	var b bytes.Buffer
	err := tablewriter.Write(&b, f, names, columns)
	return b.Bytes(), err
}
