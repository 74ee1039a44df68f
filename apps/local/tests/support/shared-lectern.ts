import { randomUUID } from 'node:crypto';
import type { Credentials } from '#credentials';
import { type Api, createApi } from './api.ts';
import { testHome } from './start-lectern.ts';

/** Set by start-shared-system.ts: the data folder and the address of the running system. */
export const HOME_VARIABLE = 'LECTERN_TEST_SYSTEM_HOME';
export const URL_VARIABLE = 'LECTERN_TEST_SYSTEM_URL';

/** The team for which the settings of the shared system define an identity provider. Only one file creates it. */
export const PROVIDER_TEAM = 'Xylophone';

/** The token of the Slack emulator of the shared system. Only one file creates an app with it. */
export const SLACK_TOKEN = 'xoxb-emulator-token';

/** A new team in the running system that several test files share. */
export interface SharedLectern {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly api: Api;
  /** Creates another team and returns its credentials. */
  createTeam(): Promise<Credentials>;
}

/**
 * Creates a team in the shared system. Only for tests that read only their own teams, do not restart
 * or kill processes, and need no special settings. Others use `startLectern`. The team has a random
 * name unless `name` is given.
 */
export async function shareLectern(name?: string): Promise<SharedLectern> {
  const root = process.env[HOME_VARIABLE];
  const baseUrl = process.env[URL_VARIABLE];
  if (!root || !baseUrl) throw new Error(`${HOME_VARIABLE} is not set: run this file with jest.systems.config.mjs.`);
  const home = await testHome({ root });
  const createTeam = async (team = `Team ${randomUUID()}`) => {
    const created = await home.keys('create', '--team', team, '--json');
    return { ...JSON.parse(created), baseUrl };
  };
  const credentials = await createTeam(name);
  return { baseUrl, credentials, api: createApi(credentials), createTeam: () => createTeam() };
}
