import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';

/** The models of one provider. */
export interface ModelCatalog {
  /** The models that are known without calling the provider. */
  readonly known: readonly ModelInfo[];
  /** All models. Throws AppError if the provider's list is unavailable. */
  list(): Promise<readonly ModelInfo[]>;
  /**
   * The first model that the operator or the provider lists; undefined if there is none. Throws the
   * same errors as `list`.
   */
  first?(): Promise<ModelInfo | undefined>;
  /**
   * The model with this id, or undefined if the provider does not have it. Throws the same errors
   * as `list`.
   */
  find(id: string): Promise<ChatModel | undefined>;
}
