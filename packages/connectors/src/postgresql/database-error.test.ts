import { expect, it } from '@jest/globals';
import { EgressError } from '@lectern/egress';
import { databaseError } from '#postgresql/database-error';

it('reports a blocked connection as invalid settings, whatever the name of the host is', () => {
  for (const host of ['db.internal', 'timeout.internal']) {
    const blocked = new EgressError(`Connections to ${host} are not allowed.`);
    expect(databaseError(blocked)).toMatchObject({ name: 'SourceError', kind: 'invalid', message: blocked.message });
  }
});
