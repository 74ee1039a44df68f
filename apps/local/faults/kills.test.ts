import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi } from '../tests/support/api.ts';
import { type Lectern, startLectern } from '../tests/support/start-lectern.ts';
import { expectEachOnce } from './support/each-once.ts';
import { expectFair } from './support/fair.ts';
import { makePlace, newCollection } from './support/place.ts';
import { untilAllWork } from './support/recovery.ts';
import { report, summarize } from './support/report.ts';
import { logFolder } from './support/report-folder.ts';
import { KINDS, type Outcome, type Place, perform, uploadFiles } from './support/requests.ts';

const RECOVERY_MS = 10_000;
const UPLOADS = 4;
/** Names in the state file. */
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
/** Clients of a killed gateway only see their connection close. */
const ALSO_FAIR: Readonly<Record<string, readonly string[]>> = { gateway: ['disconnected'] };

let lectern: Lectern;
let place: Place;

const performAll = (here: Place, tag: string): Promise<Outcome>[] => KINDS.map((kind) => perform(kind, here, tag));
const upload = (here: Place, tag: string): Promise<Outcome>[] =>
  Array.from({ length: UPLOADS }, (_, at) => perform(uploadFiles, here, `${tag}-${at}`));

beforeAll(async () => {
  lectern = await startLectern({ LOG_LEVEL: 'info', RATE_LIMIT_SECRET_PER_MINUTE: '1000000' });
  place = await makePlace(lectern.credentials);
});
afterAll(async () => {
  if (lectern === undefined) return;
  await cp(join(lectern.home.path, 'logs'), logFolder('kills'), { recursive: true });
  await lectern.stop();
});

describe('a system in which a process is killed', () => {
  it.each(PARTS)('works again within 10 s without losing data: %s', async (part) => {
    const collection = await newCollection(createApi(lectern.credentials), `Without ${part}`);
    const here = { ...place, collection };
    const before = [...performAll(here, `${part}-a`), ...upload(here, `${part}-a`)];
    // When the first request is done, the others are running.
    await Promise.race(before);
    await lectern.home.killPart(part);
    const recovered = untilAllWork(here, `${part}-c`);
    const outcomes = await Promise.all([...before, ...performAll(here, `${part}-b`)]);
    const recovery = await recovered;
    report({ part: 'kills', scene: part, ...summarize(outcomes), ...recovery });
    expectFair(outcomes, ALSO_FAIR[part]);
    expect(recovery.recoveredMs).toBeLessThan(RECOVERY_MS);
    await expectEachOnce(here, outcomes);
  });
});
