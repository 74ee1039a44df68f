/** A field of a value of which nothing is known. */
export const read = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

/** The fields of a value of which nothing is known. */
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(value));

/** The items of a value, where it is a list. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The last part of a reference: `Document`. */
export function refName(value: unknown): string | undefined {
  const ref = read(value, '$ref');
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}
