import { createAnthropicModelFactory } from '#anthropic/anthropic-model';
import { ANTHROPIC_MODELS } from '#anthropic/known-models';
import type { ChatModel } from '#model/chat-model';
import { infoForWindow, type ModelInfo } from '#model/model-info';
import type { ModelCatalog } from '#provider/model-catalog';
import type { AnthropicSettings, RetrySettings } from '#provider/model-settings';

/** The window of Claude models that are not in the list. */
const UNLISTED_WINDOW = 200_000;

/**
 * Anthropic's models: the listed ones, their dated snapshots (`claude-haiku-4-5-20251001`), and
 * those that the operator names (`always`).
 */
export function createAnthropicModels(
  settings: AnthropicSettings,
  always: readonly string[],
  retry: Partial<RetrySettings> = {},
): ModelCatalog {
  const create = createAnthropicModelFactory(settings, retry);
  const models = new Map<string, ChatModel>();
  const extra = always.filter((id) => !ANTHROPIC_MODELS.some((info) => info.id === id));
  const offered = [...extra.map((id) => anthropicInfo(id, undefined)), ...ANTHROPIC_MODELS];
  const infoOf = (id: string) => offered.find((info) => info.id === id) ?? listedInfo(id);
  return {
    known: offered,
    list: async () => offered,
    async find(id) {
      const info = infoOf(id);
      if (info === undefined) return undefined;
      const model = models.get(id) ?? create(info);
      models.set(id, model);
      return model;
    },
  };
}

/** Returns the sizes of a model: Anthropic's for a known name, unless the window is smaller. */
export function anthropicInfo(id: string, window: number | undefined): ModelInfo {
  const known = listedInfo(id);
  if (known && (window === undefined || window >= known.contextWindow)) return known;
  return infoForWindow(id, 'anthropic', window ?? UNLISTED_WINDOW);
}

function listedInfo(id: string): ModelInfo | undefined {
  const name = id.replace(/-\d{8}$/, '');
  const info = ANTHROPIC_MODELS.find((known) => known.id === name);
  return info && { ...info, id };
}
