import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#registry/model-info';

/** The models of one provider. */
export interface ModelCatalogue {
  /** Those that are offered without asking anyone. */
  readonly known: readonly ModelInfo[];
  /** All of them. Throws AppError where a provider that lists its own cannot be asked. */
  list(): Promise<readonly ModelInfo[]>;
  /**
   * The first model that the operator or the provider lists; undefined if there is none. Throws the
   * same errors as `list`.
   */
  first?(): Promise<ModelInfo | undefined>;
  /** The model by its id, undefined where the provider does not offer it. Throws as `list` does. */
  find(id: string): Promise<ChatModel | undefined>;
}
