package main_test

import (
	"log"
	"os"
	"testing"
)

// TestMain runs the tests in the folder of the documents that they are about.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
