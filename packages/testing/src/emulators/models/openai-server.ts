import {
  type ModelFault,
  type ModelServer,
  piecesOf,
  type ResponseWriter,
  type StreamFault,
  startModelServer,
} from '#emulators/models/model-server';
import { checkAccess, checkOpenAi, type OpenAiBody, type OpenAiRules } from '#emulators/models/openai-checks';

/** A tool call; `json` overrides the JSON of the input. */
export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly json?: string;
}

/** A scripted response of the emulator. */
export type OpenAiTurn =
  | {
      readonly kind: 'message';
      readonly text?: string;
      readonly refusal?: string;
      readonly toolCalls?: readonly ScriptedToolCall[];
      /** Default: `tool_calls` after a call, otherwise `stop`. Null sends none. */
      readonly finishReason?: string | null;
      /** The reported usage; `none` for a server that reports none. */
      readonly usage?: { readonly prompt: number; readonly completion: number } | 'none';
      /** The characters of each delta; default 12. */
      readonly pieceLength?: number;
      /** The delay before each delta in milliseconds. */
      readonly pauseMs?: number;
      readonly fault?: StreamFault;
    }
  | ModelFault;

export interface OpenAiServerOptions extends OpenAiRules {
  /** Chooses the response by the request instead of the order of calls: for concurrent clients. */
  readonly respond?: (body: OpenAiBody) => OpenAiTurn;
}

const HELLO: OpenAiTurn = { kind: 'message', text: 'Hello.' };

/** A strict emulator of OpenAI's `GET /v1/models` and `POST /v1/chat/completions`. Reports usage only with `include_usage`. */
export function startOpenAiServer(options: OpenAiServerOptions): Promise<ModelServer<OpenAiTurn>> {
  return startModelServer<OpenAiTurn>({
    first: HELLO,
    errorBody: ({ type, message }) => ({ error: { message, type, param: null, code: null } }),
    async answer(call, played, out) {
      checkAccess(call, options);
      if (call.method === 'GET') {
        const data = Object.entries(options.models).map(([id, facts]) => ({
          id,
          object: 'model',
          owned_by: 'us',
          ...facts,
        }));
        return out.json(200, { object: 'list', data });
      }
      const body = checkOpenAi(call, options);
      const turn = options.respond?.(body) ?? played;
      if (turn.kind === 'silence') return out.silence();
      if (turn.kind === 'cut') return out.cut();
      if (turn.kind === 'status') {
        const error = {
          error: { message: `No: ${JSON.stringify(call.headers)}`, type: turn.type, param: null, code: null },
        };
        return out.json(turn.status, error, turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter });
      }
      if (body.stream !== true) return out.json(200, completeMessage(body, turn));
      await sendMessage(body, turn, out);
    },
  });
}

type MessageTurn = Extract<OpenAiTurn, { kind: 'message' }>;

/** A response without a stream. */
function completeMessage({ model }: OpenAiBody, { text = '', toolCalls = [] }: MessageTurn): object {
  const calls = toolCalls.map(({ id, name, input, json }, at) => ({
    id: id ?? `call_${at}`,
    type: 'function',
    function: { name, arguments: json ?? JSON.stringify(input ?? {}) },
  }));
  const message = { role: 'assistant', content: text || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', logprobs: null };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return { id: 'chatcmpl-emulator', object: 'chat.completion', created: 1, model, choices: [choice], usage };
}

async function sendMessage(body: OpenAiBody, turn: MessageTurn, out: ResponseWriter): Promise<void> {
  const { pauseMs = 0, fault } = turn;
  const chunk = (choices: unknown[], extra: object = {}) =>
    out.event({
      id: 'chatcmpl-emulator',
      object: 'chat.completion.chunk',
      created: 1,
      model: body.model,
      choices,
      ...extra,
    });
  const choice = (delta: unknown, finish_reason: string | null = null) => [
    { index: 0, delta, finish_reason, logprobs: null },
  ];
  chunk(choice({ role: 'assistant', content: '' }));
  for (const [at, delta] of deltasOf(turn).entries()) {
    if (fault?.afterPieces === at) {
      if (fault.kind === 'cut') return out.cut();
      if (fault.kind === 'silence') return out.silence();
      out.event({ error: { message: 'It broke.', type: fault.type, param: null, code: null } });
      return out.end();
    }
    await out.wait(pauseMs);
    if (out.disconnected.aborted) return;
    chunk(choice(delta));
  }
  const finish = turn.finishReason === undefined ? (turn.toolCalls?.length ? 'tool_calls' : 'stop') : turn.finishReason;
  if (finish !== null) chunk(choice({}, finish));
  if (turn.usage !== 'none' && body.stream_options?.include_usage) {
    const { prompt, completion } = turn.usage ?? { prompt: 100, completion: 10 };
    chunk([], { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } });
  }
  if (finish !== null) out.event('[DONE]');
  out.end();
}

function deltasOf({ text = '', refusal = '', toolCalls = [], pieceLength = 12 }: MessageTurn): unknown[] {
  const calls = toolCalls.map(({ id, name, input, json }, index) => {
    const [first = '', ...rest] = piecesOf(json ?? JSON.stringify(input ?? {}), pieceLength);
    const start = {
      index,
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: first },
    };
    return [start, ...rest.map((part) => ({ index, function: { arguments: part } }))];
  });
  // Fragments of parallel calls are interleaved.
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  const fragments = Array.from({ length: longest }, (_, at) => calls.flatMap((call) => call.slice(at, at + 1))).flat();
  return [
    ...piecesOf(text, pieceLength).map((content) => ({ content })),
    ...piecesOf(refusal, pieceLength).map((piece) => ({ refusal: piece })),
    ...fragments.map((fragment) => ({ tool_calls: [fragment] })),
  ];
}
