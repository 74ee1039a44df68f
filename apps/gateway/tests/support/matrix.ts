/** The outcome of a request: the operation's success status, or an error. */
export type Outcome = 'ok' | '403 forbidden' | '404 not_found';

/**
 * The outcome of an operation by key. A secret key of the team with full scope succeeds, except for
 * operations on the account of a person.
 */
export interface Row {
  readonly publishable: Outcome;
  /** A secret key without access to any collection. */
  readonly scoped: Outcome;
  /** A secret key of another team, with ids of the first team. */
  readonly otherTeam: Outcome;
  /** `ok` if omitted. */
  readonly secret?: Outcome;
}

const row = (publishable: Outcome, scoped: Outcome, otherTeam: Outcome): Row => ({ publishable, scoped, otherTeam });

/** Open to every key. Results contain only records that the key can access. */
const OPEN_TO_ALL = row('ok', 'ok', 'ok');
/** A record of a collection that publishable keys can read. */
const PUBLIC_RECORD = row('ok', '403 forbidden', '404 not_found');
/** A record of a collection that only secret keys can access. */
const SECRET_RECORD = row('403 forbidden', '403 forbidden', '404 not_found');
/** A list of accessible records, or a new record of the caller. */
const OWN = row('403 forbidden', 'ok', 'ok');
/** An operation on the whole team that requires full scope. */
const WHOLE_TEAM = row('403 forbidden', '403 forbidden', 'ok');
/** The same for one record of the team. */
const WHOLE_TEAM_RECORD = row('403 forbidden', '403 forbidden', '404 not_found');
/** An operation with the team in its path. */
const OF_TEAM = row('403 forbidden', 'ok', '403 forbidden');
/** The account of the signed-in person. Keys have none. */
const OWN_ACCOUNT: Row = {
  publishable: '403 forbidden',
  scoped: '403 forbidden',
  otherTeam: '403 forbidden',
  secret: '403 forbidden',
};
/** A conversation, which belongs to the key that started it. */
const CONVERSATION = row('403 forbidden', '404 not_found', '403 forbidden');

/** Operations that accept a request for an end user (X-Service-User). All others return 403. */
export const END_USER: ReadonlySet<string> = new Set([
  'post /api/v1/search',
  'post /api/v1/search/faceted',
  'post /v1/docs/search',
  'post /api/v1/search/clicks',
  'get /api/v1/key',
  'get /api/v1/collections',
  'get /api/v1/collections/{id}',
  'get /api/v1/collections/{id}/documents',
  'get /api/v1/documents/{id}',
  'get /api/v1/documents/{id}/content',
  'get /api/v1/documents/{id}/summary',
  'post /api/v1/analytics/events',
  'post /api/v1/teams/{teamId}/chat',
  'post /api/v1/teams/{teamId}/chat/stream',
  'get /api/v1/teams/{teamId}/conversations',
  'get /api/v1/teams/{teamId}/conversations/{id}',
  'delete /api/v1/teams/{teamId}/conversations/{id}',
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate',
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate/stream',
  'post /api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback',
  'delete /api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback',
  'get /api/v1/teams/{teamId}/suggestions',
  'get /api/v1/models',
  'get /api/v1/agents',
  'get /api/v1/agents/{id}',
  'get /api/v1/agents/{id}/memories',
  'get /api/v1/agents/{id}/memories/search',
  'get /api/v1/agents/{id}/memories/{memoryId}',
  'post /api/v1/agents/{id}/execute/stream',
  'get /api/v1/agents/{id}/runs',
  'get /api/v1/agents/{id}/runs/{runId}',
  'post /api/v1/agents/{id}/runs/{runId}/cancel',
  'get /api/v1/agent-templates',
  'get /api/v1/agent-templates/{id}',
  'get /api/v1/connectors',
  'get /api/v1/connectors/{id}',
  'get /api/v1/connectors/{id}/sync',
  'get /api/v1/connectors/{id}/sync/{jobId}',
  'get /api/v1/connectors/{id}/sync/{jobId}/events',
  'get /api/v1/connectors/{id}/documents',
  'get /api/v1/connectors/{id}/documents/{documentId}',
]);

/** Operations that need no key. */
export const NO_KEY: readonly string[] = [
  'get /healthz',
  'get /readyz',
  'get /api/v1/oauth/callback/{provider}',
  'post /api/v1/session',
  'post /api/v1/session/passkey',
  'post /api/v1/session/passkey/options',
  'delete /api/v1/session',
  'post /api/v1/session/password',
  'post /api/v1/account-links/open',
  'post /api/v1/account-links/passkey-options',
  'post /api/v1/account-links/use',
  'get /api/v1/session/providers',
];

