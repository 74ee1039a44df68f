import type { Fields } from '#scim/patch';

const ALWAYS: readonly string[] = ['schemas', 'id'];

/** What a client wants of a resource (RFC 7644, 3.9): names in lower case, with a dot for parts. */
export interface Projection {
  /** Undefined for the default attributes. */
  readonly attributes: ReadonlySet<string> | undefined;
  readonly excluded: ReadonlySet<string>;
}

const MAX_NAMES = 50;

const namesIn = (text: string): ReadonlySet<string> => {
  const names = text.split(',', MAX_NAMES).map((name) => name.trim().toLowerCase());
  return new Set(names.map((name) => name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '')));
};

/** Reads `attributes` and `excludedAttributes`. */
export function readProjection(query: Fields): Projection {
  const { attributes, excludedAttributes } = query;
  return {
    attributes: typeof attributes === 'string' && attributes !== '' ? namesIn(attributes) : undefined,
    excluded: namesIn(typeof excludedAttributes === 'string' ? excludedAttributes : ''),
  };
}

/** True if the response contains an attribute. */
export function isWanted({ attributes, excluded }: Projection, name: string): boolean {
  const lower = name.toLowerCase();
  if (ALWAYS.includes(lower)) return true;
  if (attributes === undefined) return !excluded.has(lower);
  return [...attributes].some((wanted) => wanted === lower || wanted.startsWith(`${lower}.`));
}

function project(value: unknown, isPartWanted: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => project(item, isPartWanted));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => isPartWanted(part)));
}

/** Keeps the wanted attributes of a resource. */
export function projected(resource: Fields, projection: Projection): Fields {
  const { attributes, excluded } = projection;
  const wanted = Object.entries(resource).filter(([name]) => isWanted(projection, name));
  return Object.fromEntries(
    wanted.map(([name, value]) => {
      const lower = name.toLowerCase();
      if (ALWAYS.includes(lower)) return [name, value];
      const isWhole = attributes === undefined || attributes.has(lower);
      const isPartWanted = (part: string) => {
        const partName = `${lower}.${part.toLowerCase()}`;
        return isWhole ? !excluded.has(partName) || attributes !== undefined : attributes.has(partName);
      };
      return [name, project(value, isPartWanted)];
    }),
  );
}
