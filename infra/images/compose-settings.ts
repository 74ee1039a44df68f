import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../tests/support/manifests.ts';
import { ROOT, type ServiceName } from '../tests/support/service-settings.ts';

const compose: Manifest = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
const INTERPOLATION = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** Resolves a service of docker-compose.yml with the values of `.env`. */
export function composeService(name: ServiceName, values: Readonly<Record<string, string>>) {
  const { environment, healthcheck, volumes = [] } = compose.services[name];
  const settings = Object.entries<string>(environment).map(([key, template]) => [
    key,
    String(template).replaceAll(INTERPOLATION, (_whole, variable: string, operator?: string, operand?: string) => {
      const value = values[variable];
      if (value) return value;
      if (operator === '?') throw new Error(`${variable}: ${operand}`);
      return operand ?? '';
    }),
  ]);
  const check: string[] = healthcheck.test;
  return {
    environment: Object.fromEntries(settings) as Record<string, string>,
    /** The command of the health check. */
    healthCheck: check.slice(1),
    /** The mount points of volumes. */
    volumes: (volumes as string[]).map((volume) => volume.split(':')[1] ?? ''),
  };
}
