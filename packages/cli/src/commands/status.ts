import { findAccount } from '#account/find-account';
import { createApi } from '#api/api';
import { collection, connector, ownKey } from '#api/records';
import type { Command } from '#command';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';

export const status: Command = {
  name: 'status',
  summary: 'Show who you are here, the collections and the connectors',
  usage: '',
  options: {},
  help: [],
  run: async (_args, { env, output, signal }) => {
    const api = createApi(await findAccount(env), signal);
    const key = await api.call('GET', '/api/v1/key', ownKey);
    const [collections, connectors] = await Promise.all([
      api.all('/api/v1/collections', collection),
      key.kind === 'secret' ? api.all('/api/v1/connectors', connector) : [],
    ]);
    const scope = key.allow_all_collections ? 'all collections' : `${key.allowed_collections.length} collections`;
    output.line(`${output.bold(api.baseUrl)}  team ${key.teamId}, ${key.kind} key ${oneLine(key.name)} for ${scope}`);
    output.line(`\nCollections: ${collections.length}`);
    for (const { id, name, documentCount } of collections) {
      output.line(`  ${oneLine(name)}  ${documentCount} documents  ${output.dim(id)}`);
    }
    output.line(`\nConnectors: ${connectors.length}`);
    for (const { id, name, type, status, statusReason, lastSync } of connectors) {
      const reason = statusReason ? ` (${oneLine(statusReason)})` : '';
      const last = lastSync === null ? 'never synced' : `synced ${lastSync}`;
      output.line(`  ${oneLine(name)}  ${type}, ${status}${reason}, ${last}  ${output.dim(id)}`);
    }
    output.json({ baseUrl: api.baseUrl, key, collections, connectors });
    return EXIT.ok;
  },
};
