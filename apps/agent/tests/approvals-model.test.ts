import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { ApprovalStatus, RunStatus, ToolServerServiceDefinition } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, newId } from '@lectern/service-kit';
import { callAs, createCaller, type ModelServer, type OpenAiTurn, runCount, startOpenAiServer } from '@lectern/testing';
import fc from 'fast-check';
import pg from 'pg';
import { type ObservedRun, type RunSystem, startRunSystem } from './support/run-system.ts';

const TOOL = 'shop__change';

/** Who starts runs, and who decides about them. */
const team = createCaller();
const PEOPLE = {
  'the key': team,
  'another key': { ...team, keyId: newId('key') },
  'a restricted key': { ...team, keyId: newId('key'), scope: { kind: 'only', ids: [newId('collection')] } },
  ada: { ...team, userEmail: 'ada@example.com' },
  eve: { ...team, userEmail: 'eve@example.com' },
  'an editor': { ...team, keyId: newId('key'), userEmail: 'ed@example.com', mayManage: true },
  'another team': createCaller(),
} satisfies Record<string, Caller>;
type Person = keyof typeof PEOPLE;
const DECIDERS = Object.keys(PEOPLE) as readonly Person[];
const STARTERS = ['the key', 'ada'] as const;

type State = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

/** What must be true of a run and its approval. */
interface ExpectedRun {
  readonly by: Person;
  readonly version: number;
  state: State;
  isChanged: boolean;
  calls: 0 | 1;
  /** The possible ends of the run. Empty while it waits. */
  ends: readonly RunStatus[];
}

interface Model {
  readonly runs: ExpectedRun[];
  /** Counts the definitions of the tool. */
  version: number;
  isEnabled: boolean;
}

interface StartedRun {
  readonly agentId: string;
  readonly runId: string;
  readonly approvalId: string;
  readonly name: string;
  readonly ended: Promise<ObservedRun>;
}

interface Real {
  readonly runs: StartedRun[];
}

let modelServer: ModelServer<OpenAiTurn>;
let system: RunSystem;
let servers: GrpcClient<typeof ToolServerServiceDefinition>;
let db: pg.Pool;
let stop: () => Promise<void>;
let serverId: string;
let started = 0;
let definition = 0;
/** The calls that the tool server received, by the name of their run. */
const received: { readonly run: string; readonly amount: number }[] = [];

const documentOf = (version: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/changes': {
        post: {
          operationId: 'change',
          summary: `Changes something, as of version ${version}.`,
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  });

