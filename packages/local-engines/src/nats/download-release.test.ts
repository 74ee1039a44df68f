import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { downloadRelease } from '#nats/download-release';
import { PINNED_RELEASE, releasePlatform } from '#nats/release';

const folder = mkdtempSync(join(tmpdir(), 'lectern-release-'));
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An archive like the official one, with a program that prints a version. */
function makeArchive(): Buffer {
  const name = `nats-server-v9.9.9-${releasePlatform()}`;
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'nats-server'), '#!/bin/sh\necho "nats-server: v9.9.9"\n');
  chmodSync(join(folder, name, 'nats-server'), 0o755);
  execFileSync('tar', ['-czf', join(folder, 'archive.tar.gz'), '-C', folder, name]);
  return readFileSync(join(folder, 'archive.tar.gz'));
}

const archive = makeArchive();
const sha256 = createHash('sha256').update(archive).digest('hex');

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

function download(
  baseUrl: string,
  more: { sha256?: string; stallTimeoutMs?: number; totalTimeoutMs?: number; signal?: AbortSignal } = {},
) {
  const release = { version: '9.9.9', sha256: { [releasePlatform()]: more.sha256 ?? sha256 } };
  const target = mkdtempSync(join(folder, 'target-'));
  return {
    target,
    program: downloadRelease({
      stallTimeoutMs: 2_000,
      totalTimeoutMs: 5_000,
      ...more,
      release,
      baseUrl,
      folder: target,
    }),
  };
}

describe('downloadRelease', () => {
  it('follows a redirect, verifies the archive of this platform and unpacks the program', async () => {
    const path = `/v9.9.9/nats-server-v9.9.9-${releasePlatform()}.tar.gz`;
    const requestedUrls: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      requestedUrls.push(request.url);
      if (request.url === path) response.writeHead(302, { location: '/store/archive' }).end();
      else response.end(archive);
    });
    const program = await download(`${url}/`).program;
    expect(requestedUrls).toEqual([path, '/store/archive']);
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toBe('nats-server: v9.9.9\n');
  });

  it('deletes an archive with a wrong SHA-256 without unpacking it', async () => {
    const url = await serve((_, response) => response.end(archive));
    const { target, program } = download(url, { sha256: '0'.repeat(64) });
    await expect(program).rejects.toThrow(`SHA-256 is ${sha256}, not ${'0'.repeat(64)}`);
    expect(readdirSync(target)).toEqual([]);
  });

  it('reports the URL and the status if the archive does not exist', async () => {
    const url = await serve((_, response) => response.writeHead(404).end());
    await expect(download(url).program).rejects.toThrow(new RegExp(`${url}/v9.9.9/.*: HTTP 404`));
  });

  it('times out if the server never responds, stops halfway or is too slow', async () => {
    const silent = await serve(() => undefined);
    await expect(download(silent, { stallTimeoutMs: 100 }).program).rejects.toThrow('no response for 100 ms');
    const halfway = await serve((_, response) =>
      response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 10)),
    );
    await expect(download(halfway, { stallTimeoutMs: 100 }).program).rejects.toThrow('no response for 100 ms');
    const slow = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    await expect(download(slow, { totalTimeoutMs: 300 }).program).rejects.toThrow(/timeout/i);
  });

  it('follows at most five redirects', async () => {
    let hops = 0;
    const url = await serve((_, response) => response.writeHead(302, { location: `/${++hops}` }).end());
    await expect(download(url).program).rejects.toThrow('more than 5 redirects');
    expect(hops).toBe(6);
  });

  it('reports a connection that the server refuses', async () => {
    // A system port without a server.
    await expect(download('http://127.0.0.1:2').program).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects with the reason of its signal', async () => {
    const url = await serve(() => undefined);
    await expect(download(url, { signal: AbortSignal.abort(new Error('stopped manually')) }).program).rejects.toThrow(
      'stopped manually',
    );
  });

  it('has a checksum for every platform with a PostgreSQL package', () => {
    expect(Object.keys(PINNED_RELEASE.sha256).sort()).toEqual([
      'darwin-amd64',
      'darwin-arm64',
      'linux-amd64',
      'linux-arm64',
    ]);
    for (const sum of Object.values(PINNED_RELEASE.sha256)) expect(sum).toMatch(/^[0-9a-f]{64}$/);
    expect(existsSync(folder)).toBe(true);
  });
});
