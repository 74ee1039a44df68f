import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Fixtures, generateRequest } from '#fuzz-http/generate-request';
import { readSpecification } from '#fuzz-http/specification';

const text = { type: 'string', maxLength: 100 };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const SPECIFICATION = readSpecification({
  paths: {
    '/api/v1/search': {
      post: {
        operationId: 'searchDocuments',
        requestBody: json({ $ref: '#/components/schemas/Search' }),
      },
    },
    '/api/v1/agents/{id}': { delete: { operationId: 'deleteAgent' } },
    '/api/v1/collections': {
      get: { operationId: 'listCollections', parameters: [{ $ref: '#/components/parameters/Page' }] },
    },
    '/api/v1/connectors/{id}/files/upload': {
      post: { operationId: 'uploadFiles', requestBody: { content: { 'multipart/form-data': { schema: {} } } } },
    },
  },
  components: {
    parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } } },
    schemas: {
      Search: {
        type: 'object',
        required: ['query'],
        properties: { query: text, filters: { type: 'object' }, collections: { type: 'array', items: text } },
        additionalProperties: false,
      },
    },
  },
});

const FIXTURES: Fixtures = {
  teamId: 'team_1',
  secretKey: 'lectern_sk_1',
  publishableKey: 'lectern_pk_1',
  scopedKey: 'lectern_sk_2',
  preserved: { col: ['col_1'], agent: ['agent_1'], con: ['con_1'] },
  expendable: { agent: ['agent_2'] },
};

const requests = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => generateRequest(seed, index, SPECIFICATION, FIXTURES));

/** Signatures contain the time of the request. */
const comparable = (seed: number, count: number) =>
  requests(seed, count)
    .filter(({ headers }) => headers['X-Service-Timestamp'] === undefined)
    .map(({ body, ...rest }) => `${JSON.stringify(rest)} ${hash('sha256', body ?? Buffer.alloc(0))}`);

describe('generated requests', () => {
  it('are the same for the same seed and differ for another', () => {
    const first = comparable(3, 200);
    expect(comparable(3, 200)).toEqual(first);
    expect(comparable(4, 200)).not.toEqual(first);
  });

  it('cover every operation in turn', () => {
    const counts = Map.groupBy(requests(1, 400), ({ operation }) => operation);
    expect([...counts.values()].map(({ length }) => length)).toEqual([100, 100, 100, 100]);
  });

  it('use every kind of key and delete no protected record', () => {
    const all = requests(2, 600);
    expect(new Set(all.map(({ keyKind }) => keyKind))).toEqual(
      new Set(['none', 'odd', 'publishable', 'scoped secret', 'secret']),
    );
    const deletions = all.filter(({ operation }) => operation === 'deleteAgent');
    for (const { path } of deletions) expect(path).not.toContain('agent_1');
  });

  it('contain valid bodies and bodies that no parser accepts', () => {
    const bodies = requests(5, 800).flatMap(({ operation, body, headers }) =>
      operation === 'searchDocuments' && body !== undefined && headers['Content-Encoding'] === undefined
        ? [body.toString()]
        : [],
    );
    const isJson = (body: string) => {
      try {
        JSON.parse(body);
        return true;
      } catch {
        return false;
      }
    };
    const right = bodies.filter(isJson);
    expect(right.length).toBeGreaterThan(80);
    expect(bodies.length - right.length).toBeGreaterThan(8);
  });
});
