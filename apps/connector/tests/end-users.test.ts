import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { callAs } from '@lectern/testing';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector({}, 'scripted_rich');
const callAsAda = () => callAs({ ...on.client.caller, userEmail: 'ada@example.com' });
const callAsEditor = () => callAs({ ...on.client.caller, userEmail: 'ada@example.com', mayManage: true });

describe('a request for an end user', () => {
  it('shows the counts of a sync but no file names, except to signed-in editors', async () => {
    on.fill(2);
    on.source.unreadable.add('item-0001');
    const { id: jobId } = await on.sync();
    const connectorId = on.connector.id;
    const { syncs, connectors, as } = on.client;
    for (const call of [as(), callAsEditor()])
      expect((await syncs.getJob({ connectorId, jobId }, call)).errors).toHaveLength(1);
    const shown = [await syncs.getJob({ connectorId, jobId }, callAsAda())];
    shown.push(...(await syncs.listJobs({ connectorId, page: undefined }, callAsAda())).jobs);
    for await (const job of syncs.watchJob({ connectorId, jobId }, callAsAda())) shown.push(job);
    expect(shown).toHaveLength(3);
    for (const job of shown) expect(job).toMatchObject({ errors: [], progress: { total: 2, failed: 1 } });

    on.source.beforePage = async () => {
      throw new SourceError('invalid', 'The file salaries.xlsx has an unknown format.');
    };
    await on.sync();
    expect((await on.read()).statusReason).toContain('salaries.xlsx');
    const one = await connectors.getConnector({ id: connectorId }, callAsAda());
    const { connectors: all } = await connectors.listConnectors(
      { page: undefined, collectionId: undefined },
      callAsAda(),
    );
    for (const connector of [one, ...all]) expect(connector.statusReason).toBeUndefined();
    const shownToEditor = await connectors.getConnector({ id: connectorId }, callAsEditor());
    expect(shownToEditor.statusReason).toContain('salaries.xlsx');
  });

  it('cannot change anything', async () => {
    const { id } = on.connector;
    const { syncs, connectors } = on.client;
    const changes = [
      connectors.updateConnector({ id, name: 'New', config: undefined, credentials: undefined }, callAsAda()),
      connectors.deleteConnector({ id, keepDocuments: false }, callAsAda()),
      connectors.testConnector({ id }, callAsAda()),
      syncs.startSync({ connectorId: id }, callAsAda()),
      syncs.startPermissionRefresh({ connectorId: id }, callAsAda()),
    ];
    for (const change of await Promise.allSettled(changes))
      expect(change).toMatchObject({ reason: { code: 'forbidden' } });
    expect((await on.read()).name).not.toBe('New');
  });
});
