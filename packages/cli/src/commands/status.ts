import { findAccount } from '#account/find-account';
import { LARGEST_PAGE, readAll } from '#collections';
import type { Command } from '#command';
import { connect } from '#connect';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';

export const status: Command = {
  name: 'status',
  summary: 'Show the account, the collections and the connectors',
  run: async (_args, { env, output, signal }) => {
    const account = await findAccount(env);
    const baseUrl = account.baseUrl.replace(/\/+$/, '');
    const lectern = connect(account);
    const key = await lectern.keys.own({ signal });
    const [collections, connectors] = await Promise.all([
      readAll(lectern.collections.list(LARGEST_PAGE, { signal })),
      key.kind === 'secret' ? readAll(lectern.connectors.list(LARGEST_PAGE, { signal })) : [],
    ]);
    const scope = key.allow_all_collections ? 'all collections' : plural(key.allowed_collections.length, 'collection');
    output.line(`${output.bold(baseUrl)}  team ${key.teamId}, ${key.kind} key ${oneLine(key.name)} for ${scope}`);
    output.line(`\nCollections: ${collections.length}`);
    for (const { id, name, documentCount } of collections) {
      output.line(`  ${oneLine(name)}  ${plural(documentCount, 'document')}  ${output.dim(id)}`);
    }
    output.line(`\nConnectors: ${connectors.length}`);
    for (const { id, name, type, status, statusReason, lastSync } of connectors) {
      const reason = statusReason ? ` (${oneLine(statusReason)})` : '';
      const last = lastSync === null ? 'never synced' : `synced ${lastSync}`;
      output.line(`  ${oneLine(name)}  ${type}, ${status}${reason}, ${last}  ${output.dim(id)}`);
    }
    output.json({ baseUrl, key, collections, connectors });
    return EXIT.ok;
  },
};
