import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';

describe('settings', () => {
  it('come from flags, then the environment, then defaults', () => {
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

  it('are refused where a port is none or a flag is unknown', () => {
    expect(() => readSettings(['--port', '70000'], {})).toThrow('from 0 to 65535');
    expect(() => readSettings(['--prot', '1'], {})).toThrow('--prot');
  });
});
