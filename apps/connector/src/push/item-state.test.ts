import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyChange, type Change, type ItemState, removeUnnamed } from '#push/item-state';

type State = ItemState<string>;

const applyAll = (changes: readonly Change<string>[], state: State = {}): State =>
  changes.reduce((current, change) => applyChange(current, change).state, state);

/** Changes of one item, each with its own revision, in the order of the revisions. */
const changes = fc
  .array(
    fc.oneof(
      fc.record({ action: fc.constant('put' as const), content: fc.string(), principals: fc.constant(['public']) }),
      fc.record({ action: fc.constant('put' as const), content: fc.string() }),
      fc.record({ action: fc.constant('permissions' as const), principals: fc.array(fc.emailAddress()) }),
      fc.record({ action: fc.constant('delete' as const) }),
    ),
    { maxLength: 8 },
  )
  .map((all): Change<string>[] => all.map((change, revision) => ({ ...change, revision })));

const shuffled = changes.chain((all) =>
  fc.record({ all: fc.constant(all), arrived: fc.shuffledSubarray(all, { minLength: all.length }) }),
);

describe('the state of a pushed item', () => {
  it('does not depend on the order in which changes arrive', () => {
    fc.assert(
      fc.property(shuffled, ({ all, arrived }) => {
        expect(applyAll(arrived)).toEqual(applyAll(all));
      }),
    );
  });

  it('does not change if changes arrive again', () => {
    fc.assert(
      fc.property(shuffled, ({ all, arrived }) => {
        const state = applyAll(all);
        for (const change of arrived) expect(applyChange(state, change)).toEqual({ state, accepted: false });
      }),
    );
  });

  it('is that of the newest changes since the last deletion', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const last = all.findLastIndex(({ action }) => action === 'delete');
        const since = all.slice(last + 1);
        const put = since.findLast((change) => change.action === 'put');
        const readers = since.findLast((change) => change.action !== 'delete' && change.principals !== undefined);
        const { content, principals } = applyAll(all);
        expect(content?.revision).toBe(put?.revision);
        expect(principals?.revision).toBe(readers?.revision);
      }),
    );
  });

  it('can be restored with the same revision after a snapshot did not name the item, but not with an older one', () => {
    const put = (revision: number): Change<string> => ({ action: 'put', revision, content: 'Text' });
    const removed = removeUnnamed(applyAll([put(5)]));
    expect(removed.content).toBeUndefined();
    expect(applyChange(removed, put(4)).accepted).toBe(false);
    expect(applyChange(removed, put(5))).toMatchObject({ accepted: true, state: { content: { revision: 5 } } });
  });
});
