import { z } from 'zod';

/** What the API reference says in place of a schema that reads a value out of the text of an address. */
export const wireSchemas = z.registry<{ readonly schema: Readonly<Record<string, unknown>> }>();
