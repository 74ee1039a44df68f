import type { FilterField } from '@lectern/vector-store';

/** How the values of a field are compared. */
export type FieldKind = 'text' | 'date' | 'free';

const BUILT_IN = {
  source: 'text',
  connector: 'text',
  collection: 'text',
  author: 'free',
  type: 'text',
  updatedAt: 'date',
  createdAt: 'date',
} as const satisfies Partial<Record<FilterField, FieldKind>>;

/** The fields by which documents are filtered and counted, for messages. */
export const KNOWN_FIELDS = [...Object.keys(BUILT_IN), 'metadata.*'].join(', ');

const isBuiltIn = (name: string): name is keyof typeof BUILT_IN => Object.hasOwn(BUILT_IN, name);
const isMetadata = (name: string): name is `metadata.${string}` => /^metadata\../s.test(name);

/** The field of this name; undefined where there is none. */
export function fieldOf(name: string): FilterField | undefined {
  return isBuiltIn(name) || isMetadata(name) ? name : undefined;
}

/** How a field's values are compared: a date, a text of its own, or whatever a metadata value may be. */
export function kindOf(field: FilterField): FieldKind {
  return isBuiltIn(field) ? BUILT_IN[field] : 'free';
}
