/** What comes of a request: the operation's success, or a refusal. */
export type Outcome = 'ok' | '403 forbidden' | '404 not_found';

/** What an operation answers, by who asks. A secret key of the team with full scope is always let in. */
export interface Row {
  readonly publishable: Outcome;
  /** A secret key that reaches no collection. */
  readonly scoped: Outcome;
  /** A secret key of another team, with ids of the first team. */
  readonly otherTeam: Outcome;
}

const row = (publishable: Outcome, scoped: Outcome, otherTeam: Outcome): Row => ({ publishable, scoped, otherTeam });

/** Readable by anyone with a key; what is out of scope or another team's is left out. */
const OPEN_TO_ALL = row('ok', 'ok', 'ok');
/** A record of a collection that may be shown in a browser. */
const SHOWN = row('ok', '403 forbidden', '404 not_found');
/** A record of a collection, for servers. */
const INNER = row('403 forbidden', '403 forbidden', '404 not_found');
/** A list, or something new of one's own. */
const OWN = row('403 forbidden', 'ok', 'ok');
/** What only a key of full scope may do, each team for itself. */
const WHOLE_TEAM = row('403 forbidden', '403 forbidden', 'ok');
/** The same for one record. */
const WHOLE_TEAM_RECORD = row('403 forbidden', '403 forbidden', '404 not_found');
/** Below the team in the path. */
const OF_TEAM = row('403 forbidden', 'ok', '403 forbidden');
/** A conversation of another key. */
const CONVERSATION = row('403 forbidden', '404 not_found', '403 forbidden');

/** Operations that a request for an end user (X-Service-User) may use. All others return 403. */
export const END_USER: ReadonlySet<string> = new Set([
  'post /api/v1/search',
  'post /api/v1/search/faceted',
  'post /v1/docs/search',
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
export const NO_KEY: readonly string[] = ['get /healthz', 'get /readyz', 'get /api/v1/oauth/callback/{provider}'];

/** Who may do what: a row for each operation that needs a key. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'post /api/v1/search': OPEN_TO_ALL,
  'post /api/v1/search/faceted': OPEN_TO_ALL,
  'post /v1/docs/search': OPEN_TO_ALL,
  'get /api/v1/key': OPEN_TO_ALL,
  'get /api/v1/collections': OPEN_TO_ALL,
  'get /api/v1/collections/{id}': SHOWN,
  'get /api/v1/documents/{id}': SHOWN,
  'get /api/v1/documents/{id}/content': SHOWN,
  'get /api/v1/documents/{id}/summary': SHOWN,

  'get /api/v1/api-keys': WHOLE_TEAM,
  'post /api/v1/api-keys': WHOLE_TEAM,
  'get /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'put /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'delete /api/v1/api-keys/{id}': WHOLE_TEAM_RECORD,
  'post /api/v1/api-keys/{id}/rotate': WHOLE_TEAM_RECORD,
  'get /api/v1/audit': WHOLE_TEAM,
  'post /api/v1/analytics/events': OWN,
  'get /api/v1/analytics/events': OWN,
  'get /api/v1/analytics/usage': WHOLE_TEAM,

  'post /api/v1/teams/{teamId}/chat': OF_TEAM,
  'post /api/v1/teams/{teamId}/chat/stream': OF_TEAM,
  'get /api/v1/teams/{teamId}/conversations': OF_TEAM,
  'get /api/v1/teams/{teamId}/conversations/{id}': CONVERSATION,
  'delete /api/v1/teams/{teamId}/conversations/{id}': CONVERSATION,
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate': CONVERSATION,
  'post /api/v1/teams/{teamId}/conversations/{id}/regenerate/stream': CONVERSATION,

  'get /api/v1/models': OWN,

  'get /api/v1/agents': OWN,
  'post /api/v1/agents': OWN,
  'get /api/v1/agents/{id}': INNER,
  'put /api/v1/agents/{id}': INNER,
  'delete /api/v1/agents/{id}': INNER,
  'get /api/v1/agents/{id}/memories': INNER,
  'post /api/v1/agents/{id}/memories': INNER,
  'get /api/v1/agents/{id}/memories/search': INNER,
  'get /api/v1/agents/{id}/memories/{memoryId}': INNER,
  'put /api/v1/agents/{id}/memories/{memoryId}': INNER,
  'delete /api/v1/agents/{id}/memories/{memoryId}': INNER,
  'post /api/v1/agents/{id}/execute/stream': INNER,
  'get /api/v1/agents/{id}/runs': INNER,
  'get /api/v1/agents/{id}/runs/{runId}': INNER,
  'post /api/v1/agents/{id}/runs/{runId}/cancel': INNER,
  'get /api/v1/agent-templates': OWN,
  'get /api/v1/agent-templates/{id}': OWN,
  'post /api/v1/agents/from-template/{templateId}': OWN,

  'post /api/v1/collections': WHOLE_TEAM,
  'put /api/v1/collections/{id}': INNER,
  'delete /api/v1/collections/{id}': INNER,
  'post /api/v1/collections/{id}/refresh-stats': INNER,
  'get /api/v1/collections/{id}/documents': INNER,
  'post /api/v1/collections/{id}/documents': INNER,
  'delete /api/v1/documents/{id}': INNER,

  'get /api/v1/connectors': OWN,
  'post /api/v1/connectors': INNER,
  'get /api/v1/connectors/{id}': INNER,
  'put /api/v1/connectors/{id}': INNER,
  'delete /api/v1/connectors/{id}': INNER,
  'post /api/v1/connectors/test': OWN,
  'post /api/v1/connectors/{id}/test': INNER,
  'post /api/v1/connectors/{id}/refresh-permissions': INNER,
  'post /api/v1/oauth/init': INNER,
  'get /api/v1/connectors/{id}/sync': INNER,
  'post /api/v1/connectors/{id}/sync': INNER,
  'get /api/v1/connectors/{id}/sync/{jobId}': INNER,
  'delete /api/v1/connectors/{id}/sync/{jobId}': INNER,
  'get /api/v1/connectors/{id}/sync/{jobId}/events': INNER,
  'get /api/v1/connectors/{id}/documents': INNER,
  'get /api/v1/connectors/{id}/documents/{documentId}': INNER,
  'delete /api/v1/connectors/{id}/documents/{documentId}': INNER,
  'get /api/v1/connectors/{id}/files': INNER,
  'delete /api/v1/connectors/{id}/files': INNER,
  'post /api/v1/connectors/{id}/files/upload': INNER,
};
