import { CliError, usageError } from '#cli-error';
import { LARGEST_PAGE, readAll } from '#collections';
import type { Command } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { followJob, jobExitCode } from '#follow-job';

export const sync: Command = {
  name: 'sync',
  summary: 'Sync a connector',
  usage: 'CONNECTOR [--watch] [--full] [--confirm-deletions]',
  options: { watch: { type: 'boolean' }, full: { type: 'boolean' }, 'confirm-deletions': { type: 'boolean' } },
  help: [
    ['CONNECTOR', 'the id or name of the connector'],
    ['--watch', 'show the progress until the sync ends'],
    ['--full', 'read and index everything again'],
    ['--confirm-deletions', 'delete documents whose deletion awaits confirmation'],
  ],
  run: async (args, shell) => {
    const { output, signal } = shell;
    const [nameOrId, ...more] = args.positionals;
    if (nameOrId === undefined || more.length > 0) {
      throw usageError('Name one connector. List the connectors with: lectern status');
    }
    const lectern = await connectWithAccount(shell);
    const matches = (await readAll(lectern.connectors.list(LARGEST_PAGE, { signal }))).filter(
      ({ id, name }) => id === nameOrId || name === nameOrId,
    );
    const [connector] = matches;
    if (connector === undefined) {
      throw new CliError(`The connector ${nameOrId} does not exist. List the connectors with: lectern status`, {
        code: 'not_found',
      });
    }
    if (matches.length > 1) throw usageError(`${matches.length} connectors are named ${nameOrId}. Use the id instead.`);
    const body = {
      sync_mode: args.flag('full') ? ('full' as const) : ('auto' as const),
      ...(args.flag('confirm-deletions') ? { confirm_deletions: true } : {}),
    };
    const started = await lectern.sync.start(connector.id, body, { signal });
    if (args.flag('watch')) {
      const ended = await followJob(lectern, connector.id, started.jobId, shell);
      output.json(ended);
      return jobExitCode(ended);
    }
    output.line(`${started.jobId} ${started.status}`);
    output.json(started);
    return EXIT.ok;
  },
};
