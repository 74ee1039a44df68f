import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { type ObjectShape, shapeOf } from '#salesforce/object-shape';
import type { SalesforceApi } from '#salesforce/salesforce-api';
import { SourceError } from '#source-error';

/** Descriptions are cached for this time, in milliseconds. */
const CACHE_MS = 10 * 60_000;

/** The objects to read by default, if the organization has them. */
const DEFAULT_OBJECTS: readonly string[] = [
  'Account',
  'Contact',
  'Lead',
  'Opportunity',
  'Case',
  'Knowledge__kav',
  'ContentVersion',
];

interface DescribedObjects {
  readonly shapes: readonly ObjectShape[];
  /** Objects with an unreadable description, and the reason. */
  readonly unreadable: readonly { readonly name: string; readonly error: SourceError }[];
}

export interface ObjectShapes {
  /**
   * Returns all objects of the connector in order. Throws `invalid` if a configured one does not
   * exist.
   */
  all(call: ConnectorCall): Promise<DescribedObjects>;
  /** Returns the object with this name (case-insensitive); undefined if it is not configured. */
  find(call: ConnectorCall, name: string): Promise<ObjectShape | undefined>;
}

/** Describes the connector's objects; `undefined` means the default ones. */
export function createObjectShapes(api: SalesforceApi, objects: readonly string[] | undefined): ObjectShapes {
  const names = objects ?? DEFAULT_OBJECTS;
  const known = createCache<string, { readonly shape: ObjectShape | undefined }>({
    maxEntries: Math.max(1, names.length),
    ttlMs: CACHE_MS,
  });

  const describe = async (call: ConnectorCall, name: string): Promise<ObjectShape | undefined> => {
    const cached = known.get(name);
    if (cached !== undefined) return cached.shape;
    let shape: ObjectShape | undefined;
    try {
      const description = await api.describe(call, name);
      shape = description.queryable ? shapeOf(description) : undefined;
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
    }
    known.set(name, { shape });
    return shape;
  };

  return {
    all: async (call) => {
      const shapes: ObjectShape[] = [];
      const unreadable: { name: string; error: SourceError }[] = [];
      for (const name of names) {
        let shape: ObjectShape | undefined;
        try {
          shape = await describe(call, name);
        } catch (error) {
          if (!(error instanceof SourceError) || error.kind !== 'invalid') throw error;
          unreadable.push({ name, error });
          continue;
        }
        if (shape !== undefined) shapes.push(shape);
        else if (objects !== undefined) {
          throw new SourceError(
            'invalid',
            `config.objects: the object ${name} does not exist, or this user has no access to it.`,
          );
        }
      }
      if (shapes.length > 0) return { shapes, unreadable };
      if (unreadable[0] !== undefined) throw unreadable[0].error;
      throw new SourceError(
        'invalid',
        'This Salesforce user has no access to the default objects. Set config.objects, or give the user access.',
      );
    },
    find: async (call, name) => {
      const configured = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
      return configured === undefined ? undefined : describe(call, configured);
    },
  };
}
