import type { ServiceName } from '#services';

/** The name of a setting for a single service, for example `DATABASE_URL_GATEWAY`. */
export function settingOf(setting: string, service: ServiceName): string {
  return `${setting}_${service.toUpperCase()}`;
}

/** Returns the value that the operator set for one service, or undefined. */
export function ownSetting(env: NodeJS.ProcessEnv, setting: string, service: ServiceName): string | undefined {
  return env[settingOf(setting, service)] || undefined;
}
