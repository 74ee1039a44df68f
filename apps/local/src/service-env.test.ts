import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '#config';
import { homeAt } from '#home';
import { REPOSITORY } from '#home-folder';
import { pickSettings, serviceEnv } from '#service-env';
import { COMMON_SETTINGS, SERVICES, type Service } from '#services';

const ADDRESSES = {
  engines: { postgres: 'postgresql://db', nats: 'nats://queue', qdrant: 'http://vectors' },
  ports: { gateway: 1, search: 2, chat: 3, agent: 4, collection: 5, connector: 6 },
};

const envOf = (service: Service, env: NodeJS.ProcessEnv): Record<string, string | undefined> => {
  const config = {
    home: '/home',
    HOST: '127.0.0.1',
    PORT: 0,
    SHUTDOWN_TIMEOUT_MS: 0,
    DRAIN_MS: 0,
    LECTERN_DEV: false,
    env,
  } satisfies Config;
  const engines = Object.fromEntries(service.needs.map((name) => [name, ADDRESSES.engines[name]]));
  return serviceEnv(service, config, homeAt('/home'), { ...ADDRESSES, engines });
};

/** The names of the settings that a service reads: the keys of the object in its config.ts. */
function settingsOf(service: Service): string[] {
  const text = readFileSync(join(REPOSITORY, 'apps', service.name, 'src/config.ts'), 'utf8');
  return [...text.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+)(?=[:,])/gm)].map(([, name]) => String(name));
}

describe('serviceEnv', () => {
  it.each(SERVICES)('passes every setting that $name reads', (service) => {
    const names = settingsOf(service);
    expect(names.length).toBeGreaterThan(2);
    const env = envOf(service, Object.fromEntries(names.map((name) => [name, 'given'])));
    // An external server is passed as the engine's address, with its key.
    expect(names.filter((name) => env[name] === undefined)).toEqual(
      service.needs.includes('qdrant') ? ['QDRANT_API_KEY'] : [],
    );
  });

  it.each(SERVICES)('passes no secret that $name does not use', (service) => {
    const env = envOf(service, {
      ANTHROPIC_API_KEY: 'a',
      GOOGLE_CLIENT_SECRET: 'g',
      SSH_AUTH_SOCK: 's',
      npm_token: 't',
    });
    expect('ANTHROPIC_API_KEY' in env).toBe(['chat', 'agent', 'collection'].includes(service.name));
    expect('GOOGLE_CLIENT_SECRET' in env).toBe(service.name === 'connector');
    expect('DATABASE_URL' in env).toBe(service.name !== 'search');
    expect(env).not.toHaveProperty('SSH_AUTH_SOCK');
    expect(env).not.toHaveProperty('npm_token');
  });
});

describe('pickSettings', () => {
  it('matches exact names, and prefixes of names that end with a star', () => {
    const env = { OTEL_SERVICE_NAME: 'x', OTELX: 'x', PATH: '/bin', PATHS: 'x', EMPTY: undefined };
    expect(pickSettings(env, ['OTEL_*', 'PATH', 'EMPTY'])).toEqual({ OTEL_SERVICE_NAME: 'x', PATH: '/bin' });
    expect(Object.keys(pickSettings({ PATH: '/bin', SECRET: 'x' }, COMMON_SETTINGS))).toEqual(['PATH']);
  });
});
