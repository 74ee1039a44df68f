import { AppError, type Issue, invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { Settings } from '#settings/connector-type';
import { parseSettings } from '#settings/parse-settings';

/** Config fields of every type. They are not passed to the source. */
const common = z.strictObject({
  /** Minutes between scheduled syncs; 0 or undefined for none. */
  syncEveryMinutes: z.int('must be a whole number of minutes').min(0).max(525_600).optional(),
});

const isCommon = (field: string): boolean => Object.hasOwn(common.shape, field);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function split(config: unknown): { readonly shared: unknown; readonly typeConfig: unknown } {
  if (!isObject(config)) return { shared: {}, typeConfig: config };
  const fields = Object.entries(config);
  return {
    shared: Object.fromEntries(fields.filter(([field]) => isCommon(field))),
    typeConfig: Object.fromEntries(fields.filter(([field]) => !isCommon(field))),
  };
}

const issuesOf = (error: unknown): readonly Issue[] => {
  if (!(error instanceof AppError) || !Array.isArray(error.details?.issues)) throw error;
  return error.details.issues;
};

/** Returns the type-specific part of a config. */
export const typeConfigOf = (config: unknown): unknown => split(config).typeConfig;

/**
 * Checks a config; `check` validates the type-specific part. Throws `invalid_request` with the
 * issues of both parts.
 */
export function checkWithCommon<Config extends Settings>(
  config: unknown,
  check: (typeConfig: unknown) => Config,
): Settings {
  const { shared, typeConfig } = split(config);
  const issues: Issue[] = [];
  const attempt = (parse: () => Settings): Settings => {
    try {
      return parse();
    } catch (error) {
      issues.push(...issuesOf(error));
      return {};
    }
  };
  const checked = { ...attempt(() => check(typeConfig)), ...attempt(() => parseSettings(common, shared, 'config')) };
  if (issues.length > 0) throw invalidRequest(issues);
  return checked;
}
