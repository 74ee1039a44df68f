import { findAccount } from '#account/find-account';
import { createApi } from '#api/api';
import { connector, job } from '#api/records';
import { CliError, usageError } from '#cli-error';
import type { Command } from '#command';
import { EXIT } from '#exit-code';
import { exitCodeOf, followJob } from '#follow-job';

export const sync: Command = {
  name: 'sync',
  summary: 'Start a sync of a connector',
  usage: 'CONNECTOR [--watch] [--full] [--confirm-deletions]',
  options: { watch: { type: 'boolean' }, full: { type: 'boolean' }, 'confirm-deletions': { type: 'boolean' } },
  help: [
    ['CONNECTOR', 'its id or its name'],
    ['--watch', 'show the progress until it ends'],
    ['--full', 'read everything anew'],
    ['--confirm-deletions', 'carry out deletions that were held back'],
  ],
  run: async (args, shell) => {
    const [wanted, ...more] = args.positionals;
    if (wanted === undefined || more.length > 0) throw usageError('Name one connector; `lectern status` lists them.');
    const api = createApi(await findAccount(shell.env), shell.signal);
    const named = (await api.all('/api/v1/connectors', connector)).filter(
      ({ id, name }) => id === wanted || name === wanted,
    );
    const [found] = named;
    if (found === undefined) throw new CliError(`There is no connector ${wanted}.`, { code: 'not_found' });
    if (named.length > 1) throw usageError(`${named.length} connectors are called ${wanted}. Name one by its id.`);
    const body = {
      sync_mode: args.flag('full') ? 'full' : 'auto',
      ...(args.flag('confirm-deletions') ? { confirm_deletions: true } : {}),
    };
    const started = await api.call('POST', `/api/v1/connectors/${found.id}/sync`, job, { body });
    if (args.flag('watch')) {
      const ended = await followJob(api, found.id, started.jobId, shell);
      shell.output.json(ended);
      return exitCodeOf(ended);
    }
    shell.output.line(`${started.jobId} ${started.status}`);
    shell.output.json(started);
    return EXIT.ok;
  },
};
