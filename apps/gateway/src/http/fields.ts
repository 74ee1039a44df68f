import { toPrincipal } from '@lectern/service-kit';
import { z } from 'zod';
import { wireSchemas } from '#http/wire-schemas';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 5_000;
const MAX_ID = 100;
const MAX_IDS = 1_000;
const MAX_URL = 2_048;

/** A name that people read; white space around it is dropped. */
export const name = z.string().trim().min(1).max(MAX_NAME);

/** A description; an empty one clears it. */
export const description = z.string().max(MAX_DESCRIPTION);

/** A text field for which the services treat an empty string as unset: null clears it too. */
export const orEmpty = (text: string | null | undefined): string | undefined => (text === null ? '' : text);

/** An id inside a body. Whether it exists is for the service that owns it to say. */
export const id = z.string().min(1).max(MAX_ID);

export const ids = z.array(id).max(MAX_IDS);

/**
 * Collections to search in. An empty list is rejected: a client that computed one must not get
 * results from every collection.
 */
export const searchedCollections = ids.min(
  1,
  'must name at least one collection; omit it to search everything in scope',
);

/** An object of the caller's own making. */
export const freeObject = z.record(z.string().min(1).max(MAX_NAME), z.unknown());

/** An address that a page may link to. */
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).max(MAX_URL);

/** True or false as a query parameter holds it. */
export const booleanText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .register(wireSchemas, { schema: { type: 'boolean' } });

/** Someone who may read a document. */
export const principal = z
  .string()
  .refine(
    (text) => toPrincipal(text) !== undefined,
    'must be public, user:<e-mail>, user:<source>:<id> or group:<source>:<id>',
  );
