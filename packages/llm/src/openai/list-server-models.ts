import { z } from 'zod';
import type { OpenAiAccess } from '#openai/openai-client';

/** A model that a server lists. */
export interface ListedModel {
  readonly id: string;
  /** Context window in tokens, if the server reports it. */
  readonly contextWindow?: number | undefined;
}

const LIST_TIMEOUT_MS = 5_000;
const MAX_MODELS = 500;

/** Matches the names of other kinds of models in servers' lists. */
const NOT_CHAT =
  /embed|whisper|tts|dall-?e|moderation|rerank|image|audio|realtime|transcribe|speech|sora|davinci|babbage|instruct-\d{4}$|bge-|minilm|diffusion|(?:^|[/:_-])(?:e5|gte|clip|colbert|flux|kokoro|parakeet|piper|sdxl)(?:[-:_.]|$)/i;

/** Returns false for a model whose name shows that it is not a chat model. */
export const isChatModel = (id: string): boolean => !NOT_CHAT.test(id);

const tokens = z.number().int().positive().optional().catch(undefined);
/**
 * vLLM reports `max_model_len`, OpenRouter `context_length`, LM Studio `max_context_length`,
 * llama.cpp `meta.n_ctx_train`.
 */
const listed = z.object({
  id: z.string().min(1),
  max_model_len: tokens,
  context_length: tokens,
  max_context_length: tokens,
  context_window: tokens,
  meta: z.object({ n_ctx: tokens, n_ctx_train: tokens }).nullish().catch(undefined),
});

/** Returns true for the error of a server without a list of models. */
export function hasNoList(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return status === 404 || status === 405 || status === 501;
}

/** Returns the chat models of a server's `GET /models`. Throws the client's errors. */
export async function listServerModels(
  { client }: OpenAiAccess,
  signal: AbortSignal = AbortSignal.timeout(LIST_TIMEOUT_MS),
): Promise<ListedModel[]> {
  const found: ListedModel[] = [];
  for await (const model of client.models.list({ signal })) {
    const parsed = listed.safeParse(model);
    if (!parsed.success || !isChatModel(parsed.data.id)) continue;
    const { id, meta, ...sizes } = parsed.data;
    const contextWindow =
      sizes.max_model_len ?? sizes.context_length ?? sizes.max_context_length ?? sizes.context_window ?? meta?.n_ctx;
    found.push({ id, contextWindow });
    if (found.length >= MAX_MODELS) break;
  }
  return found;
}
