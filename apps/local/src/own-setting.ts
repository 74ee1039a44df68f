import type { ServiceName } from '#services';

/** The name of a setting that holds for one service alone, such as `DATABASE_URL_GATEWAY`. */
export function settingOf(setting: string, service: ServiceName): string {
  return `${setting}_${service.toUpperCase()}`;
}

/** What the operator has set for one service; undefined where that is nothing. */
export function ownSetting(env: NodeJS.ProcessEnv, setting: string, service: ServiceName): string | undefined {
  return env[settingOf(setting, service)] || undefined;
}
