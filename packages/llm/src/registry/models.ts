import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';

/** The models of this installation. */
export interface Models {
  /**
   * Returns the default model: the configured one, otherwise Claude if it has a key, otherwise the
   * first chat model in the server's list, otherwise the built-in one. Throws AppError if the
   * server's list is unavailable (`unavailable`) or contains no chat model (`upstream_error`).
   */
  default(): Promise<ModelInfo>;
  /**
   * Returns the model with this id, or the default. Throws the same errors as `default`, and
   * AppError `invalid_request` for the field `model`, with the list of available models.
   */
  get(id?: string): Promise<ChatModel>;
  /** All models, the default's provider first, including those that servers list. */
  list(): Promise<readonly ModelInfo[]>;
}
