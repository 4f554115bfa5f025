/** A value of a row: null is a missing one. Dates may be texts, as ISO 8601 writes them. */
export type Value = number | string | boolean | Date | null;

/** A row by the names of its columns. Other keys are passed over. */
export type Row = Record<string, Value>;

export interface Column {
  name: string;
  kind: 'numeric' | 'boolean' | 'category' | 'datetime';
  /** Of a category: the levels that are not rare. */
  levels?: string[];
  /** Bounds of a number in the training rows, or those declared. */
  low?: number;
  high?: number;
}

export interface PredictOptions {
  /** Probability of the interval from lower to upper, 0.95 unless given. */
  level?: number;
  /** "predictive", or "conformal" for models that have such intervals. */
  interval?: 'predictive' | 'conformal';
  /** Probabilities whose quantiles are wanted. */
  quantiles?: number[];
  /** Where the target can lie, as "0:" or "0:1". */
  range?: string;
}

/** What is predicted of a row, in the target's units; null where the model predicts nothing. */
export interface Prediction {
  mean: number | null;
  /** Deviation of a new observation, noise included. */
  std: number | null;
  lower: number | null;
  upper: number | null;
  /** Whether all values lie where training rows were. */
  inBox: boolean;
  quantiles?: (number | null)[];
}

export interface Model {
  readonly target: string;
  readonly columns: Column[];
  /** Returns a prediction a row. Throws where a row has a value that its column cannot have. */
  predict(rows: Row[], options?: PredictOptions): Prediction[];
  /** Frees the model's memory. */
  free(): void;
}

export interface Engine {
  /** Reads a model file. Throws where it is damaged or of a later version, and where it is of classes or of several targets. */
  load(file: ArrayBuffer | Uint8Array): Model;
}

/** Where the program comes from: its bytes, a response, or where to fetch it. By default the file of this package. */
export type Source = ArrayBuffer | Uint8Array | Response | URL | string;

/** Starts the program; once is enough. */
export function start(source?: Source): Promise<Engine>;
