import type { ChatModel } from '@lectern/llm';

/** The built-in model with rules that call tools. */
export function createPlanner(model: ChatModel): ChatModel {
  return model;
}
