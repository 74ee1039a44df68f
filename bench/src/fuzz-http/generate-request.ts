import { createHmac } from 'node:crypto';
import { between, createRandom, type Random } from '#corpus/random';
import { encodeBody } from '#fuzz-http/encode-body';
import { filterValue } from '#fuzz-http/filters';
import { multipart } from '#fuzz-http/multipart';
import { mutateJson } from '#fuzz-http/mutate-json';
import { type KnownIds, sampleSchema } from '#fuzz-http/sample-schema';
import type { Operation, Specification } from '#fuzz-http/specification';
import { chance, distinctWords, oddValue, pick, textValue } from '#fuzz-http/values';

/** Records of the system that requests can refer to. */
export interface Fixtures {
  readonly teamId: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly scopedKey: string;
  /** Records that must remain. */
  readonly preserved: KnownIds;
  /** Records that requests can delete, revoke or replace. */
  readonly expendable: KnownIds;
}

/** A request to send. */
export interface FuzzRequest {
  readonly index: number;
  readonly operation: string;
  readonly keyKind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
  /** True if the response is a stream that lasts as long as a job. */
  readonly isStream: boolean;
}

const DESTRUCTIVE = /^(delete|revoke|rotate|update)/;
const PREFIX_BY_SEGMENT: Readonly<Record<string, string>> = {
  'api-keys': 'key',
  collections: 'col',
  documents: 'doc',
  connectors: 'con',
  agents: 'agent',
  conversations: 'conv',
  memories: 'mem',
  sync: 'job',
  runs: 'run',
};

const ODD_SEGMENTS = [
  'col_01h455vb4pex5vsknk084sn02q',
  'test',
  '%00',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%ff%fe',
  '%f0%9f%a6%8a',
  '__proto__',
  'constructor',
  "'%20OR%201=1--",
  '%',
  '%zz',
  `${'a'.repeat(4_000)}`,
  '%20',
  '.',
  ';a=b',
] as const;

function pathOf(random: Random, { id, path }: Operation, fixtures: Fixtures): string {
  const ids = DESTRUCTIVE.test(id) ? fixtures.expendable : fixtures.preserved;
  return path.replaceAll(/([^/]+)\/\{(\w+)\}/g, (_match, segment: string, name: string) => {
    if (chance(random, 0.08)) return `${segment}/${pick(random, ODD_SEGMENTS)}`;
    if (name === 'teamId') return `${segment}/${fixtures.teamId}`;
    const known = ids[PREFIX_BY_SEGMENT[segment] ?? segment] ?? [];
    return `${segment}/${known[between(random, 0, Math.max(0, known.length - 1))] ?? pick(random, ODD_SEGMENTS)}`;
  });
}

