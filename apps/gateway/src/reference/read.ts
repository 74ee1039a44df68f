/** Returns a field of a value of unknown type. */
export const read = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

/** Returns the fields of a value of unknown type. */
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(value));

/** Returns the items of a value if it is a list, otherwise none. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the last part of a reference, for example `Document`. */
export function refName(value: unknown): string | undefined {
  const ref = read(value, '$ref');
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}