beforeAll(async () => {
  modelServer = await startOpenAiServer({
    models: { local: {} },
    respond: ({ messages }) => {
      const user = messages.find(({ role }) => role === 'user')?.content;
      if (messages.at(-1)?.role === 'tool') return { kind: 'message', text: 'Done.' };
      const input = { body: { run: user, amount: 5 } };
      return { kind: 'message', toolCalls: [{ id: 'c', name: TOOL, input }] };
    },
  });
  const shop = createServer(async (request, response) => {
    received.push((await json(request)) as (typeof received)[number]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  system = await startRunSystem({
    OPENAI_BASE_URL: `${modelServer.origin}/v1`,
    CHAT_MODEL: 'local',
    EGRESS_ALLOW: '127.0.0.1',
    LECTERN_MASTER_KEYS: Buffer.alloc(32, 7).toString('base64'),
  });
  db = new pg.Pool({ connectionString: system.database.url });
  const connection = connectGrpc(system.address);
  servers = connection.client(ToolServerServiceDefinition, { deadlineMs: 60_000 });
  const { port } = shop.address() as AddressInfo;
  const server = { name: 'Shop', slug: 'shop', kind: 'openapi', url: `http://127.0.0.1:${port}` };
  serverId = (await servers.createToolServer({ ...server, document: documentOf(0) }, callAs(team))).id;
  await servers.refreshTools({ id: serverId }, callAs(team));
  stop = async () => {
    connection.close();
    shop.closeAllConnections();
    shop.close();
    await db.end();
    await system.stop();
    await modelServer.stop();
  };
});
afterAll(() => stop());

/** Publishes a definition that has never been used. */
async function publishDefinition(): Promise<void> {
  definition += 1;
  await servers.updateToolServer({ id: serverId, document: documentOf(definition) }, callAs(team));
  await servers.refreshTools({ id: serverId }, callAs(team));
}

async function setEnabled(enabled: boolean): Promise<void> {
  const [tool] = (await servers.listServerTools({ serverId }, callAs(team))).tools;
  if (tool === undefined) throw new Error('The tool is not listed.');
  const { agentName: name, version } = tool;
  await servers.updateServerTool({ serverId, name, enabled, changesSomething: true, version }, callAs(team));
}

/** Starts a run and waits until its call is pending. */
async function startRun(by: Person): Promise<StartedRun> {
  started += 1;
  const name = `run${started}`;
  const agent = { name, systemPrompt: 'Help.', memory: 'off', tools: [TOOL] };
  const { id: agentId } = await system.agents.createAgent(agent, callAs(team));
  const pending = Promise.withResolvers<{ readonly runId: string; readonly approvalId: string }>();
  const ended = system.run({ agentId, message: name }, PEOPLE[by], {
    onEvent: ({ $case, value }, runId) => {
      if ($case === 'pendingApproval') pending.resolve({ runId, approvalId: value.approvalId });
    },
  });
  ended.then(() => pending.reject(new Error(`${name} ended without an approval.`)));
  return { agentId, name, ended, ...(await pending.promise) };
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => String(Object(error).code),
  );
const decide = ({ agentId, runId, approvalId: id }: StartedRun, by: Person, approve: boolean) =>
  codeOf(system.runs.decideApproval({ agentId, runId, id, approve }, callAs(PEOPLE[by])));

function same(what: string, actual: unknown, ...expected: readonly unknown[]): void {
  if (expected.includes(actual)) return;
  throw new Error(`${what}: expected ${expected.join(' or ')}, received ${String(actual)}`);
}

/** Who can decide: the owner, and those who manage agents. The others do not see the run. */
const canDecide = ({ by }: ExpectedRun, person: Person): boolean =>
  person === by || person === 'the key' || person === 'another key' || person === 'an editor';

/** Returns what a decision must return, and what it changes. */
function expectDecision(model: Model, run: ExpectedRun, person: Person, approve: boolean): string {
  if (!canDecide(run, person)) return 'not_found';
  const wanted = approve ? 'approved' : 'denied';
  if (run.state === wanted) return 'ok';
  if (run.state !== 'pending') return 'conflict';
  run.state = wanted;
  run.ends = [RunStatus.COMPLETED];
  const isCurrent = model.isEnabled && model.version === run.version;
  run.calls = approve && isCurrent && !run.isChanged ? 1 : 0;
  return 'ok';
}

/** Waits for a run that has to end, and checks everything that is known about it. */
async function checkEnd({ agentId, runId, approvalId, name, ended }: StartedRun, expected: ExpectedRun) {
  const observed = await ended;
  const { approvals } = await system.runs.listApprovals({ agentId, runId }, callAs(team));
  const [approval] = approvals;
  same(`${name}: approvals`, approvals.length, 1);
  same(`${name}: state`, approval?.status, ApprovalStatus[expected.state.toUpperCase() as Uppercase<State>]);
  const calls = received.filter(({ run }) => run === name);
  same(`${name}: calls`, calls.length, expected.calls);
  for (const { amount } of calls) same(`${name}: amount`, amount, 5);
  const run = await system.runs.getRun({ agentId, id: runId }, callAs(team));
  same(`${name}: status`, run.status, ...expected.ends);
  same(`${name}: pending`, run.pendingApprovals, 0);
  same(`${name}: last event`, observed.order.at(-1), 'completed');
  same(`${name}: decided events`, observed.order.filter((event) => event === 'approvalDecided').length, 0, 1);
  if (expected.calls === 1 && approval?.calledAt === undefined) throw new Error(`${name}: no time of its call`);
  const late = await codeOf(
    system.runs.decideApproval({ agentId, runId, id: approvalId, approve: expected.state === 'denied' }, callAs(team)),
  );
  same(`${name}: a late decision`, late, 'conflict');
}

type Command = fc.AsyncCommand<Model, Real>;

/** One step on one of the runs. */
const onRun = (
  name: string,
  place: number,
  run: (model: Model, expected: ExpectedRun, actual: StartedRun) => Promise<void>,
): Command => ({
  check: ({ runs }) => runs.length > 0,
  run: async (model, real) => {
    const at = place % model.runs.length;
    const [expected, actual] = [model.runs[at], real.runs[at]];
    if (expected === undefined || actual === undefined) throw new Error('There is no such run.');
    await run(model, expected, actual);
    if (expected.ends.length > 0) await checkEnd(actual, expected);
  },
  toString: () => `${name} #${place}`,
});

const place = fc.nat(3);
const person = fc.constantFrom(...DECIDERS);

const start = fc.constantFrom(...STARTERS).map(
  (by): Command => ({
    check: ({ runs, isEnabled }) => isEnabled && runs.length < 4,
    run: async (model, real) => {
      real.runs.push(await startRun(by));
      model.runs.push({ by, version: model.version, state: 'pending', isChanged: false, calls: 0, ends: [] });
    },
    toString: () => `start as ${by}`,
  }),
);
const decideOnce = fc.tuple(place, person, fc.boolean()).map(([at, who, approve]) =>
  onRun(`${who} ${approve ? 'approves' : 'denies'}`, at, async (model, expected, actual) => {
    const returned = await decide(actual, who, approve);
    same(`the decision of ${who}`, returned, expectDecision(model, expected, who, approve));
  }),
);
/** Several people decide at the same moment. One decision counts, and all responses agree with it. */
const decideTogether = fc
  .tuple(place, fc.array(fc.tuple(person, fc.boolean()), { minLength: 2, maxLength: 4 }))
  .map(([at, decisions]) =>
    onRun(`together: ${decisions.join('; ')}`, at, async (model, expected, actual) => {
      const returned = await Promise.all(decisions.map(([who, approve]) => decide(actual, who, approve)));
      const first = decisions.findIndex(([who], index) => canDecide(expected, who) && returned[index] === 'ok');
      // Those with the winning decision are repetitions, whoever was first.
      const order = first < 0 ? decisions : [decisions[first]!, ...decisions];
      const wanted = order.map(([who, approve]) => expectDecision(model, expected, who, approve));
      const checked = first < 0 ? wanted : wanted.slice(1);
      for (const [index, code] of returned.entries()) same(`decision ${index}`, code, checked[index]);
    }),
  );
const expire = place.map((at) =>
  onRun('expire', at, async (_model, expected, { approvalId }) => {
    await db.query('UPDATE agent.approvals SET expires_at = now() WHERE id = $1', [approvalId]);
    if (expected.state !== 'pending') return;
    expected.state = 'expired';
    expected.ends = [RunStatus.LIMITED];
  }),
);
const cancel = place.map((at) =>
  onRun('cancel', at, async (_model, expected, { agentId, runId }) => {
    const code = await codeOf(system.runs.cancelRun({ agentId, id: runId }, callAs(team)));
    same('the cancellation', code, expected.ends.length === 0 ? 'ok' : 'conflict');
    if (expected.state !== 'pending') return;
    expected.state = 'cancelled';
    expected.ends = [RunStatus.CANCELLED];
  }),
);
/** The run ends while someone approves: the call is made at most once, and the states agree. */
const cancelAndApprove = place.map((at) =>
  onRun('cancel and approve', at, async (model, expected, actual) => {
    const { agentId, runId, name } = actual;
    const [, approval] = await Promise.all([
      codeOf(system.runs.cancelRun({ agentId, id: runId }, callAs(team))),
      decide(actual, 'the key', true),
    ]);
    if (expected.state !== 'pending') {
      same('a repetition', approval, expectDecision(model, expected, 'the key', true));
      return;
    }
    expected.ends = [RunStatus.CANCELLED, RunStatus.COMPLETED];
    expected.state = approval === 'ok' ? 'approved' : 'cancelled';
    await actual.ended;
    const count = received.filter(({ run }) => run === name).length;
    same('calls', count, ...(approval === 'ok' ? [0, 1] : [0]));
    expected.calls = count === 1 ? 1 : 0;
  }),
);
/** Someone with access to the database changes what was asked for. */
const tamper = place.map((at) =>
  onRun('change the arguments', at, async (_model, expected, { approvalId, name }) => {
    const params = JSON.stringify({ body: { run: name, amount: 5_000 } });
    await db.query('UPDATE agent.approvals SET params = $1 WHERE id = $2', [params, approvalId]);
    if (expected.state === 'pending') expected.isChanged = true;
  }),
);
const editTool = (name: string, edit: (model: Model) => Promise<void>): fc.Arbitrary<Command> =>
  fc.constant({ check: () => true, run: edit, toString: () => name });
const redefine = editTool('another definition', async (model) => {
  await publishDefinition();
  model.version = definition;
  model.isEnabled = false;
});
const confirm = editTool('confirm the definition', async (model) => {
  await setEnabled(true);
  model.isEnabled = true;
});
const disable = editTool('disable the tool', async (model) => {
  await setEnabled(false);
  model.isEnabled = false;
});

describe('approvals', () => {
  it('decide about a call once, whatever happens meanwhile', async () => {
    const commands = fc.commands(
      [start, start, decideOnce, decideOnce, decideTogether, expire, cancel, cancelAndApprove, tamper].concat([
        redefine,
        confirm,
        confirm,
        disable,
      ]),
      { maxCommands: 14 },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const real: Real = { runs: [] };
        const model: Model = { runs: [], version: 0, isEnabled: true };
        await fc.asyncModelRun(async () => {
          await setEnabled(true);
          model.version = definition;
          return { model, real };
        }, steps);
        for (const [at, expected] of model.runs.entries()) {
          const actual = real.runs[at];
          if (actual === undefined || expected.ends.length > 0) continue;
          same('the last decision', await decide(actual, 'the key', false), 'ok');
          Object.assign(expected, { state: 'denied', ends: [RunStatus.COMPLETED] });
          await checkEnd(actual, expected);
        }
      }),
      { numRuns: runCount({ quick: 6, full: 20 }), endOnFailure: true },
    );
  }, 300_000);
});
