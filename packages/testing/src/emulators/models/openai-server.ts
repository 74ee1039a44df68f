import {
  type Answering,
  type MidStream,
  type ModelFault,
  ModelRefusal,
  type ModelServer,
  piecesOf,
  startModelServer,
} from './model-server.ts';
import { checkAccess, checkOpenAi, type OpenAiBody, type OpenAiRules } from './openai-checks.ts';

/** A tool call that the model makes; `json` in place of the input's own JSON. */
export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly json?: string;
}

/** One answer of the emulator. */
export type OpenAiTurn =
  | {
      readonly kind: 'message';
      readonly text?: string;
      readonly refusal?: string;
      readonly toolCalls?: readonly ScriptedToolCall[];
      /** By default `tool_calls` after a call, else `stop`; null ends without one. */
      readonly finishReason?: string | null;
      /** Figures as reported; `none` is a server that reports no usage. */
      readonly usage?: { readonly prompt: number; readonly completion: number } | 'none';
      /** Characters of a delta; default 12. */
      readonly pieceLength?: number;
      /** Milliseconds before each delta. */
      readonly pauseMs?: number;
      readonly goesWrong?: MidStream;
    }
  | ModelFault;

export interface OpenAiServerOptions extends OpenAiRules {
  /** Answers by what is asked, in place of the turns that are played: for many clients at once. */
  readonly respond?: (body: OpenAiBody) => OpenAiTurn;
}

const SAYS_HELLO: OpenAiTurn = { kind: 'message', text: 'Hello.' };

/** A strict local server of `GET /v1/models` and of OpenAI's `POST /v1/chat/completions`. Without `include_usage` it reports none. */
export function startOpenAiServer(options: OpenAiServerOptions): Promise<ModelServer<OpenAiTurn>> {
  return startModelServer<OpenAiTurn>({
    first: SAYS_HELLO,
    refuse: ({ type, message }) => ({ error: { message, type, param: null, code: null } }),
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
      if (body.stream !== true) throw new ModelRefusal(400, 'invalid_request_error', 'the emulator only streams');
      await sayMessage(body, turn, out);
    },
  });
}

type MessageTurn = Extract<OpenAiTurn, { kind: 'message' }>;

async function sayMessage(body: OpenAiBody, turn: MessageTurn, out: Answering): Promise<void> {
  const { pauseMs = 0, goesWrong } = turn;
  const chunk = (choices: unknown[], extra: object = {}) =>
    out.event({
      id: 'chatcmpl-standin',
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
    if (goesWrong?.afterPieces === at) {
      if (goesWrong.kind === 'cut') return out.cut();
      if (goesWrong.kind === 'silence') return out.silence();
      out.event({ error: { message: 'It broke.', type: goesWrong.type, param: null, code: null } });
      return out.end();
    }
    await out.wait(pauseMs);
    if (out.left.aborted) return;
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
    const begun = {
      index,
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: first },
    };
    return [begun, ...rest.map((part) => ({ index, function: { arguments: part } }))];
  });
  // Fragments of parallel calls come interleaved.
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  const fragments = Array.from({ length: longest }, (_, at) => calls.flatMap((call) => call.slice(at, at + 1))).flat();
  return [
    ...piecesOf(text, pieceLength).map((content) => ({ content })),
    ...piecesOf(refusal, pieceLength).map((piece) => ({ refusal: piece })),
    ...fragments.map((fragment) => ({ tool_calls: [fragment] })),
  ];
}
