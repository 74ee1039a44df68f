import type { StopReason as AnthropicStop, MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { StopReason } from '@lectern/grounding';
import { createCitationLedger, createReplyText } from '@lectern/grounding';
import { AppError } from '@lectern/service-kit';
import { type AnthropicAccess, connectAnthropic } from '#anthropic/anthropic-client';
import { createUsageMeter } from '#anthropic/anthropic-usage';
import { createBlockReader } from '#anthropic/read-blocks';
import { toAnthropicRequest } from '#anthropic/to-anthropic-request';
import type { ChatEvent } from '#model/chat-event';
import type { ProviderPart, ToolCallPart } from '#model/chat-message';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import type { AnthropicSettings, RetrySettings } from '#provider/model-settings';
import { interruptedReply, type ProviderName } from '#provider/provider-failure';
import { DEFAULT_RETRY, streamWithRetries } from '#provider/stream-with-retries';
import { countPrompt, countReply } from '#tokens/count-reply';
import { promptTexts } from '#tokens/prompt-texts';
import { createTokenGauge, type TokenGauge } from '#tokens/token-gauge';

/**
 * Claude's tokens per estimated token. Newer tokenizers produce up to a third more tokens than
 * older ones.
 */
const TOKENS_PER_ESTIMATE = 1.4;
/** How often a paused turn is continued. */
const MAX_PAUSES = 4;

const STOPS: Readonly<Record<AnthropicStop, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  pause_turn: 'end',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  tool_use: 'tool_calls',
  refusal: 'refused',
};

/** Creates the models of one account. They share a client, which is created at the first call. */
export function createAnthropicModelFactory(settings: AnthropicSettings, retry: Partial<RetrySettings>) {
  let access: Promise<AnthropicAccess> | undefined;
  const connect = () => (access ??= connectAnthropic(settings));
  return (info: ModelInfo): ChatModel => {
    const gauge = createTokenGauge({ initial: TOKENS_PER_ESTIMATE });
    return {
      id: info.id,
      info,
      countTokens: gauge.count,
      async *stream(request, { signal }) {
        const { client, name, failureOf } = await connect();
        const open = (callSignal: AbortSignal, onActivity: () => void) =>
          reply({ client, name, info, gauge }, request, callSignal, onActivity);
        yield* streamWithRetries(open, failureOf, { ...DEFAULT_RETRY, ...retry }, signal);
      },
    };
  };
}

type Client = AnthropicAccess['client'];

interface ReplyDeps {
  readonly client: Client;
  readonly name: ProviderName;
  readonly info: ModelInfo;
  readonly gauge: TokenGauge;
}

/** Makes one attempt at a reply: one message, or several if the provider pauses. */
async function* reply(
  { client, name, info, gauge }: ReplyDeps,
  request: ChatRequest,
  signal: AbortSignal,
  onActivity: () => void,
): AsyncGenerator<ChatEvent> {
  const { params, citables } = toAnthropicRequest(info, request);
  const text = createReplyText(
    request.ledger ?? createCitationLedger(),
    citables.length > 0 && request.format === undefined ? () => undefined : 'keep',
  );
  const usage = createUsageMeter();
  const sentBlocks: unknown[] = [];
  const toolCalls: ToolCallPart[] = [];
  let messages = params.messages;
  let stop: AnthropicStop | undefined;
  for (let round = 0; round <= MAX_PAUSES; round += 1) {
    const reader = createBlockReader(text, citables);
    stop = undefined;
    for await (const event of await create(client, { ...params, messages }, signal)) {
      onActivity();
      if (event.type === 'message_start') usage.update(event.message?.usage);
      else if (event.type === 'message_delta') {
        usage.update(event.usage);
        stop = event.delta?.stop_reason ?? stop;
      } else if (event.type === 'message_stop') stop ??= 'end_turn';
      else if (isBlockEvent(event)) yield* reader.read(event);
    }
    // The client ends without an error if the connection is cut or the call is aborted.
    if (stop === undefined) throw interruptedReply(name);
    yield* reader.end();
    sentBlocks.push(...reader.blocks);
    toolCalls.push(...reader.toolCalls);
    if (stop !== 'pause_turn' || reader.blocks.length === 0) break;
    messages = [...messages, { role: 'assistant', content: [...reader.blocks] }];
    usage.nextMessage();
  }
  yield* text.end();
  const reason = stop === undefined ? 'end' : (STOPS[stop] ?? 'end');
  // A call that was cut off at the token limit is incomplete.
  const calls = reason === 'tool_calls' ? toolCalls : [];
  yield* calls;
  const provider: ProviderPart = { type: 'provider', provider: 'anthropic', model: info.id, data: sentBlocks };
  const replyText = text.text();
  const content = [provider, ...(replyText === '' ? [] : [{ type: 'text' as const, text: replyText }]), ...calls];
  const { promptTokens, completionTokens } = usage.total();
  if (promptTokens !== undefined) gauge.learn(promptTexts(request), promptTokens);
  const cached = usage.cached();
  yield {
    type: 'end',
    stopReason: reason,
    usage: {
      promptTokens: promptTokens ?? countPrompt(gauge.count, request),
      completionTokens: completionTokens ?? countReply(gauge.count, replyText, calls),
    },
    ...(cached ? { cached } : {}),
    message: { role: 'assistant', content },
  };
}

async function create(client: Client, params: MessageCreateParamsStreaming, signal: AbortSignal) {
  if (signal.aborted) throw new AppError('cancelled', 'The reply was cancelled.');
  return await client.messages.create(params, { signal });
}

type StreamEvent = Awaited<ReturnType<typeof create>> extends AsyncIterable<infer E> ? E : never;

function isBlockEvent(event: StreamEvent): event is Extract<StreamEvent, { type: `content_block_${string}` }> {
  return event.type.startsWith('content_block_');
}
