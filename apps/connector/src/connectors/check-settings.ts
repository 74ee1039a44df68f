import type { ConnectorType, Settings } from '@lectern/connectors';
import { AppError, type Issue, invalidRequest } from '@lectern/service-kit';

export interface CheckedSettings {
  readonly config: Settings;
  readonly credentials: Settings;
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value;
}

/** What a check says is wrong. Rethrows what is no `invalid_request`. */
function issuesOf(error: unknown): readonly Issue[] {
  const issues = error instanceof AppError && error.code === 'invalid_request' ? error.details?.issues : undefined;
  if (!Array.isArray(issues)) throw error;
  return issues.filter(isIssue);
}

function attempt(check: () => Settings, issues: Issue[]): Settings {
  try {
    return check();
  } catch (error) {
    issues.push(...issuesOf(error));
    return {};
  }
}

/** A connector's settings as its type keeps them. Throws `invalid_request` that names every field at fault of both. */
export function checkSettings(type: ConnectorType, given: { config: unknown; credentials: unknown }): CheckedSettings {
  const issues: Issue[] = [];
  const config = attempt(() => type.checkConfig(given.config), issues);
  const credentials = attempt(() => type.checkCredentials(given.credentials), issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return { config, credentials };
}
