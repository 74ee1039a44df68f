import { SERVICES, type ServiceName } from '#services';

/** The name of a setting for a single service, for example `DATABASE_URL_GATEWAY`. */
export function settingOf(setting: string, service: ServiceName): string {
  return `${setting}_${service.toUpperCase()}`;
}

/** Returns the value that the operator set for one service, or undefined. */
export function serviceSetting(env: NodeJS.ProcessEnv, setting: string, service: ServiceName): string | undefined {
  return env[settingOf(setting, service)] || undefined;
}

/** True if the operator configured an external server for all services or for one of them. */
export function isExternal(env: NodeJS.ProcessEnv, setting: 'DATABASE_URL' | 'NATS_URL' | 'QDRANT_URL'): boolean {
  return Boolean(env[setting]) || SERVICES.some(({ name }) => serviceSetting(env, setting, name) !== undefined);
}
