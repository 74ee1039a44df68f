import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { type Api, createApi, type Json } from '../../tests/support/api.ts';
import { createDocument, fileNameOf, type Outcome, perform, type Resources, titleOf, uploadFiles } from './requests.ts';

const SETTLE_MS = 60_000;
const CHECK_INTERVAL_MS = 200;
const MAX_ATTEMPTS = 40;
const PAUSE_MS = 500;

/**
 * Retries, like a client, each creating request without a successful response. Then checks that each
 * document and uploaded file exists once and is indexed, and that every job has completed.
 */
export async function expectEachOnce(resources: Resources, outcomes: readonly Outcome[]): Promise<void> {
  const creations = outcomes.filter(({ kind }) => kind === createDocument);
  const uploads = outcomes.filter(({ kind }) => kind === uploadFiles);
  const api = createApi(resources.credentials);
  for (const { kind, tag, result, data } of creations) {
    const again = await untilDone(() => perform(kind, resources, tag));
    // The stored response is replayed.
    if (result === 'ok') expect(again.data.id).toBe(data.id);
  }
  for (const { kind, tag, result } of uploads)
    if (result !== 'ok') await untilDone(() => perform(kind, resources, tag));
  await expectDocuments(api, resources, creations.map(({ tag }) => titleOf(tag)).sort());
  await expectFiles(api, resources, uploads.map(({ tag }) => fileNameOf(tag)).sort());
}

async function expectDocuments(api: Api, { collection }: Resources, titles: readonly string[]): Promise<void> {
  const list = () => api.all(`/api/v1/collections/${collection}/documents`);
  await until('the documents of a scenario to be indexed', async () =>
    (await list()).every(({ status }: Json) => status === 'indexed'),
  );
  const found = (await list()).map(({ title }: Json) => title).filter((title: string) => titles.includes(title));
  expect(found.sort()).toEqual(titles);
}

async function expectFiles(api: Api, { uploads, synced }: Resources, names: readonly string[]): Promise<void> {
  const jobs = (connector: string) => api.ok('GET', `/api/v1/connectors/${connector}/sync`);
  const haveEnded = async () => {
    const all: Json[] = (await Promise.all([uploads, synced].map(jobs))).flat();
    return all.every(({ status }) => status === 'completed');
  };
  await until('the jobs of a scenario to complete', haveEnded);
  const documents = await api.all(`/api/v1/connectors/${uploads}/documents`);
  const own = documents.filter(({ externalId }: Json) => names.includes(externalId));
  expect(own.map(({ externalId }: Json) => externalId).sort()).toEqual(names);
  expect(new Set(own.map(({ status }: Json) => status))).toEqual(new Set(names.length === 0 ? [] : ['indexed']));
}

const until = (what: string, isDone: () => Promise<boolean>) =>
  waitUntil(() => isDone().catch(() => false), { what, timeoutMs: SETTLE_MS, intervalMs: CHECK_INTERVAL_MS });

async function untilDone(make: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await make();
    if (outcome.result === 'ok') return outcome;
    if (attempt === MAX_ATTEMPTS) throw new Error(`${outcome.kind.name} still fails after retries: ${outcome.result}`);
    await delay(PAUSE_MS);
  }
}
