type Mask = ReadonlyMap<string, Mask>;

/** Parses Google's field masks, for example `nextPageToken,files(id,owners(emailAddress))`. Throws if the mask is invalid. */
export function parseFieldMask(text: string): Mask {
  let at = 0;
  const read = (): Mask => {
    const mask = new Map<string, Mask>();
    for (;;) {
      const name = /^[\w*]+/.exec(text.slice(at))?.[0];
      if (name === undefined) throw new Error(`Invalid field selection ${text.slice(at)}`);
      at += name.length;
      let inner: Mask = new Map();
      if (text[at] === '(') {
        at += 1;
        inner = read();
        if (text[at] !== ')') throw new Error(`Invalid field selection ${text}`);
        at += 1;
      }
      mask.set(name, inner);
      if (text[at] !== ',') return mask;
      at += 1;
    }
  };
  const mask = read();
  if (at !== text.length) throw new Error(`Invalid field selection ${text.slice(at)}`);
  return mask;
}

/** Selects the fields of a value. An empty mask selects all. */
export function applyFieldMask(value: unknown, mask: Mask): unknown {
  if (mask.size === 0 || mask.has('*')) return value;
  if (Array.isArray(value)) return value.map((entry) => applyFieldMask(entry, mask));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const selected = mask.get(name);
    return selected === undefined || inner === undefined ? [] : [[name, applyFieldMask(inner, selected)]];
  });
  return Object.fromEntries(entries);
}
