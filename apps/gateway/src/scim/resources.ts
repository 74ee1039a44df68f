import type { z } from 'zod';
import type { Context } from '#context';
import type { ScimCall } from '#scim/context';
import { scimError } from '#scim/errors';
import type { Filter } from '#scim/filter';
import type { Fields, PatchOperation } from '#scim/patch';

/** The part of a list that a response contains, counted from 1. */
export interface Page {
  readonly startIndex: number;
  readonly count: number;
  /** False if the client does not want the members of groups. */
  readonly withMembers: boolean;
}

/** The resources of one type. Each function throws `AppError`. */
export interface Resources {
  list(
    ctx: Context,
    call: ScimCall,
    filter: Filter,
    page: Page,
  ): Promise<{ readonly total: number; readonly resources: readonly Fields[] }>;
  get(ctx: Context, call: ScimCall, id: string): Promise<Fields>;
  create(ctx: Context, call: ScimCall, body: Fields): Promise<Fields>;
  replace(ctx: Context, call: ScimCall, id: string, body: Fields): Promise<Fields>;
  patch(ctx: Context, call: ScimCall, id: string, operations: readonly PatchOperation[]): Promise<Fields>;
  remove(ctx: Context, call: ScimCall, id: string): Promise<void>;
}

/** Checks the fields of a resource. Throws `invalidValue` with their names. */
export function parseResource<T>(schema: z.ZodType<T>, resource: Fields): T {
  const result = schema.safeParse(resource);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'body' : path.join('.')}: ${message}`);
  throw scimError('invalidValue', issues.join('; '));
}
