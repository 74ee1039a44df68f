import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import fc from 'fast-check';
import { createFailedSignIns } from '#audit/failed-sign-ins';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const away = () => gateway.db.$executeRawUnsafe('ALTER TABLE audit_events RENAME TO audit_events_away');
const back = () => gateway.db.$executeRawUnsafe('ALTER TABLE audit_events_away RENAME TO audit_events');
const newPeople = () =>
  Array.from({ length: 3 }, (_, at) => ({ id: newId('person'), teamId: gateway.keys.teamId, email: `${at}@a.test` }));
const attemptsOf = async (id: string): Promise<number> => {
  const events = await gateway.db.auditEvent.findMany({ where: { resourceId: id } });
  return events.reduce((sum, { details }) => sum + Number(Reflect.get(Object(details), 'attempts')), 0);
};

describe('failed attempts to sign in', () => {
  it('are all counted, also if they are noted while an attempt to store them fails', async () => {
    const attempts = fc.array(fc.nat({ max: 2 }), { maxLength: 5 });
    const rounds = fc.array(fc.record({ before: attempts, during: attempts, fails: fc.boolean() }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rounds, async (sequence) => {
        const people = newPeople();
        const failedSignIns = createFailedSignIns(gateway.db);
        const expected = [0, 0, 0];
        const note = (person: number) => {
          expected[person] = (expected[person] ?? 0) + 1;
          const address = '127.0.0.1';
          const known = people[person];
          if (known) failedSignIns.note({ person: known, address, userAgent: undefined });
        };
        for (const { before, during, fails } of sequence) {
          before.forEach(note);
          if (fails) await away();
          const flushed = failedSignIns.flush().catch(() => undefined);
          during.forEach(note);
          await flushed;
          if (fails) await back();
        }
        await failedSignIns.flush();
        expect(await Promise.all(people.map(({ id }) => attemptsOf(id)))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('of one account that cannot be stored do not keep back those of others', async () => {
    const [bad, ...others] = newPeople();
    const failedSignIns = createFailedSignIns(gateway.db);
    // PostgreSQL stores no null characters.
    const note = (person: (typeof others)[number]) =>
      failedSignIns.note({ person, address: '127.0.0.1', userAgent: undefined });
    const unstorable = { ...bad!, email: 'a\0' };
    for (const person of [unstorable, ...others]) note(person);
    const flushed = failedSignIns.flush();
    note(unstorable);
    await expect(flushed).rejects.toThrow();
    await expect(failedSignIns.flush()).rejects.toThrow();
    expect(await Promise.all(others.map(({ id }) => attemptsOf(id)))).toEqual([1, 1]);
  });
});
