import { analyzePassage, createDenseEncoders, createSparseEncoder, documentWords } from '@lectern/embeddings';
import type { Passage, VectorStore } from '@lectern/vector-store';
import fc from 'fast-check';

/** Words with different stems. */
export const WORDS = [
  'zorbik',
  'quantu',
  'velmor',
  'drasko',
  'pilvat',
  'wexum',
  'jorgul',
  'fandrik',
  'mopsta',
  'trelop',
];
export const TEAM = 'team_1';
export const SOURCES = ['api', 'github', 'slack'];
export const TYPES = ['markdown', 'pdf'];
export const PRINCIPALS = ['public', 'user:ada@example.com', 'group:1'];
/** Two collections share a model. */
export const COLLECTIONS = [
  { id: 'col_1', name: 'One', embeddingModel: 'model-a' },
  { id: 'col_2', name: 'Two', embeddingModel: 'model-a' },
  { id: 'col_3', name: 'Three', embeddingModel: 'model-b' },
];
export const DAYS = ['2026-01-01', '2026-01-02', '2026-02-01'];
export const TAGS = ['hr', 'it', 'legal'];

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const sentence = fc.array(oneOf(WORDS), { minLength: 1, maxLength: 5 });

/** A document as the source of both the index and the brute-force search. */
export const document = fc.record({
  collection: oneOf(COLLECTIONS),
  source: oneOf(SOURCES),
  type: oneOf(TYPES),
  connector: fc.option(oneOf(['con_1', 'con_2'])),
  principals: fc.uniqueArray(oneOf(PRINCIPALS), { minLength: 1, maxLength: 2 }),
  day: oneOf(DAYS),
  title: oneOf(WORDS),
  passages: fc.array(sentence, { minLength: 2, maxLength: 4 }),
  metadata: fc.record(
    {
      author: fc.oneof(oneOf(['Ada', 'Bob']), fc.constant(['Ada', 'Cleo'])),
      pages: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(2.5), fc.constant('2')),
      tags: fc.array(oneOf(TAGS), { maxLength: 3 }),
      owner: fc.record({ team: oneOf(['ops', 'dev']), 'cost.center': fc.integer({ min: 1, max: 3 }) }),
      draft: fc.oneof(fc.boolean(), fc.constant(null)),
      due: oneOf(DAYS),
    },
    { requiredKeys: [] },
  ),
});

export type TestDocument = (typeof document extends fc.Arbitrary<infer T> ? T : never) & { readonly id: string };

/** Stores documents directly in the index, each passage with its vectors. */
export async function indexAll(store: VectorStore, documents: readonly TestDocument[]): Promise<void> {
  const encoder = createDenseEncoders().get();
  for (const { embeddingModel } of COLLECTIONS) {
    await store.ensureModel({ model: embeddingModel, dimensions: encoder.dimensions ?? 512 });
  }
  for (const [model, members] of Map.groupBy(documents, ({ collection }) => collection.embeddingModel)) {
    const texts = members.flatMap(({ passages }) => passages.map((words) => words.join(' ')));
    const vectors = await encoder.embedDocuments(texts);
    let at = 0;
    const passages = members.flatMap((member) => toPassages(member, () => vectors[at++] ?? new Float32Array()));
    await store.upsertPassages(model, passages);
  }
}

function toPassages(testDocument: TestDocument, nextVector: () => Float32Array): Passage[] {
  const sparse = createSparseEncoder();
  const date = `${testDocument.day}T08:00:00.000Z`;
  const texts = testDocument.passages.map((words) => ({ title: testDocument.title, text: words.join(' ') }));
  let start = 0;
  return texts.map((text, chunk) => {
    const passage = {
      team: TEAM,
      collection: testDocument.collection.id,
      document: testDocument.id,
      source: testDocument.source,
      type: testDocument.type,
      ...(testDocument.connector === null ? {} : { connector: testDocument.connector }),
      createdAt: date,
      updatedAt: date,
      principals: testDocument.principals,
      version: 1,
      chunk,
      metadata: testDocument.metadata,
      title: testDocument.title,
      heading: '',
      text: text.text,
      start,
      end: start + text.text.length,
      dense: nextVector(),
      sparse: sparse.encodeDocument(analyzePassage(text)),
      ...(chunk === 0 && { terms: [...new Set(texts.flatMap((each) => documentWords(analyzePassage(each))))] }),
    };
    start = passage.end + 1;
    return passage;
  });
}
