/** A model's text as PostgreSQL can hold it: without U+0000, and with U+FFFD for half a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** The same for all texts of a JSON value, names of fields too. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [storableText(name), storableJson(field)]));
}

/** The same for a text that comes in deltas, which may cut a surrogate pair in two. */
export interface StorableStream {
  /** What can be told of a delta; half a pair at its end waits for the next one. */
  push(delta: string): string;
  /** What waited in vain. */
  end(): string;
}

/** A stream for one text. */
export function createStorableStream(): StorableStream {
  let held = '';
  return {
    push(delta) {
      const all = held + delta.replaceAll('\u0000', '');
      held = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : '';
      return storableText(all.slice(0, all.length - held.length));
    },
    end() {
      const rest = storableText(held);
      held = '';
      return rest;
    },
  };
}
