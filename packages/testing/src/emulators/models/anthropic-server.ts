import {
  type AnthropicBody,
  type AnthropicRules,
  checkAnthropic,
  checkAnthropicAccess,
  searchResultsOf,
} from '#emulators/models/anthropic-checks';
import {
  ModelError,
  type ModelFault,
  type ModelServer,
  piecesOf,
  type ResponseWriter,
  type StreamFault,
  startModelServer,
} from '#emulators/models/model-server';

/** A citation by the index of the search result. `citedText` overrides the text of the result. */
export interface ScriptedCitation {
  readonly searchResult: number;
  readonly startBlock?: number;
  readonly endBlock?: number;
  readonly citedText?: string;
}

/** A block of a response. */
export type ScriptedBlock =
  | { readonly type: 'text'; readonly text: string; readonly cites?: readonly ScriptedCitation[] }
  /** `json` overrides the JSON of the input. */
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input?: unknown;
      readonly json?: string;
    }
  | { readonly type: 'thinking'; readonly thinking: string };

/** A scripted response of the emulator. */
export type AnthropicTurn =
  | {
      readonly kind: 'message';
      readonly blocks: readonly ScriptedBlock[];
      /** Default: `tool_use` after a call, otherwise `end_turn`. */
      readonly stopReason?: string;
      readonly usage?: AnthropicUsage;
      /** The characters of each delta; default 12. */
      readonly pieceLength?: number;
      /** The delay before each delta in milliseconds. */
      readonly pauseMs?: number;
      readonly fault?: StreamFault;
    }
  | ModelFault;

/** The reported usage. Default: computed from the request and the response. */
export interface AnthropicUsage {
  readonly input: number;
  readonly cacheWritten?: number;
  readonly cacheRead?: number;
  readonly output: number;
}

export type AnthropicServerOptions = AnthropicRules;

const HELLO: AnthropicTurn = { kind: 'message', blocks: [{ type: 'text', text: 'Hello.' }] };

/**
 * A strict emulator of Anthropic's `POST /v1/messages`. It checks keys, versions, fields, roles, tool results,
 * citations and limits as documented, and requires unmodified thinking blocks within a tool loop.
 */
export function startAnthropicServer(options: AnthropicServerOptions): Promise<ModelServer<AnthropicTurn>> {
  const signed = new Map<string, string>();
  let afterPause = false;
  /** The signatures that must precede the results of a call. */
  const thoughtBefore = new Map<string, readonly string[]>();
  return startModelServer<AnthropicTurn>({
    first: HELLO,
    errorBody: ({ type, message }) => ({ type: 'error', error: { type, message }, request_id: 'req_emulator' }),
    async answer(call, turn, out) {
      if (call.method === 'GET' && call.path.split('?')[0] === '/v1/models') {
        checkAnthropicAccess(call, options);
        const data = Object.keys(options.models).map((id) => ({ type: 'model', id, display_name: id }));
        return out.json(200, {
          data,
          has_more: false,
          first_id: data[0]?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
        });
      }
      const body = checkAnthropic(call, options, afterPause);
      checkThinking(body, signed, thoughtBefore);
      if (turn.kind === 'silence') return out.silence();
      if (turn.kind === 'cut') return out.cut();
      if (turn.kind === 'status') {
        const error = { type: 'error', error: { type: turn.type, message: `No: ${JSON.stringify(call.headers)}` } };
        return out.json(turn.status, error, turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter });
      }
      if (body.stream !== true) throw new ModelError(400, 'invalid_request_error', 'the emulator only streams');
      afterPause = turn.stopReason === 'pause_turn';
      remember(turn.blocks, signed, thoughtBefore);
      await sendMessage(body, turn, out);
    },
  });
}

type MessageTurn = Extract<AnthropicTurn, { kind: 'message' }>;

const signatureOf = (thought: string) => Buffer.from(`signed:${thought}`).toString('base64');

function remember(
  blocks: readonly ScriptedBlock[],
  signed: Map<string, string>,
  thoughtBefore: Map<string, readonly string[]>,
): void {
  const signatures = blocks.flatMap((block) => (block.type === 'thinking' ? [signatureOf(block.thinking)] : []));
  for (const block of blocks) {
    if (block.type === 'thinking') signed.set(signatureOf(block.thinking), block.thinking);
    if (block.type === 'tool_use') thoughtBefore.set(block.id, signatures);
  }
}

