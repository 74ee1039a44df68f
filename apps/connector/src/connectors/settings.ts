import { isDeepStrictEqual } from 'node:util';
import { type ConnectorType, findConnectorType, type Settings } from '@lectern/connectors';
import { AppError, type Issue, invalidRequest } from '@lectern/service-kit';
import { beingDeleted } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';

// Validation of what a request sends for a connector.

const MAX_NAME_CHARS = 200;

export function nameIssues(name: string): readonly Issue[] {
  if (name.trim() === '') return [{ path: 'name', message: 'must not be empty' }];
  if (name.length <= MAX_NAME_CHARS) return [];
  return [{ path: 'name', message: `must not be longer than ${MAX_NAME_CHARS} characters` }];
}

export interface CheckedSettings {
  readonly config: Settings;
  readonly credentials: Settings;
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value;
}

/** Returns the issues of an `invalid_request`. Rethrows other errors. */
function issuesOf(error: unknown): readonly Issue[] {
  const issues = error instanceof AppError && error.code === 'invalid_request' ? error.details?.issues : undefined;
  if (!Array.isArray(issues)) throw error;
  return issues.filter(isIssue);
}

function collectIssues(check: () => Settings, issues: Issue[]): Settings {
  try {
    return check();
  } catch (error) {
    issues.push(...issuesOf(error));
    return {};
  }
}

/** Validates config and credentials. Throws one `invalid_request` with the issues of both. */
export function checkSettings(type: ConnectorType, input: { config: unknown; credentials: unknown }): CheckedSettings {
  const issues: Issue[] = [];
  const config = collectIssues(() => type.checkConfig(input.config), issues);
  const credentials = collectIssues(() => type.checkCredentials(input.credentials), issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return { config, credentials };
}

/**
 * Throws `invalid_request` if an update would send the stored credentials to a different place,
 * with less protection, or use them to open something else. The caller who changes the address may
 * not know the secret.
 */
export function requireCredentialsAgain(type: ConnectorType, stored: Settings, next: Settings): void {
  const changed = type.endpointFields.filter((field) => !isDeepStrictEqual(stored[field], next[field]));
  if (changed.length === 0) return;
  const fields = changed.map((field) => `config.${field}`).join(' and ');
  throw invalidRequest([
    {
      path: 'credentials',
      message: `must be sent again, because a change of ${fields} changes where the stored credentials are sent or what they give access to`,
    },
  ]);
}

/** Throws `invalid_request` for a type that accepts no items, `conflict` for a connector that is being deleted. */
export function requirePushable(ctx: Context, connector: Connector): void {
  if (!findConnectorType(connector.type, ctx.types).acceptsItems) {
    throw invalidRequest([
      { path: 'connector', message: `has the type ${connector.type}; items can be pushed only to the type custom` },
    ]);
  }
  if (connector.status === 'deleting') throw beingDeleted();
}

/**
 * Throws `invalid_request` for a read-only source, `conflict` for a connector that is being
 * deleted.
 */
export function requireWritable(ctx: Context, connector: Connector): void {
  if (!findConnectorType(connector.type, ctx.types).acceptsFiles) {
    throw invalidRequest([
      { path: 'connector', message: `of type ${connector.type} is read-only; files come from its source` },
    ]);
  }
  if (connector.status === 'deleting') throw beingDeleted();
}
