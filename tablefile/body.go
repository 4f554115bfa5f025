package tablefile

import "context"

// body is the rows of an open file of any format.
type body interface {
	// names returns the names of the columns.
	names() []string
	// look reads the first rows for the plans and leaves them there to be read.
	look(ctx context.Context, plans []plan) (*block, error)
	// next returns the next blocks, or io.EOF. They are valid until the next call.
	next(ctx context.Context, plans []plan) ([]*block, error)
	// shorten makes the i-th of these blocks anew, of its first rows.
	shorten(i, rows int, plans []plan) *block
	// progress returns the bytes of the file, as it is stored, that have been read,
	// and how many there are: −1 if nobody knows.
	progress() (done, total int64)
	close() error
}
