import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi } from '../tests/support/api.ts';
import { type Lectern, startLectern } from '../tests/support/start-lectern.ts';
import { createResources, newCollection } from './support/create-resources.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectAcceptable } from './support/expect-acceptable.ts';
import { untilAllWork } from './support/recovery.ts';
import { report, summarize } from './support/report.ts';
import { logFolder } from './support/report-folder.ts';
import { KINDS, type Outcome, perform, type Resources, uploadFiles } from './support/requests.ts';

const RECOVERY_MS = 10_000;
const UPLOADS = 4;
/** The names of the processes in the state file. */
const PARTS = [
  'gateway',
  'search',
  'chat',
  'agent',
  'collection',
  'connector',
  'PostgreSQL',
  'nats-server',
  'qdrant-local',
] as const;
/** More acceptable results by part. Clients of a killed gateway only see their connection close. */
const ALSO_ACCEPTABLE: Readonly<Record<string, readonly string[]>> = { gateway: ['disconnected'] };

let lectern: Lectern;
let shared: Resources;

const performAll = (resources: Resources, tag: string): Promise<Outcome>[] =>
  KINDS.map((kind) => perform(kind, resources, tag));
const upload = (resources: Resources, tag: string): Promise<Outcome>[] =>
  Array.from({ length: UPLOADS }, (_, at) => perform(uploadFiles, resources, `${tag}-${at}`));

beforeAll(async () => {
  lectern = await startLectern({ LOG_LEVEL: 'info', RATE_LIMIT_SECRET_PER_MINUTE: '1000000' });
  shared = await createResources(lectern.credentials);
});
afterAll(async () => {
  if (lectern === undefined) return;
  await cp(join(lectern.home.path, 'logs'), logFolder('kills'), { recursive: true });
  await lectern.stop();
});

describe('a system in which a process is killed', () => {
  it.each(PARTS)('works again within 10 s without losing data: %s', async (part) => {
    const collection = await newCollection(createApi(lectern.credentials), `Without ${part}`);
    const resources = { ...shared, collection };
    const before = [...performAll(resources, `${part}-a`), ...upload(resources, `${part}-a`)];
    // When the first request is done, the others are running.
    await Promise.race(before);
    await lectern.home.killPart(part);
    const recovered = untilAllWork(resources, `${part}-c`);
    const outcomes = await Promise.all([...before, ...performAll(resources, `${part}-b`)]);
    const recovery = await recovered;
    report({ part: 'kills', scenario: part, ...summarize(outcomes), ...recovery });
    expectAcceptable(outcomes, ALSO_ACCEPTABLE[part]);
    expect(recovery.recoveredMs).toBeLessThan(RECOVERY_MS);
    await expectEachOnce(resources, outcomes);
  });
});
