const MAX_FIELD_BYTES = 8_000;

/** Returns the first value of each field, on one line. */
export function headerValues(header: Buffer | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const lines = (header ?? Buffer.alloc(0)).toString('latin1').replace(/\r?\n[ \t]+/g, ' ');
  for (const line of lines.split(/\r?\n/)) {
    const at = line.indexOf(':');
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const value = line.slice(at + 1).replaceAll(/[\r\n\0]/g, ' ');
    if (at > 0 && !values.has(name)) values.set(name, value.trim().slice(0, MAX_FIELD_BYTES));
  }
  return values;
}