/** The access matrix: a row for each operation that requires a key. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'post /api/v1/search': OPEN_TO_ALL,
  'post /api/v1/search/faceted': OPEN_TO_ALL,
  'post /v1/docs/search': OPEN_TO_ALL,
  'post /api/v1/search/clicks': OPEN_TO_ALL,
  'get /api/v1/key': OPEN_TO_ALL,
  'get /api/v1/account': OWN_ACCOUNT,
  'put /api/v1/account': OWN_ACCOUNT,
  'post /api/v1/account/password': OWN_ACCOUNT,
  'post /api/v1/account/passkeys/options': OWN_ACCOUNT,
  'post /api/v1/account/passkeys': OWN_ACCOUNT,
  'delete /api/v1/account/passkeys/{id}': OWN_ACCOUNT,
  'get /api/v1/account/sessions': OWN_ACCOUNT,
  'delete /api/v1/account/sessions': OWN_ACCOUNT,
  'delete /api/v1/account/sessions/{id}': OWN_ACCOUNT,
  'get /api/v1/collections': OPEN_TO_ALL,
  'get /api/v1/collections/{id}': PUBLIC_RECORD,
  'get /api/v1/documents/{id}': PUBLIC_RECORD,
  'get /api/v1/documents/{id}/content': PUBLIC_RECORD,
  'get /api/v1/documents/{id}/summary': PUBLIC_RECORD,

  'get /api/v1/api-keys': WHOLE_TEAM,
  'post /api/v1/api-keys': WHOLE_TEAM,
  'get /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'post /api/v1/api-keys/{id}/rotate': WHOLE_TEAM_RECORD,
  'post /api/v1/user-tokens': OWN,
  'get /api/v1/people': WHOLE_TEAM,
  'get /api/v1/people/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/people/{id}': WHOLE_TEAM_RECORD,
  'post /api/v1/people/{id}/password-reset': WHOLE_TEAM_RECORD,
  'get /api/v1/people/{id}/sessions': WHOLE_TEAM_RECORD,
  'delete /api/v1/people/{id}/sessions': WHOLE_TEAM_RECORD,
  'get /api/v1/invitations': WHOLE_TEAM,
  'post /api/v1/invitations': WHOLE_TEAM,
  'delete /api/v1/invitations/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/scim-tokens': WHOLE_TEAM,
  'post /api/v1/scim-tokens': WHOLE_TEAM,
  'delete /api/v1/scim-tokens/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/groups': WHOLE_TEAM,
  'post /api/v1/groups': WHOLE_TEAM,
  'get /api/v1/groups/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/groups/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/groups/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/groups/{id}/members': WHOLE_TEAM_RECORD,
  'put /api/v1/groups/{id}/members/{personId}': WHOLE_TEAM_RECORD,
  'delete /api/v1/groups/{id}/members/{personId}': WHOLE_TEAM_RECORD,
  'get /api/v1/identity-providers': WHOLE_TEAM,
  'post /api/v1/identity-providers': WHOLE_TEAM,
  'get /api/v1/identity-providers/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/identity-providers/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/identity-providers/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/audit': WHOLE_TEAM,
  'get /api/v1/audit/export': WHOLE_TEAM,
  'post /api/v1/analytics/events': OWN,
  'get /api/v1/analytics/events': OWN,
  'get /api/v1/analytics/usage': WHOLE_TEAM,
  'get /api/v1/search-analytics': WHOLE_TEAM,
  'get /api/v1/search-analytics/queries': WHOLE_TEAM,
  'get /api/v1/analytics/usage/breakdown': WHOLE_TEAM,
  'get /api/v1/budgets': WHOLE_TEAM,
  'get /api/v1/budgets/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/budgets/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/budgets/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/model-prices': WHOLE_TEAM,
  'put /api/v1/model-prices': WHOLE_TEAM,
  'get /api/v1/retention': WHOLE_TEAM,
  'put /api/v1/retention': WHOLE_TEAM,

  'post /api/v1/teams/{teamId}/chat': OF_TEAM,
  'post /api/v1/teams/{teamId}/chat/stream': OF_TEAM,
  'get /api/v1/teams/{teamId}/conversations': OF_TEAM,
  'get /api/v1/teams/{teamId}/conversations/{id}': CONVERSATION,
  'delete /api/v1/teams/{teamId}/conversations/{id}': CONVERSATION,
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate': CONVERSATION,
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate/stream': CONVERSATION,
  'post /api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback': CONVERSATION,
  'delete /api/v1/teams/{teamId}/conversations/{id}/messages/{messageId}/feedback': CONVERSATION,

  'get /api/v1/teams/{teamId}/suggestions': OF_TEAM,
  'get /api/v1/questions': WHOLE_TEAM,
  'put /api/v1/questions/{id}': WHOLE_TEAM_RECORD,
  'get /api/v1/test-cases': WHOLE_TEAM,
  'post /api/v1/test-cases': WHOLE_TEAM,
  'post /api/v1/test-cases/import': WHOLE_TEAM,
  'get /api/v1/test-cases/export': WHOLE_TEAM,
  'get /api/v1/test-cases/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/test-cases/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/test-cases/{id}': WHOLE_TEAM_RECORD,
  'post /api/v1/test-runs': WHOLE_TEAM,
  'get /api/v1/test-runs': WHOLE_TEAM,
  'get /api/v1/test-runs/{id}': WHOLE_TEAM_RECORD,
  'post /api/v1/test-runs/{id}/cancel': WHOLE_TEAM_RECORD,
  'get /api/v1/test-runs/{id}/results': WHOLE_TEAM_RECORD,
  'get /api/v1/test-schedule': WHOLE_TEAM,
  'put /api/v1/test-schedule': WHOLE_TEAM,

  'get /api/v1/models': OWN,

  'get /api/v1/agents': OWN,
  'post /api/v1/agents': OWN,
  'get /api/v1/agents/{id}': SECRET_RECORD,
  'put /api/v1/agents/{id}': SECRET_RECORD,
  'delete /api/v1/agents/{id}': SECRET_RECORD,
  'get /api/v1/agents/{id}/memories': SECRET_RECORD,
  'post /api/v1/agents/{id}/memories': SECRET_RECORD,
  'get /api/v1/agents/{id}/memories/search': SECRET_RECORD,
  'get /api/v1/agents/{id}/memories/{memoryId}': SECRET_RECORD,
  'put /api/v1/agents/{id}/memories/{memoryId}': SECRET_RECORD,
  'delete /api/v1/agents/{id}/memories/{memoryId}': SECRET_RECORD,
  'post /api/v1/agents/{id}/execute/stream': SECRET_RECORD,
  'get /api/v1/agents/{id}/runs': SECRET_RECORD,
  'get /api/v1/agents/{id}/runs/{runId}': SECRET_RECORD,
  'post /api/v1/agents/{id}/runs/{runId}/cancel': SECRET_RECORD,
  'get /api/v1/agent-templates': OWN,
  'get /api/v1/agent-templates/{id}': OWN,
  'post /api/v1/agents/from-template/{templateId}': OWN,

  'post /api/v1/collections': WHOLE_TEAM,
  'put /api/v1/collections/{id}': SECRET_RECORD,
  'delete /api/v1/collections/{id}': SECRET_RECORD,
  'post /api/v1/collections/{id}/refresh-stats': SECRET_RECORD,
  'get /api/v1/collections/{id}/documents': SECRET_RECORD,
  'post /api/v1/collections/{id}/documents': SECRET_RECORD,
  'post /api/v1/collections/{id}/documents/batch': SECRET_RECORD,
  'delete /api/v1/documents/{id}': SECRET_RECORD,

  'get /api/v1/search-models': WHOLE_TEAM,
  'post /api/v1/search-models/{id}/use': WHOLE_TEAM,
  'get /api/v1/synonyms': OWN,
  'post /api/v1/synonyms': SECRET_RECORD,
  'post /api/v1/synonyms/import': SECRET_RECORD,
  'get /api/v1/synonyms/export': WHOLE_TEAM,
  'get /api/v1/synonyms/packs': WHOLE_TEAM,
  'put /api/v1/synonyms/packs/{name}': WHOLE_TEAM,
  'get /api/v1/synonyms/{id}': SECRET_RECORD,
  'put /api/v1/synonyms/{id}': SECRET_RECORD,
  'delete /api/v1/synonyms/{id}': SECRET_RECORD,

  'get /api/v1/connectors': OWN,
  'post /api/v1/connectors': SECRET_RECORD,
  'get /api/v1/connectors/{id}': SECRET_RECORD,
  'put /api/v1/connectors/{id}': SECRET_RECORD,
  'delete /api/v1/connectors/{id}': SECRET_RECORD,
  'post /api/v1/connectors/test': OWN,
  'post /api/v1/connectors/{id}/test': SECRET_RECORD,
  'post /api/v1/connectors/{id}/refresh-permissions': SECRET_RECORD,
  'post /api/v1/oauth/init': SECRET_RECORD,
  'get /api/v1/connectors/{id}/sync': SECRET_RECORD,
  'post /api/v1/connectors/{id}/sync': SECRET_RECORD,
  'get /api/v1/connectors/{id}/sync/{jobId}': SECRET_RECORD,
  'delete /api/v1/connectors/{id}/sync/{jobId}': SECRET_RECORD,
  'get /api/v1/connectors/{id}/sync/{jobId}/events': SECRET_RECORD,
  'get /api/v1/connectors/{id}/documents': SECRET_RECORD,
  'get /api/v1/connectors/{id}/documents/{documentId}': SECRET_RECORD,
  'delete /api/v1/connectors/{id}/documents/{documentId}': SECRET_RECORD,
  'get /api/v1/connectors/{id}/files': SECRET_RECORD,
  'delete /api/v1/connectors/{id}/files': SECRET_RECORD,
  'post /api/v1/connectors/{id}/files/upload': SECRET_RECORD,
};
