import type { FilterField } from '#filters/filter';

/** How the values of a field are compared. */
export type FilterFieldKind = 'text' | 'date' | 'free';

const BUILT_IN = {
  source: 'text',
  connector: 'text',
  collection: 'text',
  author: 'free',
  type: 'text',
  updatedAt: 'date',
  createdAt: 'date',
} as const satisfies Partial<Record<FilterField, FilterFieldKind>>;

/** Fields of filters and facets, for messages. */
export const FILTER_FIELDS = [...Object.keys(BUILT_IN), 'metadata.*'].join(', ');

const isBuiltIn = (name: string): name is keyof typeof BUILT_IN => Object.hasOwn(BUILT_IN, name);
const isMetadata = (name: string): name is `metadata.${string}` => /^metadata\../s.test(name);

/** Returns the field of this name, or undefined. */
export function filterFieldOf(name: string): FilterField | undefined {
  return isBuiltIn(name) || isMetadata(name) ? name : undefined;
}

/** Returns how a field's values are compared: as dates, as texts, or as any metadata value. */
export function kindOfField(field: FilterField): FilterFieldKind {
  return isBuiltIn(field) ? BUILT_IN[field] : 'free';
}
