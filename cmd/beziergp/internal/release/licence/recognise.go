package licence

import (
	"slices"
	"strings"
)

// signs are words that a licence has and no other one, by its SPDX identifier.
var signs = []struct {
	id   string
	has  []string
	lack string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}, ""},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, "endorse or promote products"},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "endorse or promote products"}, ""},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}, ""},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy of this software"}, ""},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}, ""},
	{"blessing", []string{"dedicated to the public domain by the authors"}, ""},
}

// expression returns the identifiers of all licences in the files, joined as SPDX
// does; nothing if there is none.
func expression(files []File) string {
	var ids []string
	for _, f := range files {
		text := strings.ToLower(strings.Join(strings.Fields(string(f.Text)), " "))
		for _, s := range signs {
			if slices.ContainsFunc(s.has, func(sign string) bool { return !strings.Contains(text, sign) }) {
				continue
			}
			if (s.lack == "" || !strings.Contains(text, s.lack)) && !slices.Contains(ids, s.id) {
				ids = append(ids, s.id)
			}
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " AND ")
}
