/** Makes a text storable in PostgreSQL: removes U+0000 and replaces lone surrogates with U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/**
 * Makes all strings of a JSON value storable, including field names. Removes fields named `__proto__`: the database client
 * copies fields by assignment, which would set the prototype.
 */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [storableText(name), storableJson(field)] as const);
  return Object.fromEntries(fields.filter(([name]) => name !== '__proto__'));
}

/** Makes a streamed text storable, although its deltas can split a surrogate pair. */
export interface StorableStream {
  /** The storable part of a delta. Half a pair at its end is buffered. */
  push(delta: string): string;
  /** Returns the buffered text. */
  end(): string;
}

/** Creates a stream for one text. */
export function createStorableStream(): StorableStream {
  let buffer = '';
  return {
    push(delta) {
      const all = buffer + delta.replaceAll('\u0000', '');
      buffer = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : '';
      return storableText(all.slice(0, all.length - buffer.length));
    },
    end() {
      const rest = storableText(buffer);
      buffer = '';
      return rest;
    },
  };
}
