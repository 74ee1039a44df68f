import type { Passage, SparseVector } from '#index';

/** The ids of words are their positions here. */
const VOCABULARY = ['holiday', 'salary', 'laptop', 'leave', 'parent', 'policy', 'travel', 'password'];

/** Returns each word of the vocabulary in `text`, weighted by its frequency. */
export function terms(text: string): SparseVector {
  const counts = new Map<number, number>();
  for (const word of text.toLowerCase().split(/\W+/)) {
    const id = VOCABULARY.indexOf(word);
    if (id >= 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const indices = [...counts.keys()].sort((a, b) => a - b);
  return { indices, values: indices.map((index) => counts.get(index)!) };
}

/** Returns a unit vector in four dimensions, `degrees` from the first axis toward the second. */
export function direction(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0);
}

/** Returns a passage of document `doc_1` of team `team_a` with the given fields replaced. */
export function buildPassage(fields: Partial<Passage> = {}): Passage {
  const text = fields.text ?? 'The holiday policy';
  return {
    team: 'team_a',
    collection: 'col_1',
    document: 'doc_1',
    source: 'upload',
    type: 'markdown',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    principals: ['public'],
    version: 1,
    chunk: 0,
    metadata: {},
    title: 'Handbook',
    heading: '',
    start: 0,
    end: text.length,
    dense: direction(0),
    sparse: terms(text),
    ...fields,
    text,
  };
}
