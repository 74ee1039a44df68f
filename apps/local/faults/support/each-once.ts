import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { type Api, createApi, type Json } from '../../tests/support/api.ts';
import { createDocument, fileNameOf, type Outcome, type Place, perform, titleOf, uploadFiles } from './requests.ts';

const SETTLE_MS = 60_000;
const LOOK_EVERY_MS = 200;
const TRIES = 40;
const PAUSE_MS = 500;

/**
 * Retries, like a client, each creating request without a successful response. Then checks that each
 * document and uploaded file exists once and is indexed, and that every job has completed.
 */
export async function expectEachOnce(place: Place, outcomes: readonly Outcome[]): Promise<void> {
  const creations = outcomes.filter(({ kind }) => kind === createDocument);
  const uploads = outcomes.filter(({ kind }) => kind === uploadFiles);
  const api = createApi(place.credentials);
  for (const { kind, tag, result, data } of creations) {
    const again = await untilDone(() => perform(kind, place, tag));
    // The stored response is replayed.
    if (result === 'ok') expect(again.data.id).toBe(data.id);
  }
  for (const { kind, tag, result } of uploads) if (result !== 'ok') await untilDone(() => perform(kind, place, tag));
  await expectDocuments(api, place, creations.map(({ tag }) => titleOf(tag)).sort());
  await expectFiles(api, place, uploads.map(({ tag }) => fileNameOf(tag)).sort());
}

async function expectDocuments(api: Api, { collection }: Place, titles: readonly string[]): Promise<void> {
  const list = () => api.all(`/api/v1/collections/${collection}/documents`);
  await until('the documents of a scene', async () => (await list()).every(({ status }: Json) => status === 'indexed'));
  const found = (await list()).map(({ title }: Json) => title).filter((title: string) => titles.includes(title));
  expect(found.sort()).toEqual(titles);
}

async function expectFiles(api: Api, { uploads, synced }: Place, names: readonly string[]): Promise<void> {
  const jobs = (connector: string) => api.ok('GET', `/api/v1/connectors/${connector}/sync`);
  const haveEnded = async () => {
    const all: Json[] = (await Promise.all([uploads, synced].map(jobs))).flat();
    return all.every(({ status }) => status === 'completed');
  };
  await until('the jobs of a scene', haveEnded);
  const documents = await api.all(`/api/v1/connectors/${uploads}/documents`);
  const own = documents.filter(({ externalId }: Json) => names.includes(externalId));
  expect(own.map(({ externalId }: Json) => externalId).sort()).toEqual(names);
  expect(new Set(own.map(({ status }: Json) => status))).toEqual(new Set(names.length === 0 ? [] : ['indexed']));
}

const until = (what: string, isDone: () => Promise<boolean>) =>
  waitUntil(() => isDone().catch(() => false), { what, timeoutMs: SETTLE_MS, intervalMs: LOOK_EVERY_MS });

async function untilDone(make: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await make();
    if (outcome.result === 'ok') return outcome;
    if (attempt === TRIES) throw new Error(`${outcome.kind.name} fails when it is retried: ${outcome.result}`);
    await delay(PAUSE_MS);
  }
}
