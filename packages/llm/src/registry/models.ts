import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';

/** The models that a caller can use: those of this installation, and those of a team if it has endpoints. */
export interface Models {
  /**
   * Returns the default model: the team's, otherwise the configured one, otherwise Claude if it has a
   * key, otherwise the first chat model in the server's list, otherwise the built-in one. Throws
   * AppError if the team's default is no longer offered or the server's list is unavailable
   * (`unavailable`), or if the list contains no chat model (`upstream_error`).
   */
  default(): Promise<ModelInfo>;
  /**
   * Returns the model with this id, or the default. Throws the same errors as `default`, and
   * AppError `unavailable` if the key of an endpoint cannot be opened, and `invalid_request` for the
   * field `model`, with the list of available models.
   */
  get(id?: string): Promise<ChatModel>;
  /** All models, the default's provider first, including those that servers list. */
  list(): Promise<readonly ModelInfo[]>;
}
