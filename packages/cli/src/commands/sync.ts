import { LARGEST_PAGE, readAll } from '#collections';
import type { Command } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { findNamed } from '#find-named';
import { followJob, jobExitCode } from '#follow-job';

export const sync: Command = {
  name: 'sync',
  summary: 'Sync a connector',
  parameters: [{ syntax: '<connector>', description: 'the id or name of the connector' }],
  options: [
    { syntax: '--watch', description: 'show the progress until the sync ends' },
    { syntax: '--full', description: 'read and index everything again' },
    { syntax: '--confirm-deletions', description: 'delete documents whose deletion awaits confirmation' },
  ],
  run: async (args, shell) => {
    const { output, signal } = shell;
    const [nameOrId = ''] = args.positionals;
    const lectern = await connectWithAccount(shell);
    const connectors = await readAll(lectern.connectors.list(LARGEST_PAGE, { signal }));
    const connector = findNamed(connectors, nameOrId, { kind: 'connector', listCommand: 'lectern status' });
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
