import type { Lectern } from '@lectern/sdk';
import { type Action, runAction } from '#action';
import { LARGEST_PAGE, readAll } from '#collections';
import type { CommandGroup, Parameter } from '#command';
import { findNamed } from '#find-named';
import { oneLine, plainText } from '#output/plain-text';

/** The server's limit for a run. */
const RUN_TIMEOUT_MS = 900_000;

/** Returns the id of the agent with this id or name. */
async function findAgent(lectern: Lectern, nameOrId: string, signal: AbortSignal): Promise<string> {
  const agents = await readAll(lectern.agents.list(LARGEST_PAGE, { signal }));
  return findNamed(agents, nameOrId, { kind: 'agent', listCommand: 'lectern agents list' }).id;
}

const list: Action = async (lectern, _args, { output, signal }) => {
  const agents = await readAll(lectern.agents.list(LARGEST_PAGE, { signal }));
  for (const { id, name, description, tools } of agents) {
    output.paragraph(`${oneLine(name)}  ${output.dim([tools.join(', ') || 'no tools', id].join(' · '))}`);
    if (description !== null) output.paragraph(oneLine(description), '  ');
  }
  if (agents.length === 0) output.line('No agents.');
  output.json(agents);
};

const show: Action = async (lectern, args, { output, signal }) => {
  const [nameOrId = ''] = args.positionals;
  const agent = await lectern.agents.get(await findAgent(lectern, nameOrId, signal), { signal });
  output.line(`${output.bold(oneLine(agent.name))}  ${output.dim(agent.id)}`);
  if (agent.description !== null) output.paragraph(oneLine(agent.description));
  output.line(`Tools: ${agent.tools.join(', ') || 'none'}`);
  output.line(`Collections: ${agent.collections.join(', ') || 'all'}`);
  output.line();
  output.line(plainText(agent.systemPrompt).trimEnd());
  output.json(agent);
};

const run: Action = async (lectern, args, { output, signal }) => {
  const [nameOrId = '', ...words] = args.positionals;
  const id = await findAgent(lectern, nameOrId, signal);
  const conversationId = args.text('conversation');
  const body = { message: words.join(' '), ...(conversationId === undefined ? {} : { conversationId }) };
  const written = output.stream();
  let content = '';
  for await (const { event, data } of lectern.agents.execute(id, body, { signal, timeoutMs: RUN_TIMEOUT_MS })) {
    if (event === 'tool_call') output.note(`→ ${data.tool}`);
    else if (event === 'pending_approval') {
      output.note(`${data.tool} waits for the approval of a person. Decide in the console, under Agents.`);
    } else if (event === 'content') {
      content += data.content;
      written.write(plainText(data.content));
    } else if (event === 'run_complete') {
      written.end();
      output.line(content.endsWith('\n') ? '' : '\n');
      output.note(`Run ${data.runId} ${data.status} · Continue with: --conversation ${data.conversationId}`);
      output.json({ ...data, content });
    }
  }
};

const AGENT: Parameter = { syntax: '<agent>', description: 'the id or name of the agent' };

export const agents: CommandGroup = {
  name: 'agents',
  summary: 'List, show and run agents',
  commands: [
    { name: 'list', summary: 'List the agents', run: runAction(list) },
    { name: 'show', summary: 'Show an agent and its instructions', parameters: [AGENT], run: runAction(show) },
    {
      name: 'run',
      summary: 'Send a message to an agent and stream its steps and the reply',
      parameters: [AGENT, { syntax: '<message...>', description: 'the message' }],
      options: [{ syntax: '--conversation <id>', description: 'continue a conversation' }],
      run: runAction(run),
    },
  ],
};
