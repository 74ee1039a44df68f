import { scimError } from '#scim/errors';
import { type Filter, type Path, parsePath } from '#scim/filter';

/** A resource, or a value with several parts. */
export type Fields = Readonly<Record<string, unknown>>;

/** The attributes of a resource that can be changed, by their names in lower case. */
export type Shape = Readonly<Record<string, Attribute>>;

type Attribute =
  | { readonly name: string; readonly kind: 'simple' }
  | { readonly name: string; readonly kind: 'complex' | 'list'; readonly parts: Readonly<Record<string, string>> };
type Complex = Extract<Attribute, { readonly parts: unknown }>;

/** A PATCH operation (RFC 7644, 3.5.2). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path?: string | undefined;
  readonly value?: unknown;
}

const BOOLEANS: readonly string[] = ['active', 'primary'];
const BOOLEAN_TEXTS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Entra sends booleans as `"True"` and `"False"`. */
function coerced(name: string, value: unknown): unknown {
  if (!BOOLEANS.includes(name) || typeof value !== 'string') return value;
  return BOOLEAN_TEXTS.get(value.toLowerCase()) ?? value;
}

/** Returns the usual spelling of a part, or undefined for an unknown one. */
const partOf = ({ parts }: Complex, name: string): string | undefined =>
  Object.hasOwn(parts, name.toLowerCase()) ? parts[name.toLowerCase()] : undefined;

/** Keeps the known parts of a value, with their usual spelling. */
function partsOf(attribute: Complex, value: unknown): Fields {
  const { name } = attribute;
  if (typeof value === 'string' && attribute.kind === 'list') return { value };
  if (!isFields(value)) throw scimError('invalidValue', `${name}: must be an object.`);
  const known = Object.entries(value).flatMap(([part, found]) => {
    const usual = partOf(attribute, part);
    return usual === undefined || found === undefined ? [] : [[usual, coerced(usual, found)] as const];
  });
  return Object.fromEntries(known);
}

function valuesOf(attribute: Complex, value: unknown): Fields[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item) => partsOf(attribute, item));
}

function normalizedValue(attribute: Attribute, value: unknown): unknown {
  if (attribute.kind === 'simple') return coerced(attribute.name, value);
  return attribute.kind === 'complex' ? partsOf(attribute, value) : valuesOf(attribute, value);
}

const attributeOf = (shape: Shape, name: string): Attribute | undefined =>
  Object.hasOwn(shape, name) ? shape[name] : undefined;

/** Keeps the known attributes of a resource, with their usual spelling. */
export function normalize(shape: Shape, resource: Fields): Fields {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const attribute = attributeOf(shape, name.toLowerCase());
      if (attribute === undefined || value === undefined || value === null) return [];
      return [[attribute.name, normalizedValue(attribute, value)] as const];
    }),
  );
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

const withPart = (fields: Fields, name: string, value: unknown): Fields =>
  value === null || value === undefined ? without(fields, name) : { ...fields, [name]: coerced(name, value) };

/** True if the item has all values of the filter. Texts are compared without case, except ids. */
function isMatch(list: Complex, item: Fields, filter: Filter): boolean {
  const folded = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
  return filter.every(({ attribute, value }) => {
    const name = partOf(list, attribute);
    return name !== undefined && folded(item[name]) === folded(coerced(name, value));
  });
}

/** Adds items. One with the same `value` replaces the earlier one, and a new primary one the earlier primary. */
function merge(items: readonly Fields[], added: readonly Fields[]): Fields[] {
  const byValue = new Map<unknown, Fields>();
  const keyOf = (item: Fields): unknown => item.value ?? item;
  for (const item of items) byValue.set(keyOf(item), item);
  for (const item of added) byValue.set(keyOf(item), { ...byValue.get(keyOf(item)), ...item });
  const hasPrimary = added.some(({ primary }) => primary === true);
  const isNew = new Set(added.map(keyOf));
  return [...byValue].map(([key, item]) =>
    hasPrimary && item.primary === true && !isNew.has(key) ? { ...item, primary: false } : item,
  );
}

