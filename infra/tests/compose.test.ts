import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { composeService } from '../images/compose-settings.ts';
import type { Manifest } from './support/manifests.ts';
import { CLOSING_MS, ROOT, SERVICES, settingsOf, TELEMETRY } from './support/service-settings.ts';

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const compose: Manifest = parse(text, { merge: true });
const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
const INTERPOLATION = /\$\{(\w+)(:[-?][^}]*)?\}/g;
const required = [...text.matchAll(INTERPOLATION)].flatMap(([, name = '', rest]) =>
  rest?.startsWith(':?') ? [name] : [],
);
/** The settings with the addresses of engines. */
const ENGINES = [
  ['DATABASE_URL', 'postgres'],
  ['NATS_URL', 'nats'],
  ['QDRANT_URL', 'qdrant'],
] as const;

describe('docker-compose.yml', () => {
  it.each(SERVICES)('passes to %s exactly the settings that it reads', (service) => {
    const names = Object.keys(compose.services[service].environment).filter(
      (name) => !TELEMETRY.some((prefix) => name.startsWith(prefix)),
    );
    expect(new Set(names)).toEqual(settingsOf(service));
  });

  it.each(SERVICES)(
    'runs %s without privileges and with a health check, when the engines that it needs are healthy',
    (service) => {
      const { environment, ...definition } = compose.services[service];
      expect(definition).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped', init: true });
      expect(definition.build.args).toEqual({ APP: service });
      expect(definition.healthcheck.test[0]).toBe('CMD');
      for (const [setting, engine] of ENGINES) {
        const needs = setting in environment;
        expect(definition.depends_on[engine]).toEqual(needs ? { condition: 'service_healthy' } : undefined);
      }
      const port = service === 'gateway' ? 8080 : Number(environment.GRPC_ADDRESS.split(':')[1]);
      expect(definition.healthcheck.test.at(-1)).toContain(String(port));
    },
  );

  it.each(SERVICES)('reads from .env where %s sends traces and metrics', (service) => {
    const secrets = Object.fromEntries(required.map((name) => [name, 'x']));
    const byDefault = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' };
    expect(composeService(service, secrets).environment).toMatchObject(byDefault);
    const values = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
      OTEL_METRICS_EXPORTER: 'otlp',
    };
    expect(composeService(service, { ...secrets, ...values }).environment).toMatchObject(values);
  });

  it('gives services more time to stop than their settings allow', () => {
    const byDefault = (path: string, setting: string) =>
      Number(
        new RegExp(`${setting}:.*default\\(([\\d_]+)\\)`)
          .exec(readFileSync(join(ROOT, path), 'utf8'))?.[1]
          ?.replace('_', ''),
      );
    const shutdownMs =
      byDefault('packages/service-kit/src/config.ts', 'SHUTDOWN_TIMEOUT_MS') +
      byDefault('apps/gateway/src/config.ts', 'DRAIN_MS');
    for (const service of SERVICES) {
      const seconds = /^\$\{STOP_GRACE_PERIOD:-(\d+)s\}$/.exec(compose.services[service].stop_grace_period)?.[1];
      expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(shutdownMs + CLOSING_MS);
    }
  });

  it('makes each service listen on the address that the others call', () => {
    for (const service of SERVICES) {
      for (const [name, address] of Object.entries<string>(compose.services[service].environment)) {
        const called = /^(\w+)_ADDRESS$/.exec(name)?.[1]?.toLowerCase();
        if (called === undefined || called === 'grpc') continue;
        expect(compose.services[called].environment.GRPC_ADDRESS).toBe(address.replace(/^\w+/, '0.0.0.0'));
      }
    }
  });

  it('uses existing volumes and files, stores all data in named volumes, and exposes only the gateway', () => {
    const used = new Set<string>();
    for (const { volumes = [], healthcheck, ports = [], image } of Object.values<Manifest>(compose.services)) {
      for (const volume of volumes as string[]) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(join(ROOT, source))).toBe(true);
        else used.add(source);
      }
      expect(image).not.toMatch(/:latest$/);
      expect(healthcheck?.test?.length ?? 2).toBeGreaterThan(1);
      for (const port of ports as string[]) expect(port).toMatch(/^(127\.0\.0\.1:|\$\{PORT)/);
    }
    expect([...used].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('runs Qdrant without root, without capabilities, and with a read-only root', () => {
    const { image, environment, ...definition } = compose.services.qdrant;
    expect(image).toMatch(/^qdrant\/qdrant:v\d+\.\d+\.\d+-unprivileged$/);
    expect(definition).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      depends_on: { 'qdrant-owner': { condition: 'service_completed_successfully' } },
    });
    // Everything that Qdrant writes is on the volume or in memory.
    expect(environment).toMatchObject({
      QDRANT__STORAGE__SNAPSHOTS_PATH: expect.stringMatching(/^\/qdrant\/storage\//),
      QDRANT__STORAGE__TEMP_PATH: expect.stringMatching(/^\/qdrant\/storage\//),
      QDRANT_INIT_FILE_PATH: expect.stringMatching(/^\/tmp\//),
    });
    expect(compose.services['qdrant-owner'].image).toBe(image);
  });

  it('lists all required settings in .env.example', () => {
    expect(required.length).toBeGreaterThan(0);
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
    for (const [, name = ''] of example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)) expect(text).toContain(`\${${name}`);
  });

  it.each(SERVICES)('connects %s only to the networks of the engines that it needs, with its own user', (service) => {
    const { environment, networks, depends_on } = compose.services[service];
    const needed = ENGINES.filter(([setting]) => setting in environment).map(([, engine]) => engine);
    expect(new Set(networks)).toEqual(new Set(['services', 'telemetry', ...needed]));
    const suffix = service.toUpperCase();
    if ('DATABASE_URL' in environment) {
      expect(environment.DATABASE_URL).toMatch(`//lectern_${service}:\${DATABASE_PASSWORD_${suffix}:?`);
      expect(depends_on['postgres-roles']).toEqual({ condition: 'service_completed_successfully' });
    }
    if ('NATS_URL' in environment) expect(environment.NATS_URL).toMatch(`//${service}:\${NATS_PASSWORD_${suffix}:?`);
    expect(JSON.stringify(environment)).not.toContain('POSTGRES_PASSWORD');
  });

  it('limits access to an engine to its users, and gives engines no outbound access', () => {
    for (const [setting, engine] of ENGINES) {
      expect(compose.services[engine].networks).toEqual([engine]);
      expect(compose.services[engine]).not.toHaveProperty('ports');
      expect(compose.networks[engine]).toEqual({ internal: true });
      const members = Object.keys(compose.services).filter((name) => compose.services[name].networks.includes(engine));
      const users = SERVICES.filter((name) => setting in compose.services[name].environment);
      const administrators = { postgres: ['postgres-roles'], nats: [], qdrant: ['qdrant-owner'] }[engine];
      expect(members.sort()).toEqual([engine, ...users, ...administrators].sort());
    }
    // Telemetry tools can access only the metrics of services.
    for (const name of ['otel-collector', 'jaeger', 'prometheus', 'grafana'])
      for (const network of compose.services[name].networks) expect(['telemetry', 'monitoring']).toContain(network);
    for (const { networks } of Object.values<Manifest>(compose.services)) expect(networks.length).toBeGreaterThan(0);
  });

  it('has no secret in an argument or a health check', () => {
    for (const { command = [], healthcheck, entrypoint = [] } of Object.values<Manifest>(compose.services))
      expect(JSON.stringify([command, entrypoint, healthcheck])).not.toMatch(/\$\{?\w*(PASSWORD|KEY)/);
  });

  it('configures NATS to sync each message to disk', () => {
    expect(readFileSync(join(ROOT, 'infra/nats/nats.conf'), 'utf8')).toMatch(/^\s+sync_interval: always$/m);
  });
});