function queryOf(random: Random, { query }: Operation, specification: Specification, { preserved }: Fixtures): string {
  if (chance(random, 0.05)) {
    return `?${pick(random, [
      'page=1&page=2&limit[]=3',
      `limit=${'9'.repeat(5_000)}`,
      Array.from({ length: 1_500 }, (_, at) => `a${at}=${at}`).join('&'),
      '&'.repeat(8_000),
      '%',
      '__proto__[x]=1&constructor=2',
      `q=${'%F0%9F%A6%8A'.repeat(800)}`,
      'page=%00&from=%ff',
      '?'.repeat(2_000),
    ])}`;
  }
  const sent = Object.entries(query).filter(() => chance(random, 0.5));
  const pairs = sent.map(([name, schema]) => {
    const value = chance(random, 0.85)
      ? sampleSchema(schema, specification, preserved, random, name)
      : oddValue(random);
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(value).slice(0, 1_500).toWellFormed())}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Generates a message of the Model Context Protocol, or a list of them. */
function mcpMessage(random: Random, ids: KnownIds): unknown {
  const id = between(random, 0, 9);
  const tool = pick(random, ['search', 'get_document', 'list_collections', 'ask', 'none']);
  const args = {
    search: { query: textValue(random), filters: filterValue(random), limit: between(random, 0, 21) },
    get_document: { id: ids.doc?.[0] ?? 'x', offset: between(random, -1, 2 ** 31), maxCharacters: 200_000 },
    list_collections: {},
    ask: { question: textValue(random, 4_000) },
    none: oddValue(random),
  }[tool];
  const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } };
  return pick<() => unknown>(random, [
    () => call,
    () => call,
    () => call,
    () => ({ jsonrpc: '2.0', id, method: 'tools/list' }),
    () => ({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
    () => Array.from({ length: between(random, 0, 500) }, () => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    () => ({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    () => ({ jsonrpc: '2.0', id, method: textValue(random), params: oddValue(random) }),
    () => ({ jsonrpc: '2.0', id, result: oddValue(random) }),
  ])();
}

/** Connectors would call external platforms: only local ones are generated. */
function stayInside(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value;
  return { ...value, type: pick(random, ['upload', 'upload', 'ftp', '', 5]) };
}

function bodyValue(
  random: Random,
  operation: Operation,
  specification: Specification,
  { preserved }: Fixtures,
): unknown {
  if (operation.id === 'mcp') return mcpMessage(random, preserved);
  const value = sampleSchema(operation.body ?? {}, specification, preserved, random);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isSearch = 'query' in value;
  const query = chance(random, 0.5) ? textValue(random) : distinctWords(random);
  return stayInside(random, isSearch && chance(random, 0.5) ? { ...value, query } : value);
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json, application/json',
  ';',
  `application/json; ${'a=b;'.repeat(1_000)}`,
] as const;

const ODD_HEADERS: readonly [
  (random: Random) => Record<string, string | string[]>,
  ...((random: Random) => Record<string, string | string[]>)[],
] = [
  (random) => ({
    'X-Service-User': pick(random, [
      'ada@example.com',
      'nonsense',
      `${'a'.repeat(5_000)}@b`,
      `a@${'a-'.repeat(2_000)}`,
    ]),
  }),
  (random) => ({ 'Idempotency-Key': pick(random, ['k1', 'k2', 'x'.repeat(300), '\u00e9']) }),
  () => ({ 'X-Forwarded-For': Array.from({ length: 500 }, (_, at) => `10.0.${at % 256}.1`).join(', ') }),
  () => ({ Cookie: Array.from({ length: 400 }, (_, at) => `c${at}=${at}`).join('; ') }),
  () => ({ Cookie: '=;'.repeat(3_000) }),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`X-Odd-${at}`, `${at}`])),
  () => ({ 'X-Long': 'x'.repeat(14_000) }),
  () => ({ 'X-Too-Long': 'x'.repeat(40_000) }),
  (random) => ({ Origin: pick(random, ['null', 'https://evil.test', `https://${'a.'.repeat(1_000)}test`, ':']) }),
  (random) => ({
    Referer: pick(random, ['https://example.com/docs', `https://example.com/${'a/'.repeat(2_000)}`, 'x']),
  }),
  (random) => ({ 'Last-Event-ID': pick(random, ['1', '-1', 'x'.repeat(1_000), '9'.repeat(30)]) }),
  (random) => ({ Accept: pick(random, ['*/*', 'text/event-stream', ',;q='.repeat(1_000), '']) }),
  () => ({ 'Accept-Encoding': 'gzip;q=0.1,'.repeat(1_000) }),
  () => ({ Range: 'bytes=0-1,'.repeat(500) }),
  () => ({ 'If-None-Match': '"a",'.repeat(2_000) }),
  () => ({ 'If-Match': '*', Expect: '100-continue' }),
  (random) => ({ 'X-Service-Timestamp': String(between(random, 0, 2 ** 31)), 'X-Service-Signature': 'a'.repeat(64) }),
];

function keyHeaders(
  random: Random,
  fixtures: Fixtures,
  operation: Operation,
): { kind: string; headers: Record<string, string> } {
  const likely = operation.id.startsWith('search') ? 0.6 : 0.2;
  const roll = random();
  const { publishableKey, secretKey, scopedKey } = fixtures;
  if (roll < 0.02) return { kind: 'none', headers: {} };
  if (roll < 0.04) {
    const odd = pick(random, [
      'x',
      'lectern_sk_'.padEnd(60, 'A'),
      `lectern_pk_${'0'.repeat(49)}`,
      'x'.repeat(9_000),
      '\u00e9',
    ]);
    return { kind: 'odd', headers: { 'X-Service-Key': odd } };
  }
  if (roll < 0.04 + likely) return { kind: 'publishable', headers: { 'X-Service-Key': publishableKey } };
  if (roll < 0.1 + likely) return { kind: 'scoped secret', headers: { 'X-Service-Key': scopedKey } };
  return { kind: 'secret', headers: { Authorization: `Bearer ${secretKey}` } };
}

const METHODS = [
  'PATCH',
  'TRACE',
  'PROPFIND',
  'OPTIONS',
  'HEAD',
  'DELETE',
  'PUT',
  'POST',
  'GET',
  'SEARCH',
  'PURGE',
] as const;

/**
 * Generates the request with a number. Deterministic for the same seed, operations and fixtures.
 */
export function generateRequest(
  seed: number,
  index: number,
  specification: Specification,
  fixtures: Fixtures,
): FuzzRequest {
  const random = createRandom(seed * 1_000_003 + index);
  // The first values of similar seeds are correlated, so they are skipped.
  for (let n = 0; n < 5; n += 1) random();
  const { operations } = specification;
  const operation = operations[index % operations.length];
  if (operation === undefined) throw new Error('The OpenAPI document describes no operation.');
  const { kind, headers } = keyHeaders(random, fixtures, operation);
  const path = `${pathOf(random, operation, fixtures)}${queryOf(random, operation, specification, fixtures)}`;
  const isOtherMethod = chance(random, 0.02);
  const extra = chance(random, 0.15) ? pick(random, ODD_HEADERS)(random) : {};
  const { body, bodyHeaders } = makeBody(random, operation, specification, fixtures);
  const signed = kind === 'secret' && chance(random, 0.05) ? signature(random, fixtures.secretKey, body) : {};
  const mcp = operation.id === 'mcp' ? { Accept: 'application/json, text/event-stream' } : {};
  return {
    index,
    operation: operation.id,
    keyKind: kind,
    method: isOtherMethod ? pick(random, METHODS) : operation.method,
    path,
    headers: { ...mcp, ...headers, ...bodyHeaders, ...signed, ...extra },
    body,
    isStream: operation.isStream,
  };
}

function makeBody(random: Random, operation: Operation, specification: Specification, fixtures: Fixtures) {
  if (operation.mediaType === undefined && chance(random, 0.95)) return { body: undefined, bodyHeaders: {} };
  const form = operation.mediaType === 'multipart/form-data' ? multipart(random) : undefined;
  const text = form?.text ?? mutateJson(random, bodyValue(random, operation, specification, fixtures));
  const { bytes, contentEncoding } = encodeBody(random, Buffer.from(text));
  const contentType = chance(random, 0.04) ? pick(random, CONTENT_TYPES) : (form?.contentType ?? 'application/json');
  const encoding = contentEncoding === undefined ? {} : { 'Content-Encoding': contentEncoding };
  return { body: bytes, bodyHeaders: { 'Content-Type': contentType, ...encoding } };
}

function signature(random: Random, secretKey: string, body: Buffer = Buffer.alloc(0)): Record<string, string> {
  const timestamp = String(Date.now());
  const over = chance(random, 0.5) ? body : Buffer.from('other');
  const digest = createHmac('sha256', secretKey).update(`${timestamp}.`).update(over).digest('hex');
  return { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': digest };
}
