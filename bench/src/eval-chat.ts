import { writeFile } from 'node:fs/promises';
import { summarizeChat } from '#eval-chat/eval-chat-result';
import { EVAL_CHAT_USAGE, readEvalChatOptions } from '#eval-chat/options';
import { writeChatReport } from '#eval-chat/report';
import { runEvalChat } from '#eval-chat/run-eval-chat';
import { runCommand } from '#run-command';

await runCommand(EVAL_CHAT_USAGE, async (args, print, signal) => {
  const options = readEvalChatOptions(args, process.env);
  if (!options) return print(EVAL_CHAT_USAGE);
  const { corpus, questions } = await runEvalChat(options, print, signal);
  if (options.out !== undefined)
    await writeFile(options.out, questions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  print(`\n${writeChatReport(corpus, summarizeChat(questions))}`);
});
