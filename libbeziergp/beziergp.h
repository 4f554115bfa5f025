/* libbeziergp: predictions of model files that the program beziergp has written.
 *
 * Any number of threads may use a model. A process that has loaded the library must not fork and go on
 * in the child: the library has threads of its own, which a fork does not copy. */
#ifndef BEZIERGP_H
#define BEZIERGP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where something fails, *error is set to a text, which the caller frees by free(). error may be NULL. */

/* Returns a model from its file, or 0. A model of classes is refused, and so is a file of several targets: bgp_predict has
 * no place for what they predict. */
uintptr_t bgp_load(const char *path, char **error);

/* Frees a model, once. */
void bgp_free(uintptr_t model);

/* Returns the number of columns, d. */
int bgp_columns(uintptr_t model);

/* Returns the place of a column among them, from 0, or -1 where there is none of the name. */
int bgp_column(uintptr_t model, const char *name);

/* Sets *value to the number that a text stands for in a column: of a category the number of the level, of a
 * date seconds since the beginning of 1970, NaN for a missing value. Returns 0, or -1 where the text is no such value. */
int bgp_value(uintptr_t model, int column, const char *text, double *value, char **error);

/* Predicts n rows, [n, d] by rows, of numbers as bgp_value has them: value j of a row is that of column j. mean, std and
 * in_box are [n] each: the mean, the deviation of a new observation, and 1 where the row lies in the box. std and in_box may
 * be NULL. Returns 0, or -1. */
int bgp_predict(uintptr_t model, const double *rows, size_t n, double *mean, double *std, uint8_t *in_box, char **error);

#ifdef __cplusplus
}
#endif
#endif
