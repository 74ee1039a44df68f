import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lectern/service-kit';
import express from 'express';
import { consoleRouter } from '#console/console-router';
import { errorHandler, unknownPath } from '#http/errors';
import { requestId, securityHeaders } from '#http/headers';

describe('the console at /console and the reference at /docs', () => {
  let dir: string;
  let server: Server;
  let url: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'console-'));
    const app = express();
    app.use(requestId, securityHeaders, consoleRouter(join(dir, 'dist')), unknownPath);
    app.use(errorHandler(createLogger({ service: 'gateway', level: 'silent' })));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await rm(dir, { recursive: true });
  });

  async function build(): Promise<void> {
    await mkdir(join(dir, 'dist/assets'), { recursive: true });
    await writeFile(join(dir, 'dist/index.html'), '<meta name="csp-nonce" content="" /><p>The console</p>');
    await writeFile(join(dir, 'dist/reference.html'), '<p>The reference</p>');
    await writeFile(join(dir, 'dist/assets/index-1.js'), 'export {};');
  }

  it('reports that it is being built until it is available, without a restart', async () => {
    const early = await fetch(`${url}/console`);
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).toBe('2');
    expect(await early.text()).toContain('being built');
    await build();
    const late = await fetch(`${url}/console`);
    expect(late.status).toBe(200);
    expect(await late.text()).toContain('The console');
  });

  it('returns the reference with scripts and requests of its own origin only', async () => {
    expect((await fetch(`${url}/docs`)).status).toBe(503);
    await build();
    const response = await fetch(`${url}/docs`);
    expect(await response.text()).toContain('The reference');
    const policy = String(response.headers.get('content-security-policy'));
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect((await fetch(`${url}/docs/more`)).status).toBe(404);
  });

  it('returns the same file for every page, uncached and with a new nonce each time', async () => {
    await build();
    const nonces = await Promise.all(
      ['/console', '/console/', '/console/search?q=a', '/console/agents/agt_1'].map(async (path) => {
        const response = await fetch(`${url}${path}`);
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(response.headers.get('cache-control')).toBe('no-store');
        const nonce = /content="([^"]{16,})"/.exec(await response.text())?.[1] ?? 'none';
        expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(4);
  });

  it('lets pages load and call only their own origin, and forbids framing', async () => {
    await build();
    const policy = (await fetch(`${url}/console`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  });

  it('lets browsers cache assets permanently, and returns an error for assets of an earlier build', async () => {
    await build();
    const asset = await fetch(`${url}/console/assets/index-1.js`);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toContain('javascript');
    for (const path of ['assets/index-0.js', 'assets/', 'assets/..%2findex.html', 'assets/%00', 'favicon.svg']) {
      const response = await fetch(`${url}/console/${path}`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).toContain('"error"');
    }
  });

  it('compresses assets, and reads each file only once', async () => {
    await build();
    const asset = join(dir, 'dist/assets/index-2.js');
    const script = 'export const days = 30;\n'.repeat(100);
    await writeFile(asset, script);
    const first = await fetch(`${url}/console/assets/index-2.js`, { headers: { 'Accept-Encoding': 'br' } });
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(first.headers.get('vary')).toBe('Accept-Encoding');
    expect(await first.text()).toBe(script);
    await rm(asset);
    const second = await fetch(`${url}/console/assets/index-2.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(second.headers.get('content-encoding')).toBe('gzip');
    expect(await second.text()).toBe(script);
  });

  it('rejects other methods', async () => {
    await build();
    const response = await fetch(`${url}/console/search`, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('lists its methods for pages and assets', async () => {
    await build();
    for (const path of ['/console', '/console/search', '/console/assets/index-1.js']) {
      const response = await fetch(`${url}${path}`, { method: 'OPTIONS' });
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
        status: 204,
        allow: 'GET, HEAD, OPTIONS',
      });
    }
  });
});
