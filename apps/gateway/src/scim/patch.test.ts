import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GROUP_SHAPE } from '#scim/groups';
import { applyPatch, type Fields, normalize, type PatchOperation } from '#scim/patch';
import { USER_SHAPE } from '#scim/users';

const IDS = ['a', 'b', 'c', 'd'];
const someIds = fc.subarray(IDS);

/** A change of members, as providers send it, with what it does to a set. */
interface Change {
  readonly operation: PatchOperation;
  readonly apply: (members: ReadonlySet<string>) => Iterable<string>;
}

const asValues = (ids: readonly string[]) => ids.map((value) => ({ value, display: `User ${value}` }));
const changes: fc.Arbitrary<Change> = fc.oneof(
  someIds.map((ids) => ({
    operation: { op: 'add' as const, path: 'members', value: asValues(ids) },
    apply: (members: ReadonlySet<string>) => [...members, ...ids],
  })),
  fc.constantFrom(...IDS).map((id) => ({
    operation: { op: 'add' as const, value: { Members: { value: id } } },
    apply: (members: ReadonlySet<string>) => [...members, id],
  })),
  fc.constantFrom(...IDS).map((id) => ({
    operation: { op: 'remove' as const, path: `members[value eq "${id}"]` },
    apply: (members: ReadonlySet<string>) => [...members].filter((member) => member !== id),
  })),
  someIds.map((ids) => ({
    operation: { op: 'remove' as const, path: 'members', value: asValues(ids) },
    apply: (members: ReadonlySet<string>) => [...members].filter((member) => !ids.includes(member)),
  })),
  fc.constant({ operation: { op: 'remove' as const, path: 'members' }, apply: () => [] }),
  someIds.map((ids) => ({
    operation: { op: 'replace' as const, path: 'MEMBERS', value: asValues(ids) },
    apply: () => ids,
  })),
  fc.constant({
    operation: { op: 'replace' as const, value: { id: 'grp_1', displayName: 'Renamed', junk: [1] } },
    apply: (members: ReadonlySet<string>) => members,
  }),
);

const membersOf = ({ members = [] }: Fields) => (members as { value: string }[]).map(({ value }) => value).toSorted();

describe('a PATCH of members', () => {
  it('does the same as a set', () => {
    fc.assert(
      fc.property(someIds, fc.array(changes, { maxLength: 8 }), (ids, steps) => {
        const before = { displayName: 'Crew', members: asValues(ids) };
        const operations = steps.map(({ operation }) => operation);
        const expected = steps.reduce<ReadonlySet<string>>((set, { apply }) => new Set(apply(set)), new Set(ids));
        expect(membersOf(applyPatch(GROUP_SHAPE, before, operations))).toEqual([...expected].toSorted());
      }),
      { numRuns: 500 },
    );
  });
});

const ADA = {
  userName: 'ada@example.com',
  displayName: 'Ada',
  name: { givenName: 'Ada' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
};
const patched = (...operations: PatchOperation[]) => applyPatch(USER_SHAPE, ADA, operations);

describe('a PATCH of a user', () => {
  it.each<[string, PatchOperation, object]>([
    ['a value without a path', { op: 'replace', value: { active: false } }, { active: false }],
    ['the texts of Entra for booleans', { op: 'replace', path: 'active', value: 'False' }, { active: false }],
    [
      'a part',
      { op: 'add', path: 'name.familyName', value: 'King' },
      { name: { givenName: 'Ada', familyName: 'King' } },
    ],
    [
      'paths as names',
      { op: 'replace', value: { 'name.givenName': 'A', 'emails[type eq "work"].value': 'a@example.com' } },
      { name: { givenName: 'A' }, emails: [{ value: 'a@example.com', type: 'work', primary: true }] },
    ],
    [
      'an added value for a filter without a match',
      { op: 'add', path: 'emails[type eq "home"].value', value: 'h@example.com' },
      { emails: [...ADA.emails, { type: 'home', value: 'h@example.com' }] },
    ],
    [
      'a new primary value',
      { op: 'add', path: 'emails', value: [{ value: 'b@example.com', primary: 'True' }] },
      {
        emails: [
          { ...ADA.emails[0], primary: false },
          { value: 'b@example.com', primary: true },
        ],
      },
    ],
    ['attributes that are not stored', { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '1' }, {}],
    ['names of prototypes', { op: 'add', value: { constructor: 1, 'name.constructor': 'x', toString: 2 } }, {}],
  ])('accepts %s', (_what, operation, changed) => expect(patched(operation)).toEqual({ ...ADA, ...changed }));

  it.each<[string, PatchOperation, string]>([
    [
      'a replaced value that does not exist',
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' },
      'noTarget',
    ],
    ['a removal without a path', { op: 'remove' }, 'noTarget'],
    ['a text without a path', { op: 'add', value: 'x' }, 'invalidValue'],
    ['a filter on one value', { op: 'add', path: 'userName[value eq "a"]', value: 'x' }, 'invalidPath'],
    ['a part of one value', { op: 'add', path: 'active.value', value: 'x' }, 'invalidPath'],
  ])('rejects %s', (_what, operation, scimType) =>
    expect(() => patched(operation)).toThrow(expect.objectContaining({ details: { scimType } })),
  );

  it('returns only known attributes, whatever the operations contain', () => {
    const paths = fc.constantFrom('emails', 'emails.value', 'name', 'emails[primary eq true]', 'active', 'x', 'name.x');
    const operation = fc.record(
      {
        op: fc.constantFrom('add' as const, 'replace' as const, 'remove' as const),
        path: paths,
        value: fc.jsonValue(),
      },
      { requiredKeys: ['op'] },
    );
    const known = ['userName', 'externalId', 'displayName', 'active', 'name', 'emails'];
    fc.assert(
      fc.property(fc.array(operation), fc.dictionary(fc.string(), fc.jsonValue()), (operations, resource) => {
        for (const work of [() => patched(...operations), () => normalize(USER_SHAPE, resource)]) {
          try {
            for (const name of Object.keys(work())) expect(known).toContain(name);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid_request' });
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
