import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SearchModel, SearchModelState } from '@lectern/contracts';
import { OFFERED_MODELS, type OfferedModel } from '@lectern/embeddings';
import {
  callAs,
  commitOf,
  createCaller,
  type HubServer,
  hasModelRuntime,
  linkModelRuntime,
  NO_MODEL_RUNTIME,
  startHubServer,
  temporaryFolder,
  waitUntil,
  writeGeneratedModel,
} from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const wait = { timeoutMs: 30_000 };
const ENGLISH = 'onnx/Xenova/bge-small-en-v1.5';

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let hub: HubServer;
let system: TestCollection;

beforeAll(async () => {
  home = await temporaryFolder();
  const shape = {
    words: ['holiday', 'policy', 'days'],
    layers: 2,
    dimensions: 64,
    heads: 4,
    precisions: ['q8'] as const,
  };
  await writeGeneratedModel(join(home.path, 'hub/Xenova/bge-small-en-v1.5'), shape);
  await writeGeneratedModel(join(home.path, 'hub/Xenova/bge-m3'), { ...shape, files: { 'tokenizer.json': {} } });
  hub = await startHubServer(join(home.path, 'hub'));
  const modelsDir = join(home.path, 'models');
  await linkModelRuntime(modelsDir);
  // The generated models have other files than the offered ones.
  const offeredModels = await Promise.all(OFFERED_MODELS.map(withOwnPin));
  system = await startTestCollection({ offeredModels }, { MODELS_DIR: modelsDir, MODELS_HUB_URL: hub.url });
});
afterAll(async () => {
  await system.stop();
  await hub.stop();
  await home.remove();
});

async function withOwnPin(offered: OfferedModel): Promise<OfferedModel> {
  const weights = join(home.path, 'hub', offered.name, 'onnx/model_quantized.onnx');
  const bytes = await readFile(weights).catch(() => '');
  const weightsSha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...offered, pin: { revision: commitOf(offered.name), weightsSha256 } };
}

/** A team with the calls of a person who chooses a model. */
function createTeam() {
  const call = callAs(createCaller());
  const models = async () => (await system.searchModels.listSearchModels({}, call)).models;
  const model = async (id: string) => (await models()).find((other) => other.id === id)!;
  return {
    call,
    model,
    use: (id: string) => system.searchModels.useSearchModel({ id }, call),
    until: async (id: string, state: SearchModelState): Promise<SearchModel> => {
      await waitUntil(async () => (await model(id)).state === state, { what: `${id} in state ${state}`, ...wait });
      return model(id);
    },
    collection: (id: string) => system.collections.getCollection({ id }, call),
  };
}

async function addDocuments({ call }: ReturnType<typeof createTeam>, count: number): Promise<string> {
  const { id: collectionId } = await system.collections.createCollection({ name: 'Guides' }, call);
  for (let at = 0; at < count; at += 1) {
    await system.documents.createDocument(
      { collectionId, title: `Guide ${at}`, content: `Holiday policy ${at}.` },
      call,
    );
  }
  const isIndexed = async () =>
    (await system.collections.getCollection({ id: collectionId }, call)).embeddingCount === count;
  await waitUntil(isIndexed, { what: 'all documents to be indexed', ...wait });
  return collectionId;
}