function checkThinking(
  { messages }: AnthropicBody,
  signed: ReadonlyMap<string, string>,
  thoughtBefore: ReadonlyMap<string, readonly string[]>,
): void {
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    const sent = content.flatMap((block) => (block.type === 'thinking' ? [block] : []));
    for (const { signature, thinking } of sent) {
      if (signed.get(signature) !== thinking) {
        throw new ModelError(400, 'invalid_request_error', 'Invalid `signature` in `thinking` block');
      }
    }
    const signatures = sent.map(({ signature }) => signature);
    for (const block of content) {
      const needed = block.type === 'tool_use' ? (thoughtBefore.get(block.id) ?? []) : [];
      if (!needed.every((signature) => signatures.includes(signature))) {
        throw new ModelError(400, 'invalid_request_error', 'thinking blocks must be passed back unmodified');
      }
    }
  }
}

async function sendMessage(body: AnthropicBody, turn: MessageTurn, out: ResponseWriter): Promise<void> {
  const { blocks, pieceLength = 12, pauseMs = 0, fault } = turn;
  const text = blocks.map((block) => ('text' in block ? block.text : JSON.stringify(block))).join('');
  const usage = turn.usage ?? { input: tokensOf(JSON.stringify(body)), output: tokensOf(text) };
  let pieces = 0;
  /** Returns false if the response ends here. */
  const piece = async (index: number, delta: unknown): Promise<boolean> => {
    if (fault && pieces === fault.afterPieces) {
      if (fault.kind === 'error') {
        out.event({ type: 'error', error: { type: fault.type, message: 'It broke.' } }, 'error');
        out.end();
      } else if (fault.kind === 'cut') out.cut();
      else await out.silence();
      return false;
    }
    await out.wait(pauseMs);
    if (out.disconnected.aborted) return false;
    send(out, { type: 'content_block_delta', index, delta });
    pieces += 1;
    return true;
  };
  send(out, { type: 'message_start', message: startOf(body, usage) });
  out.event({ type: 'ping' }, 'ping');
  for (const [index, block] of blocks.entries()) {
    send(out, { type: 'content_block_start', index, content_block: emptyBlock(block) });
    for (const delta of deltasOf(block, body, pieceLength)) if (!(await piece(index, delta))) return;
    send(out, { type: 'content_block_stop', index });
  }
  const calls = blocks.some(({ type }) => type === 'tool_use');
  const stop_reason = turn.stopReason ?? (calls ? 'tool_use' : 'end_turn');
  send(out, {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
    usage: { output_tokens: usage.output },
  });
  send(out, { type: 'message_stop' });
  out.end();
}

function send(out: ResponseWriter, event: { readonly type: string; readonly [field: string]: unknown }): void {
  out.event(event, event.type);
}

function startOf({ model }: AnthropicBody, { input, cacheWritten = 0, cacheRead = 0 }: AnthropicUsage) {
  return {
    id: 'msg_emulator',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input,
      cache_creation_input_tokens: cacheWritten,
      cache_read_input_tokens: cacheRead,
      output_tokens: 1,
    },
  };
}

function emptyBlock(block: ScriptedBlock) {
  if (block.type === 'text') return { type: 'text', text: '', ...(block.cites ? { citations: [] } : {}) };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id: block.id, name: block.name, input: {} };
}

function deltasOf(block: ScriptedBlock, body: AnthropicBody, length: number): unknown[] {
  if (block.type === 'thinking') {
    const thoughts = piecesOf(block.thinking, length).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return [...thoughts, { type: 'signature_delta', signature: signatureOf(block.thinking) }];
  }
  if (block.type === 'tool_use') {
    const json = block.json ?? JSON.stringify(block.input ?? {});
    return ['', ...piecesOf(json, length)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  }
  const texts = piecesOf(block.text, length).map((text) => ({ type: 'text_delta', text }));
  const citations = (block.cites ?? []).map((cite) => ({ type: 'citations_delta', citation: toCitation(cite, body) }));
  return [...citations, ...texts];
}

function toCitation({ searchResult, startBlock = 0, endBlock, citedText }: ScriptedCitation, body: AnthropicBody) {
  const result = searchResultsOf(body)[searchResult];
  if (result?.citations?.enabled !== true && citedText === undefined) {
    throw new ModelError(500, 'api_error', `the script cites search result ${searchResult}, which was not sent`);
  }
  const end = endBlock ?? startBlock + 1;
  const texts = result?.content.slice(startBlock, end).map(({ text }) => text) ?? [];
  return {
    type: 'search_result_location',
    source: result?.source ?? 'nowhere',
    title: result?.title ?? null,
    cited_text: citedText ?? texts.join(''),
    search_result_index: searchResult,
    start_block_index: startBlock,
    end_block_index: end,
  };
}

/** A token count that grows with the text. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
