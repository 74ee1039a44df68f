import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ensureNatsServer } from '#nats/ensure-nats-server';
import { natsVersion } from '#nats/version';

const folder = mkdtempSync(join(tmpdir(), 'lectern-nats-'));
/** A system port without a server, so the release cannot be downloaded. */
const NOWHERE = 'http://127.0.0.1:2';
const onDebian = existsSync('/usr/bin/apt-get') && existsSync('/var/lib/dpkg/status');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, version: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  const file = join(folder, name, 'nats-server');
  writeFileSync(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('ensureNatsServer', () => {
  it('prefers the first recent enough program on the PATH to the cached one', async () => {
    program('old', '2.8.4');
    const found = program('path', '2.9.0');
    program('cache', '2.11.8');
    const env = { PATH: ['/nowhere', join(folder, 'old'), join(folder, 'path')].join(':') };
    expect(await ensureNatsServer({ cacheDir: join(folder, 'cache'), env })).toBe(found);
  });

  it('uses the cached program if the PATH has none', async () => {
    const cached = program('cache', '2.10.1');
    expect(await ensureNatsServer({ cacheDir: join(folder, 'cache'), env: { PATH: join(folder, 'old') } })).toBe(
      cached,
    );
  });

  (onDebian ? it : it.skip)(
    "uses Debian's package for concurrent callers if the release cannot be downloaded (needs Debian)",
    async () => {
      const cacheDir = join(folder, 'from-apt');
      const stale = join(cacheDir, 'fetching-stale');
      mkdirSync(stale, { recursive: true });
      utimesSync(stale, new Date(0), new Date(0));
      const env = { PATH: '/nowhere', LECTERN_NATS_DOWNLOAD_URL: NOWHERE };
      const found = await Promise.all([ensureNatsServer({ cacheDir, env }), ensureNatsServer({ cacheDir, env })]);
      expect(found).toEqual([join(cacheDir, 'nats-server'), join(cacheDir, 'nats-server')]);
      expect((await natsVersion(join(cacheDir, 'nats-server'))).major).toBe(2);
      expect(readdirSync(cacheDir)).toEqual(['nats-server']);
    },
    60_000,
  );

  it('reports all attempts and instructions if everything fails', async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      const failing = ensureNatsServer({
        cacheDir: join(folder, 'empty'),
        env: { PATH: '/nowhere', LECTERN_NATS_DOWNLOAD_URL: NOWHERE },
      });
      await expect(failing).rejects.toThrow(
        /could not be downloaded:\n- http:.*tar\.gz: .*ECONNREFUSED.*\n- .*\nInstall nats-server 2.9 or later.*NATS_URL/,
      );
      expect(readdirSync(join(folder, 'empty'))).toEqual([]);
    } finally {
      process.env.PATH = path;
    }
  });
});
