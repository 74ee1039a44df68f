import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Body, EventOf, Lectern } from '@lectern/sdk';
import { toCliError } from '#api-error';
import { CliError, usageError } from '#cli-error';
import { searchScope } from '#collections';
import type { Arguments, Command, Shell } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import type { Output } from '#output/output';
import { oneLine, plainText } from '#output/plain-text';

/** The server's limit for a reply. */
const REPLY_TIMEOUT_MS = 600_000;
const INDENT = '    ';

type ChatEvent = EventOf<'streamChat'>;
type DataOf<Name extends ChatEvent['event']> = Extract<ChatEvent, { event: Name }>['data'];
type Request = Body<'streamChat'>;

/** The part of the reply that has been received. */
interface Reply {
  start?: Pick<DataOf<'message_start'>, 'id' | 'conversationId'>;
  content: string;
  sources: DataOf<'sources'>['sources'];
}

async function readMessage(positionals: readonly string[], { stdin }: Shell): Promise<string> {
  const argument = positionals.join(' ');
  const message = argument === '' && !stdin.isTTY ? await text(stdin) : argument;
  if (message.trim() === '') throw usageError('The message is empty. Usage: lectern chat <message...>');
  return message;
}

function printEnd({ start, content, sources }: Reply, end: DataOf<'message_end'>, output: Output): void {
  const { usage, answer_confidence } = end;
  output.line(content.endsWith('\n') ? '' : '\n');
  for (const [index, { title, url, id }] of sources.entries()) {
    output.paragraph(`${oneLine(title)}  ${output.dim(oneLine(url || id))}`, INDENT, `[${index + 1}] `);
  }
  if (answer_confidence !== null) {
    const { label, score } = answer_confidence;
    output.note(
      `Confidence: ${oneLine(label)} (${score.toFixed(2)}) · Continue with: --conversation ${start?.conversationId}`,
    );
  }
  output.json({ content, ...start, sources, answer_confidence, usage });
}

/** Streams the reply to a message. Returns the id of the conversation. */
async function ask(lectern: Lectern, body: Request, { output, signal }: Shell): Promise<string | undefined> {
  const reply: Reply = { content: '', sources: [] };
  const written = output.stream();
  for await (const { event, data } of lectern.chat.stream(body, { signal, timeoutMs: REPLY_TIMEOUT_MS })) {
    if (event === 'message_start') reply.start = { id: data.id, conversationId: data.conversationId };
    else if (event === 'content_delta') {
      reply.content += data.delta;
      written.write(plainText(data.delta));
    } else if (event === 'sources') reply.sources = data.sources;
    else if (event === 'message_end') {
      written.end();
      printEnd(reply, data, output);
    }
  }
  return reply.start?.conversationId;
}

/** Asks the messages of a person one after the other, in one conversation, until the input ends. */
async function converse(lectern: Lectern, first: string, settings: Omit<Request, 'message'>, shell: Shell) {
  const { stdin, output, signal } = shell;
  let conversationId = settings.conversationId;
  const answer = async (message: string) => {
    try {
      const body = { ...settings, message, ...(conversationId === undefined ? {} : { conversationId }) };
      conversationId = (await ask(lectern, body, shell)) ?? conversationId;
    } catch (thrown) {
      const error = toCliError(thrown);
      if (signal.aborted || !(error instanceof CliError) || error.exitCode === EXIT.denied) throw thrown;
      // The next message may succeed.
      output.note(error.message);
    }
    output.line();
  };
  if (first !== '') await answer(first);
  if (stdin.isTTY) output.note('Type a message and press Enter. Ctrl-D or Ctrl-C ends the conversation.');
  const lines = createInterface({ input: stdin, output: process.stderr, terminal: stdin.isTTY, prompt: '> ', signal });
  if (stdin.isTTY) lines.prompt();
  for await (const line of lines) {
    if (line.trim() !== '') await answer(line.trim());
    if (stdin.isTTY) lines.prompt();
  }
}

async function settingsOf(lectern: Lectern, args: Arguments, signal: AbortSignal): Promise<Omit<Request, 'message'>> {
  const [conversationId, model, agentId] = ['conversation', 'model', 'agent'].map((name) => args.text(name));
  return {
    ...(await searchScope(lectern, signal, args.texts('collection'))),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(model === undefined ? {} : { model }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

export const chat: Command = {
  name: 'chat',
  summary: 'Ask a question and stream the answer',
  parameters: [{ syntax: '[message...]', description: 'the question; read from stdin if omitted' }],
  options: [
    { syntax: '-i, --interactive', description: 'ask several questions in one conversation, one per line' },
    { syntax: '--collection <name|id>', description: 'answer from this collection; repeatable' },
    { syntax: '--conversation <id>', description: 'continue a conversation' },
    { syntax: '--model <model>', description: 'the language model to use' },
    { syntax: '--agent <id>', description: 'the agent to use' },
  ],
  run: async (args, shell) => {
    const isInteractive = args.flag('interactive');
    const message = isInteractive ? args.positionals.join(' ').trim() : await readMessage(args.positionals, shell);
    const lectern = await connectWithAccount(shell);
    const settings = await settingsOf(lectern, args, shell.signal);
    if (isInteractive) await converse(lectern, message, settings, shell);
    else await ask(lectern, { ...settings, message }, shell);
    return EXIT.ok;
  },
};
