import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#registry/model-info';

/** The models of this installation. */
export interface Models {
  /**
   * The model of requests that name none: the configured one, else Claude with a key, else the first that chats of a server's list, else the built-in one.
   * Throws AppError where it is a server's, and that cannot be asked (`unavailable`) or lists none (`upstream_error`).
   */
  default(): Promise<ModelInfo>;
  /** The model by its id, or the default. Throws as `default` does, and AppError `invalid_request` about the field `model` that names the models there are. */
  get(id?: string): Promise<ChatModel>;
  /** All that are offered, the default's provider first; servers that list their own have been asked. */
  list(): Promise<readonly ModelInfo[]>;
}
