import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findAccount } from '#account/find-account';
import { createApi } from '#api/api';
import { confidence, ownKey, source } from '#api/records';
import { CliError, usageError } from '#cli-error';
import { searchedIn } from '#collection-ids';
import type { Command, Shell } from '#command';
import { EXIT } from '#exit-code';
import { oneLine, plainText } from '#output/plain-text';

/** As long as the server lets a reply take. */
const REPLY_MS = 600_000;

const start = z.looseObject({ id: z.string(), conversationId: z.string() });
const delta = z.looseObject({ delta: z.string() });
const sources = z.looseObject({ sources: z.array(source) });
const end = z.looseObject({ usage: z.unknown().optional(), answer_confidence: confidence });

/** The message: what was typed, or what is piped in. */
async function messageOf(positionals: readonly string[], { stdin }: Shell): Promise<string> {
  const given = positionals.join(' ');
  const message = given === '' && !stdin.isTTY ? await text(stdin) : given;
  if (message.trim() === '') throw usageError('Say what you want to know.');
  return message;
}

export const chat: Command = {
  name: 'chat',
  summary: 'Ask, and read the answer as it is written',
  usage: 'MESSAGE [--collection NAME|ID]… [--conversation ID] [--model MODEL] [--agent ID]',
  options: {
    collection: { type: 'string', multiple: true },
    conversation: { type: 'string' },
    model: { type: 'string' },
    agent: { type: 'string' },
  },
  help: [
    ['MESSAGE', 'the question; read from stdin where it is left out'],
    ['--collection NAME|ID', 'what to answer from; may be given again'],
    ['--conversation ID', 'go on with a conversation'],
    ['--model MODEL, --agent ID', 'who answers'],
  ],
  run: async (args, shell) => {
    const { output } = shell;
    const message = await messageOf(args.positionals, shell);
    const api = createApi(await findAccount(shell.env), shell.signal);
    const { teamId } = await api.call('GET', '/api/v1/key', ownKey);
    const options = {
      conversationId: args.text('conversation'),
      model: args.text('model'),
      agentId: args.text('agent'),
    };
    const body = { message, ...(await searchedIn(api, args.texts('collection'))), ...options };
    const path = `/api/v1/teams/${teamId}/chat/stream`;
    let reply: Record<string, unknown> = { content: '' };
    let content = '';
    let cited: z.output<typeof sources>['sources'] = [];
    for await (const { event, data } of api.events('POST', path, { body, timeoutMs: REPLY_MS })) {
      if (event === 'message_start') {
        const { id, conversationId } = start.parse(data);
        reply = { ...reply, id, conversationId };
      } else if (event === 'content_delta') {
        const piece = delta.parse(data).delta;
        content += piece;
        output.write(plainText(piece));
      } else if (event === 'sources') cited = sources.parse(data).sources;
      else if (event === 'message_end') {
        const { usage, answer_confidence } = end.parse(data);
        output.line(content.endsWith('\n') ? '' : '\n');
        for (const [index, { title, url, id }] of cited.entries()) {
          output.line(`[${index + 1}] ${oneLine(title)}  ${output.dim(oneLine(url || id))}`);
        }
        if (answer_confidence !== null) {
          output.note(
            `Confidence: ${oneLine(answer_confidence.label)} (${answer_confidence.score.toFixed(2)}) · --conversation ${String(reply.conversationId)}`,
          );
        }
        output.json({ ...reply, content, sources: cited, answer_confidence, usage });
        return EXIT.ok;
      }
    }
    throw new CliError('The answer ended before its time. Try again.', {
      exitCode: EXIT.unavailable,
      code: 'unavailable',
    });
  },
};
