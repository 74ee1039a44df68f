import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { createLsiEncoder, lsiFromBytes } from '@lectern/embeddings';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { ANALYSIS_VERSION, analyzeQuery } from '@lectern/text';
import type { VectorStore } from '@lectern/vector-store';
import { BASE_SPACE } from '#spaces/active-spaces';
import { createSpaceMaintainer } from '#spaces/maintain-spaces';
import { moveToSpace } from '#spaces/move-to-space';
import { beginSpace } from '#spaces/train-space';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const SUBJECTS = [
  [
    'hospital',
    'recovery',
    'medicine',
    'ward',
    'clinic',
    'doctor',
    'nurse',
    'surgeon',
    'therapist',
    'vaccine',
    'diagnosis',
    'fever',
  ],
  ['road', 'wheel', 'driver', 'petrol', 'garage', 'engine', 'brake', 'clutch', 'bumper', 'gearbox', 'traffic', 'lorry'],
  ['kitchen', 'oven', 'recipe', 'flour', 'butter', 'bread', 'cake', 'pastry', 'sugar', 'yeast', 'biscuit', 'dough'],
];

/** Returns text `at`, which leaves out one word of its subject. */
const textOf = (at: number) => SUBJECTS[at % 3]!.filter((_, place) => place !== at % 12).join(' ');

let service: TestCollection;

beforeEach(async () => {
  service = await startTestCollection(
    {},
    { SPACE_MIN_PASSAGES: '30', SPACE_INTERVAL_MS: '50', SPACE_SETTLE_MS: '100' },
  );
});
afterEach(() => service.stop());

const newTeam = async () => {
  const caller = createCaller();
  const call = callAs(caller);
  const { id, embeddingModel: model } = await service.collections.createCollection({ name: 'C' }, call);
  let created = 0;
  const add = async (amount: number) => {
    const documents = [];
    for (const end = created + amount; created < end; created++) {
      const fields = { collectionId: id, title: `T${created}`, content: textOf(created) };
      documents.push(await service.documents.createDocument(fields, call));
    }
    for (const document of documents) {
      const read = () => service.documents.getDocument({ id: document.id }, call);
      await waitUntil(async () => (await read()).status === DocumentStatus.INDEXED, {
        what: 'the document to be indexed',
        timeoutMs: 20_000,
      });
    }
  };
  return { teamId: caller.teamId, call, collection: id, model, add };
};
type Team = Awaited<ReturnType<typeof newTeam>>;

const spacesOf = async ({ call, model }: Team) => {
  const { spaces } = await service.collections.resolveCollections({ ids: [] }, call);
  return spaces.find(({ embeddingModel }) => embeddingModel === model)?.ids ?? [];
};
const bytesOf = async ({ call }: Team, id: string) => {
  const chunks = await Array.fromAsync(service.collections.getSpace({ id }, call));
  return Buffer.concat(chunks.map(({ data }) => data));
};
const countOutside = async ({ teamId, model }: Team, space: string) => {
  const pages = await Array.fromAsync(
    service.context.store.scrollPassages(model, { team: teamId, outsideSpace: space }),
  );
  return pages.flat().length;
};
const untilMoved = (team: Team, before: readonly string[] = [BASE_SPACE]) =>
  waitUntil(
    async () => {
      const ids = await spacesOf(team);
      return ids.length === 1 && !before.includes(ids[0]!);
    },
    { what: 'all passages to be in one new space', timeoutMs: 25_000 },
  );
/** Returns the documents of a semantic search in the spaces that a search would use now. */
const found = async (team: Team, text: string) => {
  const { context } = service;
  const ids = await spacesOf(team);
  const dense = await Promise.all(
    ids.map(async (space) => ({
      space,
      vector:
        space === BASE_SPACE
          ? await context.denseEncoder(team.model).embedQuery(text)
          : createLsiEncoder(lsiFromBytes(await bytesOf(team, space))).encodeQuery(analyzeQuery(text)).vector,
    })),
  );
  const page = { team: team.teamId, limit: 100, offset: 0, passagesPerDocument: 1, candidates: 500 };
  return context.store.search(team.model, { ...page, mode: 'semantic', dense });
};

