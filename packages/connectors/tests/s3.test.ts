import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type S3Server, type S3ServerOptions, startS3Server } from '@lectern/testing';
import { s3Type } from '#s3/s3-type';
import { openType } from './support/open-type.ts';
import { call, collect, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const open: { server: S3Server; host: TestHost }[] = [];
afterEach(async () => {
  for (const { server, host } of open.splice(0)) {
    await server.stop();
    await host.close();
  }
});

async function start(options: S3ServerOptions = {}, config: Record<string, unknown> = {}) {
  const server = await startS3Server(options);
  const host = createTestHost({ allow: '127.0.0.1', maxItemBytes: 1_000 });
  open.push({ server, host });
  const { accessKeyId, secretAccessKey, bucket, region } = server;
  const settings = { bucket, region, endpoint: server.origin, ...config };
  return { server, connector: openType(s3Type, settings, { accessKeyId, secretAccessKey }, host) };
}

const ODD = [
  'with space.txt',
  'plus+and&amp;.txt',
  'percent%20.txt',
  'percent%zz.txt',
  'question?#hash.txt',
  'quote"\'<>.txt',
  'back\\slash.txt',
  'tab\there.txt',
  'control\u0001.txt',
  '日本語/ü~!*().txt',
  '🚀.txt',
  'a//b.txt',
  './dot/../up.txt',
];

describe('S3', () => {
  it.each([true, false])('lists and reads all kinds of keys (encoded by the server: %s)', async (encodesKeys) => {
    const { server, connector } = await start({ encodesKeys, pageSize: 4 });
    const keys = ODD.filter((key) => encodesKeys || !key.includes('\u0001'));
    for (const key of keys) server.put(key, `at ${key}`);
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ id }) => id).sort()).toEqual([...keys].sort());
    for (const ref of refs) {
      expect(await textOf(connector, ref)).toBe(`at ${ref.id}`);
      expect(await connector.resolve(call, ref.id)).toMatchObject({ id: ref.id, version: ref.version });
      expect(URL.canParse(ref.url ?? '')).toBe(true);
    }
  });

  it.each(['docs', 'docs/', '/docs/'])('treats the prefix %s as a folder', async (prefix) => {
    const { server, connector } = await start({}, { prefix });
    for (const key of ['docs/a', 'docs/sub/b', 'docs/', 'docs2/c', 'docs', 'other']) server.put(key, key);
    expect(idsOf(await collect(connector.list(call)))).toEqual(['docs/a', 'docs/sub/b']);
    expect(await connector.resolve(call, 'docs2/c')).toBeNull();
    const body = (async function* () {
      yield Buffer.from('new');
    })();
    const put = await connector.put!(call, { path: 'x.md', body, metadata: { author: 'Adé' } });
    expect(put).toMatchObject({ id: 'docs/x.md', sizeBytes: 3 });
    expect(await connector.fetch(call, put)).toMatchObject({ metadata: { author: 'Adé' }, version: put.version });
    await connector.remove!(call, 'docs2/c');
    expect(server.objects.has('docs2/c')).toBe(true);
  });

  it('continues after a token has expired, without losing items', async () => {
    const { server, connector } = await start({ pageSize: 3 });
    for (let n = 0; n < 10; n += 1) server.put(`k${n}`, 'x');
    const events = await collect(connector.list(call));
    server.expireTokens();
    const at = events.findLast((event) => event.type === 'checkpoint')?.at;
    const rest = await collect(connector.list(call, at));
    expect(idsOf(rest)).toHaveLength(10);
    expect(rest.at(-1)).toEqual({ type: 'complete', authoritative: true });
  });

  it('waits while S3 limits the request rate', async () => {
    const { server, connector } = await start();
    server.fail(() => ({ kind: 'status', status: 503, retryAfter: '120' }));
    const error = await collect(connector.list(call)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
    server.fail((_request, number) => (number < 3 ? { kind: 'status', status: 503, retryAfter: '0' } : undefined));
    expect(await collect(connector.list(call))).toHaveLength(1);
  });

  it('decompresses compressed objects', async () => {
    const { server, connector } = await start();
    server.put('a.txt', gzipSync('plain '.repeat(50)), { contentEncoding: 'gzip' });
    server.put('b.txt', 'not compressed', { contentEncoding: 'gzip' });
    const [good, bad] = refsOf(await collect(connector.list(call)));
    expect(await textOf(connector, good!)).toBe('plain '.repeat(50));
    await expect(textOf(connector, bad!)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('does not store a file that is shorter than declared', async () => {
    const { server, connector } = await start();
    const half = async function* () {
      yield Buffer.from('half');
    };
    const broken = async function* () {
      yield* half();
      throw new Error('the upload was interrupted');
    };
    const body = half();
    const put = connector.put!(call, { path: 'x', body: broken(), sizeBytes: 8, metadata: {} });
    await expect(put).rejects.toThrow('the upload was interrupted');
    await expect(connector.put!(call, { path: 'x', body, sizeBytes: 8, metadata: {} })).rejects.toMatchObject({
      name: 'SourceError',
    });
    expect(server.objects.size).toBe(0);
  });

  it('reports how to read an archived object', async () => {
    const { server, connector } = await start();
    server.put('old.txt', 'x', { storageClass: 'GLACIER' });
    const [ref] = refsOf(await collect(connector.list(call)));
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('Restore'),
    });
  });

  it('tests step by step and names the failed step', async () => {
    const wrongRegion = await start({}, { region: 'us-west-1' });
    expect((await wrongRegion.connector.test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringContaining('eu-central-1'),
    });
    const noBucket = await start({}, { bucket: 'none-such' });
    expect((await noBucket.connector.test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringContaining('bucket does not exist'),
    });
    const { server, connector } = await start();
    server.put('secret.txt', 'x');
    server.denyReading('secret');
    expect(await connector.test(call)).toMatchObject([
      { name: 'bucket', ok: true },
      { name: 'listing', ok: true },
      { name: 'reading', ok: false, message: expect.stringContaining('s3:GetObject') },
    ]);
  });

  it('ignores the environment', async () => {
    const { server, connector } = await start();
    const before = { ...process.env };
    process.env.AWS_ACCESS_KEY_ID = 'ENVKEY';
    process.env.AWS_ENDPOINT_URL_S3 = 'http://127.0.0.1:1';
    process.env.AWS_PROFILE = 'none-such';
    try {
      expect(await collect(connector.list(call))).toHaveLength(1);
      expect(server.requests.every(({ headers }) => !headers.authorization?.includes('ENVKEY'))).toBe(true);
    } finally {
      process.env = before;
    }
  });

  it('does not connect to private addresses', async () => {
    const { server } = await start();
    const host = createTestHost();
    const { accessKeyId, secretAccessKey, bucket, region } = server;
    const config = { bucket, region, endpoint: server.origin };
    const connector = openType(s3Type, config, { accessKeyId, secretAccessKey }, host);
    expect((await connector.test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringContaining('EGRESS_ALLOW'),
    });
    await expect(collect(connector.list(call))).rejects.toMatchObject({ kind: 'invalid' });
    expect(server.requests).toHaveLength(0);
    await host.close();
  });

  it('reports invalid settings', () => {
    const issues = (config: unknown) => {
      try {
        s3Type.checkConfig(config);
      } catch (error) {
        return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
      }
      return [];
    };
    expect(issues({})).toEqual(['config.bucket']);
    expect(issues({ bucket: 'a/b', region: 'x.evil.com#', endpoint: 'file:///x', what: 1 }).sort()).toEqual([
      'config.bucket',
      'config.endpoint',
      'config.region',
      'config.what',
    ]);
    expect(issues({ bucket: 'abc', endpoint: 'https://user:pw@x.example' })).toEqual(['config.endpoint']);
    expect(s3Type.checkConfig({ bucket: 'abc' })).toEqual({ bucket: 'abc', region: 'us-east-1' });
  });
});
