// The package for browsers and for Node: a model file in, predictions of rows out. index.d.ts describes what it exports.

const here = (name) => new URL(`./dist/${name}`, import.meta.url);

/** Returns the bytes of a file: of a path in Node, else of a place on the network. */
async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const isFile = source instanceof URL && source.protocol === 'file:';
  if (isFile && typeof process !== 'undefined') {
    const { readFile } = await import('node:fs/promises');
    return readFile(source);
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Gives what an answer of the program holds, or throws its error. */
function settle(answer) {
  if (answer.error !== undefined) throw new Error(answer.error);
  return JSON.parse(answer.value);
}

class Model {
  #program;
  #id;

  constructor(program, about) {
    this.#program = program;
    this.#id = about.id;
    this.target = about.target;
    this.columns = about.columns;
    Object.freeze(this);
  }

  predict(rows, options = {}) {
    if (!Array.isArray(rows)) throw new TypeError('rows must be an array of objects');
    for (const [i, row] of rows.entries()) {
      for (const { name } of this.columns) {
        const value = row?.[name];
        // JSON would make null of these, which is a missing value.
        if ((typeof value === 'number' && !Number.isFinite(value)) || (value instanceof Date && Number.isNaN(value.getTime())))
          throw new RangeError(`row ${i + 1}: ${name} is ${value}; null is a missing value`);
      }
    }
    return settle(this.#program.predict(this.#id, JSON.stringify(rows), JSON.stringify(options)));
  }

  free() {
    settle(this.#program.drop(this.#id));
  }
}

/** The loader of Go, which is a script and leaves a class behind. */
async function loader() {
  if (!globalThis.Go) await import(here('wasm_exec.js'));
  return new globalThis.Go();
}

export async function start(source = here('beziergp.wasm')) {
  const [go, bytes] = await Promise.all([loader(), bytesOf(source)]);
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const program = await new Promise((resolve, reject) => {
    globalThis.beziergpReady = resolve;
    go.run(instance).then(() => reject(new Error('the program ended')), reject);
  });
  delete globalThis.beziergpReady;
  return {
    load(file) {
      const bytes = ArrayBuffer.isView(file) ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : new Uint8Array(file);
      return new Model(program, settle(program.load(bytes)));
    },
  };
}
