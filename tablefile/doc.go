// Package tablefile reads tables from files, and writes predictions as CSV.
//
// # Format
//
// Text has one record a line, its values separated by commas, tabs, semicolons or
// bars, whichever the header holds most often; quoting follows RFC 4180. The first
// line names the columns. Blanks around values count for nothing. A byte order mark
// is skipped, lines end in LF or CRLF, and blank lines are no rows, not even in a
// table of one column. Gzip and zstd are told by their first bytes, not by the name,
// and so are formats with types of their own. The path "-" is standard input; a
// pattern is all its files, one table.
//
// # What columns hold
//
// A value is missing if it is empty, ?, or NA, N/A, #N/A, NaN, -NaN, NULL or None in
// letters of any case; [Options] may give other words, which hold for the texts of every
// format: see [cell.Words]. The kind of a column is inferred from all its other values, in
// whatever order they come:
//
//   - all are decimal numbers with a point: numeric
//   - all are true, false, yes, no, t, f, y, n, in letters of any case: boolean
//   - all are dates or times as ISO 8601 writes them, 2024-02-29 or
//     2024-02-29T13:45:30.5+01:00, a blank being as good as the T and allowed before the zone, which may
//     be UTC or GMT by name; UTC where no zone is given: datetime
//   - at least half are numbers, but values recur ten times on average, and some
//     that are none five times on average and as a hundredth of all at least; and either values are at most
//     32, as in 0, 1, 2 and 3+, or at most 4096 of which at least ten are none, as in codes of diseases:
//     category, which [Reader.Codes] tells
//   - at least half are numbers, or at least half are times: an error that names the
//     first that is none, for it may be a mistake
//   - otherwise: category, its levels the distinct texts in order. 1, 1.0 and 1e0 are
//     one level, as are true and True, so that formats agree.
//
// [Options] overrule this: Kinds says what columns hold, and Schema has them encoded
// like those that a model was fitted to.
//
// # Errors
//
// Whatever is wrong with a file is an [*Error] which names the place and the
// remedy. Rows count from 1, the header not counted; lines count from 1 with the
// header, blank lines and line breaks in quotes.
package tablefile
