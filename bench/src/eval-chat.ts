import { writeFile } from 'node:fs/promises';
import { summarizeQuestions } from '@lectern/grounding';
import { EVAL_CHAT_USAGE, readEvalChatOptions } from '#eval-chat/options';
import { writeAlteredReport, writeChatReport } from '#eval-chat/report';
import { runEvalChat } from '#eval-chat/run-eval-chat';
import { summarizeAltered } from '#eval-chat/summarize-altered';
import { runCommand } from '#run-command';

await runCommand(EVAL_CHAT_USAGE, async (args, print, signal) => {
  const options = readEvalChatOptions(args, process.env);
  if (!options) return print(EVAL_CHAT_USAGE);
  const run = await runEvalChat(options, print, signal);
  const { corpus } = run;
  if (options.out !== undefined)
    await writeFile(options.out, run.questions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const report =
    run.suite === 'answers'
      ? writeChatReport(corpus, options.model, summarizeQuestions(run.questions))
      : writeAlteredReport(corpus, options.model, summarizeAltered(run.questions));
  print(`\n${report}`);
});
