import type { ErrorCode } from '@lectern/contracts';
import type { ModelFiles } from '#onnx/model-folder';

/** What the thread of a model runs. */
export interface ThreadSettings {
  readonly model: ModelFiles;
  readonly modelsDir: string | undefined;
  /** The number of CPU threads of one run. */
  readonly threads: number;
}

/** Texts to encode, or pairs of a query and passages to score. */
export type Work =
  | { readonly kind: 'vectors'; readonly texts: readonly string[] }
  | { readonly kind: 'scores'; readonly query: string; readonly texts: readonly string[] };

export type ThreadRequest =
  /** Urgent work runs before the next batch of other work, four times in a row at most. */
  | { readonly kind: 'work'; readonly id: number; readonly work: Work; readonly isUrgent: boolean }
  | { readonly kind: 'cancel'; readonly id: number };

export type ThreadResponse =
  | {
      readonly kind: 'done';
      readonly id: number;
      /** The vectors of all texts after one another, or one score per text. */
      readonly values: Float32Array;
      /** Milliseconds that the model ran. */
      readonly busyMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
      /** For the log. */
      readonly cause: string;
    };
