import type { Lectern } from '@lectern/sdk';
import type { Arguments, Command, Shell } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';

/** What a command does with the API. It succeeds unless it throws. */
export type Action = (lectern: Lectern, args: Arguments, shell: Shell) => Promise<void>;

/** Returns the `run` of a command that only does this. */
export const runAction =
  (action: Action): Command['run'] =>
  async (args, shell) => {
    await action(await connectWithAccount(shell), args, shell);
    return EXIT.ok;
  };
