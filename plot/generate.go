package plot

//go:generate go run ./pictures ../docs/pictures
