import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repliesForOthers } from '#conversations/shared-replies';

const BUILTIN = 'builtin-extractive';

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
const reply = fc.record({
  model: fc.constantFrom(BUILTIN, 'gpt'),
  documents: ids,
  shownDocuments: fc.option(ids),
});

const readableOf = (all: readonly string[]) => ({
  has: (id: string) => all.includes(id),
  hasAll: () => false,
});

it('shows only replies whose whole input the reader may read', () => {
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 6 }), ids, (replies, readable) => {
      const messages = replies.flatMap((one, at) => [
        { id: `q${at}`, role: 'user', model: null, documents: [], sources: null, shownDocuments: null },
        { id: `r${at}`, role: 'assistant', sources: [], ...one },
      ]);
      const visible = repliesForOthers(messages, readableOf(readable));
      for (const [at, { model, documents, shownDocuments }] of replies.entries()) {
        const isTraced =
          shownDocuments !== null && [...documents, ...shownDocuments].every((id) => readable.includes(id));
        const before = replies.slice(0, at).every((_, earlier) => visible.has(`r${earlier}`));
        expect(visible.has(`r${at}`)).toBe(isTraced && (model === BUILTIN || before));
      }
      expect([...visible].every((id) => id.startsWith('r'))).toBe(true);
    }),
  );
});
