import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './support/api.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const UNKNOWN = '00000000000000000000000000';
const MIB = 1024 * 1024;

/** An invalid request and its error. `names` is the field that the error must name. */
interface InvalidRequest {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: string;
  readonly names?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** TEAM, COLLECTION and CONNECTOR are placeholders for ids. */
const INVALID_REQUESTS: readonly InvalidRequest[] = [
  { what: 'no key', path: '/api/v1/collections', headers: { authorization: '' }, status: 401, code: 'unauthorized' },
  {
    what: 'a key that does not exist',
    path: '/api/v1/collections',
    headers: { authorization: `Bearer lectern_sk_${'A'.repeat(43)}2ipN78` },
    status: 401,
    code: 'invalid_key',
  },
  { what: 'an unknown path', path: '/api/v1/nothing', status: 404, code: 'not_found' },
  { what: 'an unknown collection', path: `/api/v1/collections/col_${UNKNOWN}`, status: 404, code: 'not_found' },
  { what: 'a malformed collection id', path: '/api/v1/collections/%00', status: 404, code: 'not_found' },
  { what: 'an unknown document', path: `/api/v1/documents/doc_${UNKNOWN}/content`, status: 404, code: 'not_found' },
  { what: 'an id of another kind', path: `/api/v1/documents/COLLECTION/summary`, status: 404, code: 'not_found' },
  { what: 'an unknown connector', path: `/api/v1/connectors/con_${UNKNOWN}`, status: 404, code: 'not_found' },
  { what: 'an unknown job', path: `/api/v1/connectors/CONNECTOR/sync/job_${UNKNOWN}`, status: 404, code: 'not_found' },
  {
    what: 'an unknown conversation',
    path: `/api/v1/teams/TEAM/conversations/conv_${UNKNOWN}`,
    status: 404,
    code: 'not_found',
  },
  {
    what: 'the team of another key',
    path: `/api/v1/teams/team_${UNKNOWN}/conversations`,
    status: 403,
    code: 'forbidden',
  },
  {
    what: 'truncated JSON',
    method: 'POST',
    path: '/api/v1/search',
    body: '{"query": "x"',
    headers: JSON_TYPE,
    status: 400,
    code: 'invalid_request',
  },
  {
    what: 'a missing field',
    method: 'POST',
    path: '/api/v1/collections',
    body: {},
    status: 400,
    code: 'invalid_request',
    names: 'name',
  },
  {
    what: 'a wrong type',
    method: 'POST',
    path: '/api/v1/search',
    body: { query: 5 },
    status: 400,
    code: 'invalid_request',
    names: 'query',
  },
  {
    what: 'a wrong type inside a list',
    method: 'POST',
    path: '/api/v1/teams/TEAM/chat',
    body: { message: 'x', collections: ['COLLECTION', 7] },
    status: 400,
    code: 'invalid_request',
    names: 'collections[1]',
  },
  {
    what: 'an unknown field',
    method: 'POST',
    path: '/api/v1/collections',
    body: { name: 'x', nmae: 'y' },
    status: 400,
    code: 'invalid_request',
    names: 'nmae',
  },
  {
    what: 'a connector type that does not exist',
    method: 'POST',
    path: '/api/v1/connectors',
    body: { name: 'x', type: 'ftp', collection: 'COLLECTION' },
    status: 400,
    code: 'invalid_request',
    names: 'type',
  },
  {
    what: 'a page that is not a number',
    path: '/api/v1/collections?page=two',
    status: 400,
    code: 'invalid_request',
    names: 'page',
  },
  {
    what: 'a limit above the maximum',
    path: '/api/v1/collections?limit=101',
    status: 400,
    code: 'invalid_request',
    names: 'limit',
  },
  {
    what: 'an incremental sync without files',
    method: 'POST',
    path: '/api/v1/connectors/CONNECTOR/sync',
    body: { sync_mode: 'incremental' },
    status: 400,
    code: 'invalid_request',
    names: 'file_filter',
  },
  {
    what: 'an oversize body',
    method: 'POST',
    path: '/api/v1/search',
    body: { query: 'x'.repeat(5 * MIB) },
    status: 413,
    code: 'payload_too_large',
  },
  {
    what: 'an unsupported media type',
    method: 'POST',
    path: '/api/v1/search',
    body: 'query: x',
    headers: { 'content-type': 'text/yaml' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'JSON where files are expected',
    method: 'POST',
    path: '/api/v1/connectors/CONNECTOR/files/upload',
    body: { files: [] },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a method that the path does not support',
    method: 'PATCH',
    path: '/api/v1/collections',
    status: 405,
    code: 'method_not_allowed',
  },
];

let lectern: SharedLectern;
let ids: Record<string, string>;

const withIds = (text: string) => text.replace(/TEAM|COLLECTION|CONNECTOR/g, (name) => ids[name] ?? name);

async function send({ method = 'GET', path, body, headers }: InvalidRequest): Promise<Response> {
  const isText = typeof body === 'string' || body === undefined;
  return fetch(`${lectern.baseUrl}${withIds(path)}`, {
    method,
    headers: {
      authorization: `Bearer ${lectern.credentials.secretKey}`,
      ...(isText ? {} : JSON_TYPE),
      ...headers,
    },
    ...(body === undefined ? {} : { body: withIds(isText ? body : JSON.stringify(body)) }),
  });
}

describe('an invalid request', () => {
  beforeAll(async () => {
    lectern = await shareLectern();
    const { api, credentials } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Things' });
    const connector = { name: 'Files', type: 'upload', collection: collection.id };
    const { id } = await api.ok('POST', '/api/v1/connectors', connector);
    ids = { TEAM: credentials.teamId, COLLECTION: collection.id, CONNECTOR: id };
  });

  it.each(INVALID_REQUESTS)('fails with $status $code: $what', async (invalid) => {
    const response = await send(invalid);
    const text = await response.text();
    const { error, meta }: Json = JSON.parse(text);
    expect(error).toMatchObject({ code: invalid.code, message: expect.stringMatching(/^\S.{5,}/) });
    expect(response.status).toBe(invalid.status);
    expect(meta.requestId).toBe(response.headers.get('x-request-id'));
    // No stack, no query, no internal address.
    expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d+|SELECT |127\.0\.0\.1/);
    if (invalid.names === undefined) return;
    expect(error.message).toContain(invalid.names);
    expect(error.details.issues.map(({ path }: Json) => path)).toContain(invalid.names);
  });

  it('does not affect the health of the system', async () => {
    expect((await fetch(`${lectern.baseUrl}/readyz`)).status).toBe(200);
    expect(await lectern.api.all('/api/v1/collections')).toHaveLength(1);
  });
});
