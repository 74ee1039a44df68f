import type { LsiPassage } from '#lsi/lsi-sample';

/** What the training thread is sent. */
export type TrainingRequest =
  | { readonly kind: 'passages'; readonly passages: readonly LsiPassage[] }
  | { readonly kind: 'learn' };

/** What it answers, one message a request. */
export type TrainingAnswer =
  | { readonly kind: 'taken'; readonly more: boolean }
  | {
      readonly kind: 'learned';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly passages: number;
      readonly terms: number;
    };