function changeList(attribute: Complex, items: readonly Fields[], { op, value }: PatchOperation, path: Path): Fields[] {
  const { filter } = path;
  const part = path.sub === undefined ? undefined : partOf(attribute, path.sub);
  if (path.sub !== undefined && part === undefined) return [...items];
  if (filter === undefined && part === undefined) {
    const values = valuesOf(attribute, value);
    if (op === 'replace') return merge([], values);
    if (op === 'add') return merge(items, values);
    // Entra names the values to remove. Without any, RFC 7644 removes all.
    if (value === undefined || value === null) return [];
    const removed = new Set(values.map((item) => item.value));
    return items.filter((item) => !removed.has(item.value));
  }
  const isChosen = (item: Fields) => filter === undefined || isMatch(attribute, item, filter);
  if (op === 'remove') {
    return part === undefined
      ? items.filter((item) => !isChosen(item))
      : items.map((item) => (isChosen(item) ? without(item, part) : item));
  }
  const change = (item: Fields): Fields =>
    part === undefined ? { ...item, ...partsOf(attribute, value) } : withPart(item, part, value);
  if (items.some(isChosen)) return items.map((item) => (isChosen(item) ? change(item) : item));
  if (op === 'replace' && filter !== undefined) {
    throw scimError('noTarget', `${attribute.name}: no value matches the path. Add the value instead.`);
  }
  const chosen = partsOf(attribute, Object.fromEntries((filter ?? []).map((one) => [one.attribute, one.value])));
  return merge(items, [change(chosen)]);
}

function changeComplex(attribute: Complex, fields: Fields, { op, value }: PatchOperation, path: Path): Fields {
  if (path.sub === undefined) return op === 'remove' ? {} : { ...fields, ...partsOf(attribute, value) };
  const part = partOf(attribute, path.sub);
  if (part === undefined) return fields;
  return withPart(fields, part, op === 'remove' ? undefined : value);
}

function applyAt(shape: Shape, resource: Fields, operation: PatchOperation, path: Path): Fields {
  const attribute = attributeOf(shape, path.attribute);
  // Attributes that Lectern does not store, for example phone numbers.
  if (attribute === undefined) return resource;
  const { name, kind } = attribute;
  const current = resource[name];
  if (path.filter !== undefined && kind !== 'list') {
    throw scimError('invalidPath', `${name}: has one value, so its path has no filter.`);
  }
  if (kind === 'list') {
    const items = Array.isArray(current) ? current.filter(isFields) : [];
    return { ...resource, [name]: changeList(attribute, items, operation, path) };
  }
  if (kind === 'complex') {
    return { ...resource, [name]: changeComplex(attribute, isFields(current) ? current : {}, operation, path) };
  }
  if (path.sub !== undefined) throw scimError('invalidPath', `${name}: has no sub-attributes.`);
  return withPart(resource, name, operation.op === 'remove' ? undefined : operation.value);
}

/**
 * Applies PATCH operations to a resource and returns the changed one. Ignores attributes that are not in
 * the shape. Throws `noTarget`, `invalidPath` and `invalidValue`.
 */
export function applyPatch(shape: Shape, resource: Fields, operations: readonly PatchOperation[]): Fields {
  return operations.reduce((current, operation) => {
    if (operation.path !== undefined) return applyAt(shape, current, operation, parsePath(operation.path));
    if (operation.op === 'remove') throw scimError('noTarget', 'path: is required to remove a value.');
    if (!isFields(operation.value)) throw scimError('invalidValue', 'value: must be an object without a path.');
    // Entra also uses paths as names.
    return Object.entries(operation.value).reduce(
      (changed, [name, value]) => applyAt(shape, changed, { op: operation.op, value }, parsePath(name)),
      current,
    );
  }, resource);
}
