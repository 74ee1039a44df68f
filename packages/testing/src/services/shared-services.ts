import { requiredEnv } from '#engines/required-env';
import type { GrpcService } from '#services/start-test-service';

/** The address of the services that all tests of a run share (see run/serve-pool). */
export const SERVICES_VARIABLE = 'LECTERN_TEST_SERVICES_URL';

/**
 * Returns the addresses of running services, as settings of a service that calls them, and
 * QDRANT_URL. All tests of a run share them: a test works with its own teams.
 */
export async function sharedServices(...names: Exclude<GrpcService, 'chat'>[]): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of names) {
    const response = await fetch(`${requiredEnv(SERVICES_VARIABLE)}/${name}`);
    if (!response.ok) throw new Error(`The shared service ${name} did not start: ${await response.text()}`);
    Object.assign(settings, await response.json());
  }
  return settings;
}
