import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { createDocument } from '#openapi/document';
import { operations } from '#operations';

interface Sampled {
  readonly operationId?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

const sampled = Object.entries(createDocument(operations).paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const { operationId, security = [], 'x-codeSamples': all = [] } = operation as Sampled;
    const source = all.find(({ lang }) => lang === 'shell')?.source;
    return source === undefined ? [] : [{ method, path, operationId, security, source }];
  }),
);

/** Returns the arguments that a shell passes to curl. */
async function argumentsIn(source: string): Promise<readonly string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }; ${source}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  return stdout.split('\0').slice(0, -1);
}

it('sends the method, a complete address and the credentials of each operation with curl', async () => {
  expect(sampled.length).toBeGreaterThan(200);
  for (const { method, path, operationId, security, source } of sampled) {
    const given = await argumentsIn(source);
    const headers = given.filter((_, at) => given[at - 1] === '-H');
    const url = new URL(String(given.find((text) => text.startsWith('http://'))));
    expect(source).not.toMatch(/undefined|\[object/);
    expect(url.pathname.split('/')).toHaveLength(path.split('/').length);
    expect(given[given.indexOf('-X') + 1]).toBe(method === 'get' ? given[0] : method.toUpperCase());
    const takesKey = security.some((scheme) => 'secretKey' in scheme);
    expect({ operationId, key: headers.includes('X-Service-Key: lectern_sk_…') }).toEqual({
      operationId,
      key: takesKey,
    });
    const body = given[given.indexOf('-d') + 1];
    if (given.includes('-d')) expect(() => JSON.parse(String(body))).not.toThrow();
  }
});