describe('search models', () => {
  it('start with the default of the installation', async () => {
    const { model } = createTeam();
    expect(await model('default')).toMatchObject({
      title: 'Built in',
      embeddingModel: 'builtin-lsi-192',
      state: SearchModelState.ACTIVE,
      isPrevious: false,
    });
  });

  it('are for keys with access to the whole team', async () => {
    const scoped = callAs(createCaller({ scope: { kind: 'only', ids: [] } }));
    await expect(system.searchModels.listSearchModels({}, scoped)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(system.searchModels.useSearchModel({ id: 'default' }, scoped)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('reject an unknown id', async () => {
    await expect(createTeam().use('huge')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a team that wants another model', () => {
  const REMOVED = 'removed-model';

  it('gets it although the row of another team is invalid', async () => {
    const { db } = system.context;
    await db.teamSearchModel.create({ data: { teamId: 'team-with-removed', wantedId: REMOVED } });
    await db.teamSearchModel.create({
      data: { teamId: 'team-from-removed', activeId: REMOVED, wantedId: 'default' },
    });
    const team = createTeam();
    const names = Array.from({ length: 5 }, (_, at) => `Guides ${at}`);
    const created = await Promise.all(
      names.map((name) => system.collections.createCollection({ name, embeddingModel: 'builtin-hash-512' }, team.call)),
    );
    const ids = created.map(({ id }) => id);
    const { teamId } = await db.collection.findUniqueOrThrow({ where: { id: ids[0]! } });
    await db.collection.updateMany({ where: { id: { in: ids } }, data: { embeddingModel: ENGLISH } });
    await db.teamSearchModel.create({ data: { teamId, activeId: 'small-english' } });
    await team.use('default');
    await team.until('default', SearchModelState.ACTIVE);
    for (const id of ids) {
      expect(await db.collection.findUniqueOrThrow({ where: { id } })).toMatchObject({
        embeddingModel: 'builtin-lsi-192',
      });
    }
    const failed = await db.teamSearchModel.findUniqueOrThrow({ where: { teamId: 'team-with-removed' } });
    expect(failed.error).toContain(REMOVED);
    await db.teamSearchModel.deleteMany({ where: { teamId: { startsWith: 'team-' } } });
  });
});

describeIf(!hasModelRuntime, 'the packages that run models are installed')('without the packages', () => {
  it('reports what to install, and rejects the choice', async () => {
    const { model, use } = createTeam();
    expect(await model('small-english')).toMatchObject({ state: SearchModelState.UNAVAILABLE });
    await expect(use('small-english')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('npm run models -- install'),
    });
  });
});

describeIf(hasModelRuntime, NO_MODEL_RUNTIME)('a chosen model', () => {
  it('is downloaded, and then the collections of the team move to it and back', async () => {
    const team = createTeam();
    const id = await addDocuments(team, 12);
    const started = await team.use('small-english');
    expect([SearchModelState.DOWNLOADING, SearchModelState.MOVING]).toContain(started.state);
    const active = await team.until('small-english', SearchModelState.ACTIVE);
    expect(active).toMatchObject({ isMeasured: true, isPrevious: false });
    expect(active.passagesPerSecond).toBeGreaterThan(0);
    expect(await team.collection(id)).toMatchObject({ embeddingModel: ENGLISH, reindexing: 0, embeddingCount: 12 });
    expect(await system.collections.createCollection({ name: 'Later' }, team.call)).toMatchObject({
      embeddingModel: ENGLISH,
    });
    expect(await team.model('default')).toMatchObject({ state: SearchModelState.READY, isPrevious: true });

    await team.use('default');
    await team.until('default', SearchModelState.ACTIVE);
    expect(await team.collection(id)).toMatchObject({ embeddingModel: 'builtin-lsi-192', embeddingCount: 12 });
    expect(await team.model('small-english')).toMatchObject({ state: SearchModelState.READY, isPrevious: true });
  });

  it('is downloaded again if its files are gone', async () => {
    const team = createTeam();
    await team.use('small-english');
    await team.until('small-english', SearchModelState.ACTIVE);
    await rm(join(home.path, 'models/Xenova/bge-small-en-v1.5'), { recursive: true });
    expect(await team.model('small-english')).toMatchObject({
      state: SearchModelState.FAILED,
      error: 'The files of the model are missing.',
    });
    await team.use('small-english');
    await team.until('small-english', SearchModelState.ACTIVE);
  });

  it('changes neither other teams nor collections with a model of their own', async () => {
    const team = createTeam();
    const other = createTeam();
    const [id] = await Promise.all([addDocuments(other, 1)]);
    const named = { name: 'Own', embeddingModel: 'builtin-hash-512' };
    const { id: own } = await system.collections.createCollection(named, team.call);
    await team.use('small-english');
    await team.until('small-english', SearchModelState.ACTIVE);
    expect(await team.collection(own)).toMatchObject({ embeddingModel: 'builtin-hash-512' });
    expect(await other.collection(id)).toMatchObject({ embeddingModel: 'builtin-lsi-192' });
    expect(await other.model('default')).toMatchObject({ state: SearchModelState.ACTIVE });
  });

  it('replaces earlier defaults of the installation too', async () => {
    const { db } = system.context;
    const team = createTeam();
    const older = { name: 'Older', embeddingModel: 'builtin-hash-512' };
    const { id } = await system.collections.createCollection(older, team.call);
    expect(await db.defaultModel.findMany()).toEqual([{ name: 'builtin-lsi-192' }]);
    await db.defaultModel.create({ data: { name: older.embeddingModel } });
    await team.use('small-english');
    await team.until('small-english', SearchModelState.ACTIVE);
    await db.defaultModel.delete({ where: { name: older.embeddingModel } });
    expect(await team.collection(id)).toMatchObject({ embeddingModel: ENGLISH });
  });

  it('reports why it could not be downloaded or started, and leaves the current one in use', async () => {
    const team = createTeam();
    await team.use('small-multilingual');
    const missing = await team.until('small-multilingual', SearchModelState.FAILED);
    expect(missing.error).toContain('The hub has no model Xenova/multilingual-e5-small');
    await team.use('large-multilingual');
    const broken = await team.until('large-multilingual', SearchModelState.FAILED);
    expect(broken.error).toContain('could not be loaded');
    expect(await team.model('default')).toMatchObject({ state: SearchModelState.ACTIVE });
    await team.use('default');
    expect(await team.model('large-multilingual')).toMatchObject({ state: SearchModelState.READY });
  });
});
