import { text } from 'node:stream/consumers';
import type { EventOf } from '@lectern/sdk';
import { usageError } from '#cli-error';
import { searchScope } from '#collections';
import type { Command, Shell } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import type { Output } from '#output/output';
import { oneLine, plainText } from '#output/plain-text';

/** The server's limit for a reply. */
const REPLY_TIMEOUT_MS = 600_000;

type ChatEvent = EventOf<'streamChat'>;
type DataOf<Name extends ChatEvent['event']> = Extract<ChatEvent, { event: Name }>['data'];

/** The part of the reply that has been received. */
interface Reply {
  start?: Pick<DataOf<'message_start'>, 'id' | 'conversationId'>;
  content: string;
  sources: DataOf<'sources'>['sources'];
}

async function readMessage(positionals: readonly string[], { stdin }: Shell): Promise<string> {
  const argument = positionals.join(' ');
  const message = argument === '' && !stdin.isTTY ? await text(stdin) : argument;
  if (message.trim() === '') throw usageError('The message is empty. Usage: lectern chat MESSAGE');
  return message;
}

function printEnd({ start, content, sources }: Reply, end: DataOf<'message_end'>, output: Output): void {
  const { usage, answer_confidence } = end;
  output.line(content.endsWith('\n') ? '' : '\n');
  for (const [index, { title, url, id }] of sources.entries()) {
    output.line(`[${index + 1}] ${oneLine(title)}  ${output.dim(oneLine(url || id))}`);
  }
  if (answer_confidence !== null) {
    const { label, score } = answer_confidence;
    output.note(
      `Confidence: ${oneLine(label)} (${score.toFixed(2)}) · Continue with: --conversation ${start?.conversationId}`,
    );
  }
  output.json({ content, ...start, sources, answer_confidence, usage });
}

export const chat: Command = {
  name: 'chat',
  summary: 'Ask a question and stream the answer',
  usage: 'MESSAGE [--collection NAME|ID]… [--conversation ID] [--model MODEL] [--agent ID]',
  options: {
    collection: { type: 'string', multiple: true },
    conversation: { type: 'string' },
    model: { type: 'string' },
    agent: { type: 'string' },
  },
  help: [
    ['MESSAGE', 'the question; read from stdin if omitted'],
    ['--collection NAME|ID', 'answer from this collection; repeatable'],
    ['--conversation ID', 'continue a conversation'],
    ['--model MODEL', 'the language model to use'],
    ['--agent ID', 'the agent to use'],
  ],
  run: async (args, shell) => {
    const { output, signal } = shell;
    const message = await readMessage(args.positionals, shell);
    const lectern = await connectWithAccount(shell);
    const [conversationId, model, agentId] = ['conversation', 'model', 'agent'].map((name) => args.text(name));
    const body = {
      message,
      ...(await searchScope(lectern, signal, args.texts('collection'))),
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(model === undefined ? {} : { model }),
      ...(agentId === undefined ? {} : { agentId }),
    };
    const reply: Reply = { content: '', sources: [] };
    for await (const { event, data } of lectern.chat.stream(body, { signal, timeoutMs: REPLY_TIMEOUT_MS })) {
      if (event === 'message_start') reply.start = { id: data.id, conversationId: data.conversationId };
      else if (event === 'content_delta') {
        reply.content += data.delta;
        output.write(plainText(data.delta));
      } else if (event === 'sources') reply.sources = data.sources;
      else if (event === 'message_end') printEnd(reply, data, output);
    }
    return EXIT.ok;
  },
};