describe('a corpus', () => {
  it('stays in the base space until it is large enough, then moves completely to a learned space', async () => {
    const team = await newTeam();
    await team.add(10);
    expect(await spacesOf(team)).toEqual([BASE_SPACE]);
    await team.add(25);
    await untilMoved(team);
    const [space] = await spacesOf(team);
    expect(await countOutside(team, space!)).toBe(0);
    const { hits } = await found(team, 'surgeon');
    expect(hits).toHaveLength(35);
    // Includes documents of the same subject without the word.
    expect(hits.slice(0, 10).every(({ payload }) => Number(payload.title.slice(1)) % 3 === 0)).toBe(true);

    await team.add(1);
    expect(await countOutside(team, space!)).toBe(0);
  });

  it('gets a new space when it has outgrown the old one, which is retired', async () => {
    const team = await newTeam();
    await team.add(32);
    await untilMoved(team);
    const [first] = await spacesOf(team);
    await team.add(34);
    await untilMoved(team, [BASE_SPACE, first!]);
    const [second] = await spacesOf(team);
    expect(await countOutside(team, second!)).toBe(0);
    await expect(bytesOf(team, first!)).rejects.toMatchObject({ code: 'not_found' });
    const stored = await service.context.db.spaceContent.count();
    expect(stored).toBe(1);
  });

  it('gets a new space when the analysis rules have changed', async () => {
    const team = await newTeam();
    await team.add(32);
    await untilMoved(team);
    const [first] = await spacesOf(team);
    await service.context.db.space.updateMany({ where: { teamId: team.teamId }, data: { analysis: 0 } });
    await untilMoved(team, [BASE_SPACE, first!]);
    expect(await service.context.db.space.count({ where: { analysis: ANALYSIS_VERSION, status: 'ready' } })).toBe(1);
  });

  it('gets a space of the older analysis rules while its passages follow them', async () => {
    const corpus = { teamId: 'team_1', embeddingModel: 'm' };
    const analysisOf = async (outdated: number) => {
      const space = await beginSpace(service.context, corpus, { passages: 1_000, added: 0, outdated });
      await service.context.db.space.delete({ where: { id: space!.id } });
      return space!.analysis;
    };
    expect(await analysisOf(11)).toBe(ANALYSIS_VERSION - 1);
    expect(await analysisOf(10)).toBe(ANALYSIS_VERSION);
  });

  it('moves in parts, so that other corpora have their turn', async () => {
    await service.stop();
    const interval = { SPACE_INTERVAL_MS: '3600000', SPACE_SETTLE_MS: '3600000' };
    service = await startTestCollection({}, { ...interval, SPACE_MIN_PASSAGES: '30', SPACE_MOVE_PER_SECOND: '1' });
    const { context } = service;
    const { signal } = new AbortController();
    const team = await newTeam();
    await team.add(30);
    const maintain = createSpaceMaintainer(context);
    const newest = () => context.db.space.findFirst({ where: { teamId: team.teamId, status: 'ready' } });
    await waitUntil(
      async () => {
        await maintain(signal);
        return (await newest()) !== null;
      },
      { what: 'a space', timeoutMs: 25_000 },
    );
    const space = (await newest())!;
    const store: VectorStore = {
      ...context.store,
      scrollPassages: async function* (model, request) {
        for await (const page of context.store.scrollPassages(model, request)) {
          for (const passage of page) yield [passage];
        }
      },
    };
    const outside: number[] = [];
    for (let part = 0; part < 4; part++) {
      expect((await newest())?.movedAt).toBeNull();
      await moveToSpace({ ...context, store }, space, () => Promise.resolve(), signal);
      outside.push(await countOutside(team, space.id));
    }
    expect(outside).toEqual([20, 10, 0, 0]);
    expect((await newest())?.movedAt).not.toBeNull();
  });

  it('can be found completely while it moves', async () => {
    const team = await newTeam();
    await team.add(40);
    const counts: number[] = [];
    await waitUntil(
      async () => {
        const ids = await spacesOf(team);
        const { total } = await found(team, 'surgeon').catch((error) => {
          // The space was retired between the two calls. A search omits it and finds everything in
          // the other one.
          if (error.code === 'not_found') return { total: 40 };
          throw error;
        });
        counts.push(total);
        return ids.length === 1 && ids[0] !== BASE_SPACE;
      },
      { what: 'the move', timeoutMs: 25_000 },
    );
    expect(counts.length).toBeGreaterThan(0);
    expect(new Set(counts)).toEqual(new Set([40]));
  });

  it('hides its spaces from other teams', async () => {
    const team = await newTeam();
    await team.add(30);
    await untilMoved(team);
    const [space] = await spacesOf(team);
    const otherTeam = await newTeam();
    await expect(bytesOf(otherTeam, space!)).rejects.toMatchObject({ code: 'not_found' });
    await expect(bytesOf(team, 'spc_none')).rejects.toMatchObject({ code: 'not_found' });
    expect(await spacesOf(otherTeam)).toEqual([BASE_SPACE]);
  });
});
