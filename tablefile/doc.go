// Package tablefile reads numeric tables from CSV files, plain or compressed with
// gzip, and writes predictions as CSV.
//
// # Format
//
// The first line names the columns. Values are decimal numbers with a point;
// blanks around them count for nothing. Quoting follows RFC 4180. A byte order
// mark is skipped, lines end in LF or CRLF, and blank lines are no rows, not even
// in a table of one column. Gzip is told by its first bytes, not by the name. The
// path "-" is standard input.
//
// # Errors
//
// Whatever is wrong with a file is an [*Error] which names the place and the
// remedy. Rows count from 1, the header not counted; lines count from 1 with the
// header, blank lines and line breaks in quotes.
package tablefile
