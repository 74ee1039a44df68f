import type { Command, CommandGroup } from '#command';
import { completionScript, SHELLS } from '#completion';
import { EXIT } from '#exit-code';

const NOTE = `To use the completions in each new shell:
  bash: echo 'source <(lectern completion bash)' >> ~/.bashrc
  zsh:  echo 'source <(lectern completion zsh)' >> ~/.zshrc  (after compinit)
  fish: lectern completion fish > ~/.config/fish/completions/lectern.fish`;

/** Creates the command that prints the completions of the other commands. */
export function createCompletion(others: readonly (Command | CommandGroup)[]): Command {
  const completion: Command = {
    name: 'completion',
    summary: 'Print a script with which your shell completes commands and options',
    parameters: [{ syntax: '<shell>', description: 'your shell', choices: SHELLS }],
    note: NOTE,
    run: async ({ positionals }, { output }) => {
      const shell = SHELLS.find((known) => known === positionals[0]) ?? 'bash';
      const script = completionScript(shell, [...others, completion]);
      output.line(script.trimEnd());
      output.json({ shell, script });
      return EXIT.ok;
    },
  };
  return completion;
}
