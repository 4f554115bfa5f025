/* Predicts the rows that standard input has as numbers, and tries what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beziergp.h"

static char *error;

static void refused(int failed, const char *says) {
	if (!failed || error == NULL || strstr(error, says) == NULL) {
		fprintf(stderr, "\"%s\" where \"%s\" should be\n", error ? error : "no error", says);
		exit(1);
	}
	free(error);
	error = NULL;
}

int main(int argc, char **argv) {
	double value, mean[100], std[100], rows[1000];
	uint8_t inside[100];
	size_t n = 0, all = 0;
	if (argc != 3) return 5;
	refused(bgp_load("nowhere.bgp", &error) == 0, "nowhere.bgp");
	refused(bgp_load(argv[2], &error) == 0, "has 2 classes");
	uintptr_t model = bgp_load(argv[1], &error);
	if (model == 0) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	int d = bgp_columns(model), c = bgp_column(model, "c");
	refused(bgp_value(model, bgp_column(model, "x"), "wide", &value, &error), "wide");
	refused(bgp_value(model, d, "1", &value, &error), "column");
	if (bgp_column(model, "none") != -1 || bgp_value(model, c, "bee", &value, &error) != 0 || value != 1) return 2;
	while (all < 1000 && scanf("%lf", &rows[all]) == 1) all++;
	n = all / d;
	if (bgp_predict(model, rows, n, mean, std, inside, &error) != 0) {
		fprintf(stderr, "%s\n", error);
		return 3;
	}
	for (size_t i = 0; i < n; i++) printf("%.17g %.17g %d\n", mean[i], std[i], inside[i]);
	double alone[100];
	if (bgp_predict(model, rows, n, alone, NULL, NULL, NULL) != 0 || memcmp(alone, mean, n * sizeof *mean) != 0) return 4;
	rows[c] = 0.5;
	refused(bgp_predict(model, rows, n, mean, std, inside, &error), "no number of a level");
	refused(bgp_predict(model, NULL, n, mean, std, inside, &error), "NULL");
	refused(bgp_predict(model, rows, (size_t)-1, mean, std, inside, &error), "below 0");
	bgp_free(model);
	return 0;
}
