import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import type { Replica } from './support/replica.ts';
import { signedHeaders } from './support/sign.ts';

let gateway: TestGateway;
let replica: Replica;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
  key = gateway.keys.secretKey;
});
afterAll(() => gateway.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const SEARCH = '/api/v1/search';
const COLLECTIONS = '/api/v1/collections';
const UPLOAD = `/api/v1/connectors/${KNOWN.connector}/files/upload`;

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  gateway.send('POST', path, { body, headers: { ...JSON_TYPE, ...headers } });
const search = (headers: Record<string, string>, body = '{"query":"café"}') => post(SEARCH, body, headers);
const expectInvalidSignature = (response: TestResponse) => expectError(response, 401, 'invalid_signature');

describe('a signed request', () => {
  const body = '{"query":"café"}';

  it('is accepted within five minutes of its timestamp, and rejected beyond', async () => {
    for (const seconds of [-299, 0, 299]) {
      expect((await search(signedHeaders(key, body, Date.now() + seconds * 1_000))).status).toBe(200);
    }
    for (const seconds of [-301, 301])
      expectInvalidSignature(await search(signedHeaders(key, body, Date.now() + seconds * 1_000)));
  });

  it('must be signed over the exact bytes of the body', async () => {
    const headers = signedHeaders(key, body);
    for (const altered of ['{"query":"cafe"}', `${body} `, '{"query":"café","limit":1}', '']) {
      expectInvalidSignature(await search(headers, altered));
    }
    expectInvalidSignature(await search(signedHeaders(gateway.otherKeys.secretKey, body)));
    const compressed = new Uint8Array(gzipSync(body));
    const encoding = { 'Content-Encoding': 'gzip' };
    expect((await post(SEARCH, compressed, { ...signedHeaders(key, compressed), ...encoding })).status).toBe(200);
    expectInvalidSignature(await post(SEARCH, compressed, { ...signedHeaders(key, body), ...encoding }));
  });

  it('must have both headers in a valid format', async () => {
    const { 'X-Service-Timestamp': timestamp = '', 'X-Service-Signature': signature = '' } = signedHeaders(key, body);
    const wrong = [
      { 'X-Service-Timestamp': timestamp },
      { 'X-Service-Signature': signature },
      { 'X-Service-Timestamp': '', 'X-Service-Signature': signature },
      { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': '' },
      ...[
        signature.slice(1),
        `${signature}0`,
        signature.replace(/./, 'g'),
        `0x${signature.slice(2)}`,
        'x',
        '\u00e9',
      ].map((text) => ({ 'X-Service-Timestamp': timestamp, 'X-Service-Signature': text })),
      ...[
        timestamp.slice(0, 10),
        `${timestamp}0`,
        ` ${timestamp}.0`,
        '1e12',
        'now',
        '-170000000000',
        '0000000000000',
      ].map((text) => ({ 'X-Service-Timestamp': text, 'X-Service-Signature': signature })),
    ];
    for (const headers of wrong) expectInvalidSignature(await search(headers));
  });

  it('signs an empty string if it has no body', async () => {
    const get = (headers: Record<string, string>) => gateway.send('GET', COLLECTIONS, { headers });
    expect((await get(signedHeaders(key, ''))).status).toBe(200);
    expectInvalidSignature(await get(signedHeaders(key, '{}')));
    const path = `${COLLECTIONS}/${KNOWN.collection}/refresh-stats`;
    expect((await gateway.send('POST', path, { headers: signedHeaders(key, '') })).status).toBe(200);
  });

  it('passes no files on before the signature is verified', async () => {
    const form = [
      '--x',
      'Content-Disposition: form-data; name="files"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'Thirty days.'.repeat(20_000),
      '--x--',
      '',
    ].join('\r\n');
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const upload = (sent: string, signed: string) =>
      gateway.send('POST', UPLOAD, { body: sent, headers: { ...signedHeaders(key, signed), ...type } });
    gateway.services.uploads.length = 0;
    expectInvalidSignature(await upload(form.replace('Thirty', 'Forty!'), form));
    expect(gateway.services.uploads).toEqual([]);
    expect((await upload(form, form)).status).toBe(202);
    expect(gateway.services.uploads).toEqual([expect.objectContaining({ ended: true })]);
  });

  it('is rejected with a publishable key', async () => {
    const { publishableKey } = gateway.keys;
    const headers = { ...JSON_TYPE, ...signedHeaders(publishableKey, body) };
    expectInvalidSignature(await gateway.send('POST', SEARCH, { key: publishableKey, body, headers }));
  });
});

describe('a key pair that requires signatures', () => {
  it('rejects unsigned requests of its secret key, but not of its publishable key', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'strict', { requireSignature: true });
    const as = (key: string, headers = {}) => gateway.send('GET', COLLECTIONS, { key, headers });
    expectInvalidSignature(await as(pair.secretKey));
    expect((await as(pair.secretKey, signedHeaders(pair.secretKey, ''))).status).toBe(200);
    expect((await as(pair.publishableKey)).status).toBe(200);
  });
});

describe('a signed mutation', () => {
  it('takes effect once even if it is sent a hundred times to two gateways', async () => {
    gateway.services.calls.length = 0;
    const body = '{"name":"Once"}';
    const headers = { ...JSON_TYPE, ...signedHeaders(key, body) };
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        send([gateway.url, replica.url][n % 2]!, key, 'POST', COLLECTIONS, { body, headers }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses) if (response.status !== 201) expectInvalidSignature(response);
    expect(gateway.services.calls.filter(({ method }) => method === 'createCollection')).toHaveLength(1);
  });

  it('is distinct for each record, while a search can be repeated', async () => {
    const headers = signedHeaders(key, '');
    const del = (path: string) => gateway.send('DELETE', path, { headers });
    expect((await del(`${COLLECTIONS}/${KNOWN.collection}`)).status).toBe(200);
    expectInvalidSignature(await del(`${COLLECTIONS}/${KNOWN.collection}`));
    expectInvalidSignature(await del(`${COLLECTIONS}/${KNOWN.collection.replace('_', '%5F')}`));
    expectInvalidSignature(await del(`${COLLECTIONS}/${KNOWN.collection}?x=1`));
    expect((await del(`/api/v1/documents/${KNOWN.document}`)).status).toBe(200);
    const body = '{"query":"x"}';
    const signed = signedHeaders(key, body);
    for (let n = 0; n < 3; n += 1) expect((await search(signed, body)).status).toBe(200);
  });

  it('gets the first response if it is signed again with the same Idempotency-Key', async () => {
    const body = '{"name":"Again"}';
    const create = (at: number) =>
      post(COLLECTIONS, body, { ...signedHeaders(key, body, at), 'Idempotency-Key': 'signed-again' });
    gateway.services.calls.length = 0;
    const first = await create(Date.now() - 1);
    const second = await create(Date.now());
    expect(second.json.data).toEqual(first.json.data);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(gateway.services.calls).toHaveLength(1);
  });
});
