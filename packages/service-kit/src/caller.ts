import { Caller as CallerMessage, type Filter, parseFilters } from '@lectern/contracts';
import type { Metadata } from 'nice-grpc-common';
import { AppError, outOfScope } from '#errors/app-error';

const METADATA_KEY = 'lectern-caller-bin';

/** The collections that a caller can access. */
export type CollectionScope = { readonly kind: 'all' } | { readonly kind: 'only'; readonly ids: readonly string[] };

/** On whose behalf a call runs; see proto/lectern/common/v1/caller.proto. */
export interface Caller {
  readonly teamId: string;
  /** The key pair or the signed-in person. Undefined for background work of a service. */
  readonly keyId: string | undefined;
  readonly scope: CollectionScope;
  /** The end user of `X-Service-User` or the signed-in person, a lower-case email address. */
  readonly userEmail: string | undefined;
  /** True for a publishable key: it reads only documents whose principals include `public`. */
  readonly publicOnly?: boolean;
  /** True for a signed-in person whose role may change collections, connectors and agents. */
  readonly mayManage?: boolean;
  /** Principals of the end user's groups at identity providers. */
  readonly groups?: readonly string[];
  /**
   * Conditions that every document must meet, in the language of a search's filters: those of a user
   * token.
   */
  readonly filters?: Filters;
  /** True for a key or a user token without the right `agents`. */
  readonly noAgents?: boolean;
  /** The language that the signed-in person chose, as a BCP 47 tag. */
  readonly language?: string;
}

/** Filters as they are sent, before they are parsed. */
export type Filters = Readonly<Record<string, unknown>>;

/** Returns the caller of a service's background work for a team. It can access the whole team. */
export function systemCaller(teamId: string): Caller {
  return { teamId, keyId: undefined, scope: { kind: 'all' }, userEmail: undefined };
}

/** Throws `forbidden` for calls on behalf of a key or a person: the response is about all teams. */
export function requireBackgroundWork({ keyId, userEmail }: Caller): void {
  if (keyId === undefined && userEmail === undefined) return;
  throw new AppError('forbidden', 'Only background work of the gateway can do this.');
}

/** Returns true if the collection is in the scope of the caller's key. */
export function isInScope(caller: Caller, collectionId: string): boolean {
  return caller.scope.kind === 'all' || caller.scope.ids.includes(collectionId);
}

/** Throws `forbidden` if the collection is outside the scope of the caller's key. */
export function requireInScope(caller: Caller, collectionId: string): void {
  if (!isInScope(caller, collectionId)) throw outOfScope(collectionId);
}

/** Throws `forbidden` for a key with a restricted scope. `action` follows "cannot". */
export function requireFullScope(caller: Caller, action: string): void {
  requireNoFilters(caller, action);
  if (caller.scope.kind === 'only') {
    throw new AppError('forbidden', `An API key that is restricted to some collections cannot ${action}.`);
  }
}

/** Returns true if principals restrict the caller, in addition to the key's scope. */
export function isNarrowedByPrincipals(caller: Caller): boolean {
  return caller.publicOnly === true || caller.userEmail !== undefined;
}

/** Returns true if the caller can access only a part of the team's documents, whoever may read them. */
export function isPartOfTeam({ scope, filters }: Caller): boolean {
  return scope.kind === 'only' || filters !== undefined;
}

/**
 * Returns the conditions that every document of a call must meet, parsed. Throws `forbidden` for
 * conditions that this version does not know: without them the call would see too much.
 */
export function requiredFilter({ filters }: Caller): Filter | undefined {
  const { filter, issues } = parseFilters(filters);
  if (issues.length > 0)
    throw new AppError('forbidden', 'The filters of this user token are invalid. Create a new one.');
  return filter;
}

/**
 * Throws `forbidden` for a caller with conditions that only documents can meet. `action` follows
 * "cannot".
 */
export function requireNoFilters({ filters }: Caller, action: string): void {
  if (filters !== undefined) throw new AppError('forbidden', `A user token with filters cannot ${action}.`);
}

/** Throws `forbidden` for a key or a user token that may not run agents. */
export function requireAgents({ noAgents }: Caller): void {
  if (noAgents !== true) return;
  throw new AppError(
    'forbidden',
    'An agent answers only with a key that has the right "agents". An admin can change the rights of a key on the Keys page of the console, or with PUT /api/v1/api-keys/{id}.',
  );
}

/** Adds the caller to an outgoing call's metadata. */
export function writeCaller(metadata: Metadata, caller: Caller): void {
  const message = CallerMessage.encode({
    teamId: caller.filters === undefined ? caller.teamId : '',
    filteredTeamId: caller.filters === undefined ? '' : caller.teamId,
    filters: caller.filters,
    keyId: caller.keyId ?? '',
    allCollections: caller.scope.kind === 'all',
    collectionIds: caller.scope.kind === 'all' ? [] : [...caller.scope.ids],
    userEmail: caller.userEmail ?? '',
    publicOnly: caller.publicOnly ?? false,
    mayManage: caller.mayManage ?? false,
    groups: [...(caller.groups ?? [])],
    noAgents: caller.noAgents ?? false,
    language: caller.language ?? '',
  });
  metadata.set(METADATA_KEY, message.finish());
}

/** Reads the caller from an incoming call's metadata. Throws `unauthorized` if it is missing. */
export function readCaller(metadata: Metadata): Caller {
  const bytes = metadata.get(METADATA_KEY);
  if (bytes === undefined) throw new AppError('unauthorized', 'The call has no caller.');
  const message = CallerMessage.decode(bytes);
  const { filters } = message;
  const teamId = filters === undefined ? message.teamId : message.filteredTeamId;
  if (teamId === '') throw new AppError('unauthorized', 'The call has no team.');
  return {
    teamId,
    keyId: message.keyId === '' ? undefined : message.keyId,
    scope: message.allCollections ? { kind: 'all' } : { kind: 'only', ids: message.collectionIds },
    userEmail: message.userEmail === '' ? undefined : message.userEmail,
    ...(message.publicOnly ? { publicOnly: true } : {}),
    ...(message.mayManage ? { mayManage: true } : {}),
    ...(message.groups.length > 0 ? { groups: message.groups } : {}),
    ...(filters === undefined ? {} : { filters }),
    ...(message.noAgents ? { noAgents: true } : {}),
    ...(message.language === '' ? {} : { language: message.language }),
  };
}

/**
 * Returns true if the caller may change only their own data: an end user, except a signed-in person
 * whose role may manage.
 */
export function isLimitedToOwn({ userEmail, mayManage }: Caller): boolean {
  return userEmail !== undefined && mayManage !== true;
}

/** Throws `forbidden` for an end user, and for a person whose role may not manage. `action` follows "cannot". */
export function requireMayManage(caller: Caller, action: string): void {
  if (!isLimitedToOwn(caller)) return;
  throw new AppError(
    'forbidden',
    `An end user or a person without the role editor cannot ${action}. Send the request without X-Service-User, or ask an admin of your team for the role.`,
  );
}

/**
 * Wraps a handler that end users must not call, because it changes connectors, permissions or other
 * people's data, or shows data that the user cannot read. Throws `forbidden`.
 */
export function notForEndUsers<Q, C extends { readonly caller: Caller }, R>(
  handle: (request: Q, call: C) => R,
): (request: Q, call: C) => R {
  return (request, call) => {
    if (!isLimitedToOwn(call.caller)) return handle(request, call);
    throw new AppError(
      'forbidden',
      'This operation is not available to end users because it affects more than their own data. Send the request without X-Service-User.',
    );
  };
}
