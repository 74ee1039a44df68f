import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#registry/model-info';

/** The models of this installation. */
export interface Models {
  /** The model of requests that name none. */
  readonly default: ModelInfo;
  /** The model by its id, or the default. Throws AppError `invalid_request` about the field `model` that names the models there are. */
  get(id?: string): Promise<ChatModel>;
  /** All that are offered, the default's provider first; servers that list their own have been asked. */
  list(): Promise<readonly ModelInfo[]>;
}
