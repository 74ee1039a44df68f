import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SlackServer, startSlackServer } from '@lectern/testing';
import { HOME_VARIABLE, PROVIDER_TEAM, URL_VARIABLE } from './shared-lectern.ts';
import { COMPILED_VARIABLE, type Lectern, startLectern } from './start-lectern.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** Its provider is never called. */
const PROVIDER = {
  team: PROVIDER_TEAM,
  name: 'Xylophone login',
  slug: 'xylophone',
  issuer: 'https://login.example.com',
  clientId: 'lectern',
  clientSecret: 'not-used',
  isShown: false,
};

/** Otherwise the faster a machine runs the tests, the sooner they reach the limits per minute. */
const UNLIMITED = {
  RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '1000000',
  RATE_LIMIT_PERSON_PER_MINUTE: '1000000',
  RATE_LIMIT_SIGN_INS_PER_MINUTE: '1000000',
};

let lectern: Lectern | undefined;
let slack: SlackServer | undefined;

/** The part of Jest's global configuration that selects the files to run. */
interface Selection {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** Jest's globalSetup: starts the system for `shareLectern`, unless no selected file uses it. */
export default async function startSharedSystem({ testPathPatterns: { patterns } }: Selection): Promise<void> {
  if (!sharingFiles().some((file) => isSelected(file, patterns))) return;
  slack = await startSlackServer({ answers: true });
  const settings = { ...UNLIMITED, OIDC_PROVIDERS: JSON.stringify([PROVIDER]), SLACK_API_URL: slack.apiUrl };
  lectern = await startLectern(settings);
  process.env[HOME_VARIABLE] = lectern.home.path;
  process.env[URL_VARIABLE] = lectern.baseUrl;
  process.env[COMPILED_VARIABLE] = join(lectern.home.path, 'cache');
}

/** Stops what `startSharedSystem` started. */
export async function stopSharedSystem(): Promise<void> {
  await lectern?.stop();
  await slack?.stop();
}

function sharingFiles(): string[] {
  const files = readdirSync(TESTS).filter((name) => name.endsWith('.test.ts'));
  return files.map((name) => join(TESTS, name)).filter((path) => readFileSync(path, 'utf8').includes('shareLectern('));
}

function isSelected(file: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => new RegExp(pattern, 'i').test(file));
}
