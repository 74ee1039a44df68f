import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';

describe('settings', () => {
  it('are read from flags, then the environment, then defaults', () => {
    expect(readSettings([], {})).toEqual({ dataDir: 'qdrant-local-data', port: 6333, host: '127.0.0.1' });
    const env = { QDRANT_LOCAL_DATA: '/d', QDRANT_LOCAL_PORT: '1', QDRANT_LOCAL_API_KEY: 'k' };
    expect(readSettings([], env)).toEqual({ dataDir: '/d', port: 1, host: '127.0.0.1', apiKey: 'k' });
    expect(readSettings(['--port', '0', '--host', '::1', '--data', 'x'], env)).toEqual({
      dataDir: 'x',
      port: 0,
      host: '::1',
      apiKey: 'k',
    });
  });

  it('reject an invalid port and an unknown flag', () => {
    expect(() => readSettings(['--port', '70000'], {})).toThrow('from 0 to 65535');
    expect(() => readSettings(['--prot', '1'], {})).toThrow('--prot');
  });

  it('read the key from a file or the environment, but never from an argument', () => {
    const folder = mkdtempSync(join(tmpdir(), 'qdrant-local-key-'));
    try {
      const file = join(folder, 'key');
      writeFileSync(file, 'from the file\n', { mode: 0o600 });
      expect(readSettings(['--api-key-file', file], { QDRANT_LOCAL_API_KEY: 'k' })).toMatchObject({
        apiKey: 'from the file',
      });
      expect(readSettings([], { QDRANT_LOCAL_API_KEY_FILE: file })).toMatchObject({ apiKey: 'from the file' });
      writeFileSync(file, '\n');
      expect(() => readSettings(['--api-key-file', file], {})).toThrow('is empty');
      expect(() => readSettings(['--api-key-file', join(folder, 'none')], {})).toThrow('is unreadable');
      expect(() => readSettings(['--api-key', 'secret'], {})).toThrow(/every user of this machine can read arguments/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('accept additional host names', () => {
    expect(readSettings(['--allowed-hosts', 'a.example, b'], {})).toMatchObject({ allowedHosts: ['a.example', 'b'] });
  });
});
